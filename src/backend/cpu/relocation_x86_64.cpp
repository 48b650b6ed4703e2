#include "src/backend/cpu/relocation.hpp"

#include "src/backend/cpu/elf_object.hpp"

#include <cstring>

#if defined(__x86_64__)

namespace heald::cpu {

std::uint16_t native_machine() noexcept {
    return EM_X86_64;
}

RelocationKind relocation_kind(std::uint32_t type) {
    using Target = RelocationTarget;
    switch (type) {
        case R_X86_64_NONE:
            return {};
        case R_X86_64_64:
            return {Target::symbol, 8, false, false};
        case R_X86_64_32:
            return {Target::symbol, 4, false, false};
        case R_X86_64_32S:
            return {Target::symbol, 4, false, true};
        case R_X86_64_PC32:
            return {Target::symbol, 4, true, true};
        case R_X86_64_PC64:
            return {Target::symbol, 8, true, true};
        case R_X86_64_PLT32:
            return {Target::call, 4, true, true};
        case R_X86_64_GOTPCREL:
        case R_X86_64_GOTPCRELX:
        case R_X86_64_REX_GOTPCRELX:
            return {Target::got_slot, 4, true, true};
        case R_X86_64_GOTPCREL64:
            return {Target::got_slot, 8, true, true};
        case R_X86_64_GOTPC32:
            return {Target::got_base, 4, true, true};
        case R_X86_64_GOTPC64:
            return {Target::got_base, 8, true, true};
        default:
            fail_object("a relocation is of the unknown type " + std::to_string(type));
    }
}

void write_stub(std::span<std::byte, stub_bytes> stub, std::uintptr_t address_of_word) noexcept {
    // jmp *displacement(%rip), then int3.
    std::memset(stub.data(), 0xcc, stub.size());
    stub[0] = std::byte{0xff};
    stub[1] = std::byte{0x25};
    const auto next = reinterpret_cast<std::uintptr_t>(stub.data()) + 6;
    const auto displacement = static_cast<std::int32_t>(address_of_word - next);
    std::memcpy(stub.data() + 2, &displacement, sizeof(displacement));
}

}  // namespace heald::cpu

#endif
