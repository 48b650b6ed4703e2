#pragma once

namespace heald::cpu {

/// Whether an address lies in code that heald's compiler made, or in one of the functions without
/// locks or state that such code calls (libm, libmvec, heald's memcpy). Safe in a signal handler.
[[nodiscard]] bool in_compiled_code(const void* address) noexcept;

/// Adds a range of such code for good: libm and libmvec, or a test's own functions.
void add_callable_range(const void* begin, const void* end) noexcept;

}  // namespace heald::cpu
