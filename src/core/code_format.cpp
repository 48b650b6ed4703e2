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
    if (bytes.size() >= offset + sizeof value) std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

bool is_cubin(std::string_view bytes) {
    return bytes.starts_with("\x7f" "ELF") && load<std::uint16_t>(bytes, 18) == elf_machine_cuda;
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
