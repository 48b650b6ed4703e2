#include "src/backend/cpu/elf_object.hpp"

#include <heald/error.hpp>

#include <cstring>

namespace heald::cpu {

void fail_object(const std::string& why) {
    throw Error(ErrorKind::invalid_value, "compiled kernel cannot be loaded: " + why);
}

namespace {

// Far above what a kernel needs; keeps sums of sizes from overflowing.
constexpr std::uint64_t largest_section = std::uint64_t{1} << 30;
constexpr std::uint64_t largest_alignment = 4096;

}  // namespace

template <typename T>
T ElfObject::read(std::uint64_t offset) const {
    if (offset > file_.size() || file_.size() - offset < sizeof(T)) fail_object("it ends early");
    T value;
    std::memcpy(&value, file_.data() + offset, sizeof(T));
    return value;
}

std::string_view ElfObject::text_at(std::string_view table, std::uint64_t offset) const {
    if (offset >= table.size()) fail_object("a name lies outside its table");
    const auto end = table.find('\0', offset);
    if (end == std::string_view::npos) fail_object("a name has no end");
    return table.substr(offset, end - offset);
}

ElfObject::ElfObject(std::string_view file) : file_(file) {
    const auto header = read<Elf64_Ehdr>(0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_type != ET_REL || header.e_shentsize != sizeof(Elf64_Shdr)) {
        fail_object("it is no relocatable 64-bit object");
    }
    machine_ = header.e_machine;
    read_sections();
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        if (sections_[i].sh_type != SHT_SYMTAB) continue;
        if (symbol_table_ != 0) fail_object("it has two symbol tables");
        symbol_table_ = i;
        read_symbols(i);
    }
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        if (sections_[i].sh_type == SHT_RELA) read_relocations(i);
        if (sections_[i].sh_type == SHT_REL) fail_object("its relocations have no addends");
    }
}

void ElfObject::read_sections() {
    const auto header = read<Elf64_Ehdr>(0);
    if (header.e_shnum == 0 || header.e_shnum >= SHN_LORESERVE) {
        fail_object("its section table is not understood");
    }
    headers_ = header.e_shoff;
    names_ = header.e_shstrndx;
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
        if (header.e_shoff > file_.size()) fail_object("it ends early");
        const auto section = read<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
        if (section.sh_type != SHT_NULL) {
            if (section.sh_size > largest_section) fail_object("a section is too large");
            const auto alignment = section.sh_addralign;
            if ((alignment & (alignment - 1)) != 0 || alignment > largest_alignment) {
                fail_object("a section has an impossible alignment");
            }
            if ((section.sh_flags & SHF_TLS) != 0) fail_object("it has thread-local variables");
        }
        sections_.push_back(section);
    }
}

std::string_view ElfObject::contents(std::size_t index) const {
    const Elf64_Shdr& section = sections_[index];
    if (section.sh_type == SHT_NOBITS) return {};
    if (section.sh_offset > file_.size() || file_.size() - section.sh_offset < section.sh_size) {
        fail_object("a section lies outside the file");
    }
    return file_.substr(section.sh_offset, section.sh_size);
}

bool ElfObject::has_line_information() const {
    if (names_ >= sections_.size()) return false;
    const std::string_view names = contents(names_);
    for (const Elf64_Shdr& section : sections_)
        if (section.sh_type == SHT_PROGBITS && section.sh_name < names.size() &&
            text_at(names, section.sh_name) == ".debug_line")
            return true;
    return false;
}

bool ElfObject::is_loaded(std::size_t section) const noexcept {
    return (sections_[section].sh_flags & SHF_ALLOC) != 0 && sections_[section].sh_type != SHT_NULL;
}

void ElfObject::read_symbols(std::size_t table) {
    const Elf64_Shdr& section = sections_[table];
    const std::string_view bytes = contents(table);
    if (section.sh_link >= sections_.size() || sections_[section.sh_link].sh_type != SHT_STRTAB) {
        fail_object("its symbol table has no names");
    }
    const std::string_view names = contents(section.sh_link);
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= bytes.size(); at += sizeof(Elf64_Sym)) {
        Elf64_Sym raw;
        std::memcpy(&raw, bytes.data() + at, sizeof(raw));
        ElfSymbol symbol;
        symbol.name = raw.st_name == 0 ? std::string_view{} : text_at(names, raw.st_name);
        symbol.section = raw.st_shndx;
        symbol.type = ELF64_ST_TYPE(raw.st_info);
        symbol.binding = ELF64_ST_BIND(raw.st_info);
        symbol.value = raw.st_value;
        symbol.size = raw.st_size;
        if (symbol.section < SHN_LORESERVE) {
            if (symbol.section >= sections_.size()) fail_object("a symbol has no section");
            if (symbol.section != SHN_UNDEF && symbol.value > sections_[symbol.section].sh_size) {
                fail_object("a symbol lies outside its section");
            }
        } else if (symbol.section == SHN_COMMON) {
            if (symbol.size > largest_section || symbol.value > largest_alignment ||
                (symbol.value & (symbol.value - 1)) != 0) {
                fail_object("a variable is too large");
            }
        } else if (symbol.section != SHN_ABS) {
            fail_object("a symbol is of an unknown kind");
        }
        symbols_.push_back(symbol);
    }
}

void ElfObject::read_relocations(std::size_t table) {
    const Elf64_Shdr& section = sections_[table];
    if (section.sh_info >= sections_.size()) fail_object("relocations of no section");
    if (!is_loaded(section.sh_info)) return;
    if (symbol_table_ == 0 || section.sh_link != symbol_table_) {
        fail_object("relocations without symbols");
    }
    const std::string_view bytes = contents(table);
    for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= bytes.size(); at += sizeof(Elf64_Rela)) {
        Elf64_Rela raw;
        std::memcpy(&raw, bytes.data() + at, sizeof(raw));
        Relocation relocation;
        relocation.section = section.sh_info;
        relocation.offset = raw.r_offset;
        relocation.type = static_cast<std::uint32_t>(ELF64_R_TYPE(raw.r_info));
        relocation.symbol = static_cast<std::uint32_t>(ELF64_R_SYM(raw.r_info));
        relocation.addend = raw.r_addend;
        if (relocation.symbol >= symbols_.size()) fail_object("a relocation has no symbol");
        relocations_.push_back(relocation);
    }
}

}  // namespace heald::cpu
