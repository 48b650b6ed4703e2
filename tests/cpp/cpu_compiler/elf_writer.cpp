#include "tests/cpp/cpu_compiler/elf_writer.hpp"

#include <elf.h>

#include <cstring>

namespace heald::test {
namespace {

template <typename T>
void append(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

std::string relocations(const std::vector<TestRelocation>& list) {
    std::string bytes;
    for (const TestRelocation& relocation : list) {
        Elf64_Rela raw{relocation.offset,
                       ELF64_R_INFO(std::uint64_t{relocation.symbol}, relocation.type),
                       relocation.addend};
        append(bytes, raw);
    }
    return bytes;
}

}  // namespace

std::string write_elf(const TestObject& object) {
    struct Section {
        std::uint32_t type;
        std::uint64_t flags;
        std::string bytes;
        std::uint64_t size;
        std::uint32_t link = 0, info = 0;
        std::uint64_t entry = 0;
    };
    const auto text_of = [](const std::vector<unsigned char>& bytes) {
        return std::string(bytes.begin(), bytes.end());
    };
    std::string names(1, '\0');
    std::string symbols(sizeof(Elf64_Sym), '\0');
    for (const TestSymbol& symbol : object.symbols) {
        Elf64_Sym raw{};
        raw.st_name = static_cast<std::uint32_t>(names.size());
        raw.st_info = ELF64_ST_INFO(symbol.weak ? STB_WEAK : STB_GLOBAL,
                                    symbol.section == 1 ? STT_FUNC : STT_OBJECT);
        raw.st_shndx = static_cast<std::uint16_t>(symbol.section);
        raw.st_value = symbol.value;
        append(symbols, raw);
        names += symbol.name + '\0';
    }
    std::vector<Section> sections = {
        {SHT_NULL, 0, "", 0},
        {SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text_of(object.text), object.text.size()},
        {SHT_PROGBITS, SHF_ALLOC, text_of(object.rodata), object.rodata.size()},
        {SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, text_of(object.data), object.data.size()},
        {SHT_NOBITS, SHF_ALLOC | SHF_WRITE, "", object.bss_bytes},
        {SHT_SYMTAB, 0, symbols, symbols.size(), 6, 1, sizeof(Elf64_Sym)},
        {SHT_STRTAB, 0, names, names.size()},
        {SHT_RELA, 0, relocations(object.text_relocations), 0, 5, 1, sizeof(Elf64_Rela)},
        {SHT_RELA, 0, relocations(object.data_relocations), 0, 5, 3, sizeof(Elf64_Rela)},
    };
    std::string file(sizeof(Elf64_Ehdr), '\0');
    std::string table;
    for (Section& section : sections) {
        while (file.size() % 16 != 0) file += '\0';
        Elf64_Shdr raw{};
        raw.sh_type = section.type;
        raw.sh_flags = section.flags;
        raw.sh_offset = file.size();
        raw.sh_size = section.type == SHT_NOBITS ? section.size : section.bytes.size();
        raw.sh_link = section.link;
        raw.sh_info = section.info;
        raw.sh_addralign = 16;
        raw.sh_entsize = section.entry;
        append(table, raw);
        file += section.bytes;
    }
    while (file.size() % 16 != 0) file += '\0';
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_REL;
    header.e_machine = object.machine;
    header.e_version = EV_CURRENT;
    header.e_shoff = file.size();
    header.e_ehsize = sizeof(Elf64_Ehdr);
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<std::uint16_t>(sections.size());
    std::memcpy(file.data(), &header, sizeof(header));
    return file + table;
}

}  // namespace heald::test
