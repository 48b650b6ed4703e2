#include "src/jit/nvrtc/cubin_kernels.hpp"

#include <elf.h>
#include <cstdint>
#include <cstring>

namespace heald::nvrtc {
namespace {

/// `st_other` of a kernel's symbol in a cubin.
constexpr unsigned char entry_mark = 0x10;

template <class T>
bool read(std::string_view bytes, std::uint64_t offset, T& value) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return true;
}

std::string_view name_at(std::string_view bytes, const Elf64_Shdr& names, std::uint32_t offset) {
    if (names.sh_offset >= bytes.size() || offset >= names.sh_size) return {};
    const std::string_view table = bytes.substr(names.sh_offset, names.sh_size);
    if (offset >= table.size()) return {};
    return table.substr(offset, table.find('\0', offset) - offset);
}

}  // namespace

std::vector<std::string> kernels_of_cubin(std::string_view cubin) {
    std::vector<std::string> kernels;
    Elf64_Ehdr header{};
    if (!read(cubin, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr))
        return kernels;
    for (unsigned s = 0; s < header.e_shnum; ++s) {
        Elf64_Shdr section{};
        Elf64_Shdr names{};
        if (!read(cubin, header.e_shoff + s * sizeof section, section)) return kernels;
        if (section.sh_type != SHT_SYMTAB || section.sh_link >= header.e_shnum ||
            !read(cubin, header.e_shoff + section.sh_link * sizeof names, names))
            continue;
        for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size;
             at += sizeof(Elf64_Sym)) {
            Elf64_Sym symbol{};
            if (!read(cubin, section.sh_offset + at, symbol)) return kernels;
            if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || (symbol.st_other & entry_mark) == 0)
                continue;
            kernels.emplace_back(name_at(cubin, names, symbol.st_name));
        }
    }
    return kernels;
}

std::vector<std::string> kernels_of_ptx(std::string_view ptx) {
    constexpr std::string_view directive = ".entry ";
    std::vector<std::string> kernels;
    for (std::size_t at = ptx.find(directive); at != std::string_view::npos;
         at = ptx.find(directive, at + 1)) {
        const std::size_t begin = at + directive.size();
        const std::size_t end = ptx.find_first_of("( \t\r\n;", begin);
        if (end != std::string_view::npos) kernels.emplace_back(ptx.substr(begin, end - begin));
    }
    return kernels;
}

}  // namespace heald::nvrtc
