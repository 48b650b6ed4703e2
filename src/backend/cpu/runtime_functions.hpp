#pragma once

#include <string_view>

namespace heald::cpu {

/// The address of a function that compiled kernels may call: heald's own (printf, malloc, the
/// __heald_ ones, memory functions), else of libm, else of libmvec. Null if there is none.
[[nodiscard]] void* runtime_function(std::string_view name);

/// Whether vectors of the C library's mathematics are there (x86 with glibc; optional).
[[nodiscard]] bool vector_math_available();

/// How often a kernel of this process waited in __heald_relax: a measure of waiting kernels.
[[nodiscard]] unsigned long relax_count() noexcept;

}  // namespace heald::cpu
