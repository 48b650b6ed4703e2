#include "src/core/code_format.hpp"

#include "src/base/check.hpp"

#include <cstdint>
#include <cstring>
#include <string_view>

namespace heald::core {
namespace {

constexpr std::uint16_t elf_machine_cuda = 190;
constexpr std::uint32_t fat_binary_magic = 0xBA55ED50;
constexpr std::uint32_t lto_magic = 0x7F4E43ED;

template <class T>
T load(std::string_view bytes, std::size_t offset) {
    T value{};
    if (bytes.size() >= offset + sizeof value)
        std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

bool is_cubin(std::string_view bytes) {
    return bytes.starts_with(
               "\x7f"
               "ELF") &&
           load<std::uint16_t>(bytes, 18) == elf_machine_cuda;
}

bool is_within(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
    return offset <= bytes.size() && size <= bytes.size() - offset;
}

/// Every table and section of an ELF file (64 bits) lies within its bytes. The driver does not
/// look, and crashes on a truncated file.
bool is_whole_elf(std::string_view bytes) {
    constexpr std::size_t header_size = 64;
    constexpr std::uint32_t no_bits = 8;
    if (bytes.size() < header_size) return false;
    const auto programs = load<std::uint64_t>(bytes, 0x20);
    const auto sections = load<std::uint64_t>(bytes, 0x28);
    const std::uint64_t program_size = load<std::uint16_t>(bytes, 0x36);
    const std::uint64_t program_count = load<std::uint16_t>(bytes, 0x38);
    const std::uint64_t section_size = load<std::uint16_t>(bytes, 0x3A);
    const std::uint64_t section_count = load<std::uint16_t>(bytes, 0x3C);
    if (!is_within(bytes, programs, program_size * program_count)) return false;
    if (!is_within(bytes, sections, section_size * section_count)) return false;
    for (std::uint64_t i = 0; i < program_count; ++i) {
        const std::size_t at = programs + i * program_size;
        if (!is_within(bytes, load<std::uint64_t>(bytes, at + 0x08),
                       load<std::uint64_t>(bytes, at + 0x20)))
            return false;
    }
    for (std::uint64_t i = 0; i < section_count; ++i) {
        const std::size_t at = sections + i * section_size;
        if (load<std::uint32_t>(bytes, at + 0x04) != no_bits &&
            !is_within(bytes, load<std::uint64_t>(bytes, at + 0x18),
                       load<std::uint64_t>(bytes, at + 0x20)))
            return false;
    }
    return true;
}

/// PTX is text whose first directive, after comments, is .version.
bool is_ptx(std::string_view bytes) {
    while (true) {
        bytes = bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
        if (bytes.starts_with("//")) {
            bytes = bytes.substr(std::min(bytes.find('\n'), bytes.size()));
        } else if (bytes.starts_with("/*")) {
            const auto end = bytes.find("*/");
            if (end == std::string_view::npos) return false;
            bytes.remove_prefix(end + 2);
        } else {
            return bytes.starts_with(".version");
        }
    }
}

}  // namespace

CodeData recognise_code(std::string bytes, std::string name) {
    CodeData data;
    data.name = std::move(name);
    data.kind = DeviceKind::cuda;
    if (bytes.starts_with(cpu_code_magic)) {
        data.kind = DeviceKind::cpu;
        data.format = "cpu";
    } else if (is_cubin(bytes)) {
        HEALD_EXPECTS(is_whole_elf(bytes), invalid_value, "[ObjectCode] '", data.name,
                      "' is a truncated cubin: its tables point past its ", bytes.size(), " bytes");
        data.format = "cubin";
    } else if (load<std::uint32_t>(bytes, 0) == fat_binary_magic) {
        data.format = "fatbin";
    } else if (load<std::uint32_t>(bytes, 0) == lto_magic) {
        data.format = "ltoir";
    } else if (is_ptx(bytes)) {
        data.format = "ptx";
    } else {
        fail(ErrorKind::invalid_value, "[ObjectCode] '", data.name, "' (", bytes.size(),
             " bytes) is no code that heald knows: expected a cubin, PTX, LTO-IR, a fat binary or "
             "heald's CPU code");
    }
    data.bytes = std::move(bytes);
    data.has_mutable_globals = true;  // unknown: no instance can be added without its source anyway
    return data;
}

}  // namespace heald::core
