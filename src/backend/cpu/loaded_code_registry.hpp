#pragma once

// Where loaded code lies, readable from a signal handler.

#include <cstddef>

namespace heald::cpu {

/// Notes that [begin, begin + bytes) is code, page-aligned. Returns a ticket.
std::size_t register_code(const void* begin, std::size_t bytes);
void unregister_code(std::size_t ticket) noexcept;
/// Lock-free.
bool is_registered_code(const void* address) noexcept;

}  // namespace heald::cpu
