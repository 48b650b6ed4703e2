#pragma once

// What relocations mean on one machine.

#include <cstddef>
#include <cstdint>
#include <span>

namespace heald::cpu {

/// How a relocation finds what it stores.
enum class RelocationTarget : std::uint8_t {
    none,      ///< nothing to do
    symbol,    ///< the symbol's address
    call,      ///< the symbol's address, or a stub's when that is out of reach
    got_slot,  ///< the address of a word that holds the symbol's address
    got_base,  ///< the address of the table of such words
};

struct RelocationKind {
    RelocationTarget target = RelocationTarget::none;
    unsigned bytes = 0;      ///< 4 or 8
    bool relative = false;   ///< to the place that is changed
    bool is_signed = false;  ///< how 4 bytes are extended
};

/// ELF machine number of this process.
std::uint16_t native_machine() noexcept;

/// Throws Error(invalid_value) for a type that the loader does not know.
RelocationKind relocation_kind(std::uint32_t type);

/// A stub jumps to the address in a word: its size and code.
inline constexpr std::size_t stub_bytes = 16;
void write_stub(std::span<std::byte, stub_bytes> stub, std::uintptr_t address_of_word) noexcept;

}  // namespace heald::cpu
