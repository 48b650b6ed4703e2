#pragma once

#include <cstddef>
#include <cstdint>

namespace heald::array {

/// Sorts `n` numbers of `x` with vector instructions into `to`, which is `x` or `y`; `y` is as long
/// and is overwritten. What the pivots divide badly goes to `fallback`, which sorts in `x`.
template <class U>
using VectorSort = void (*)(U* x, U* y, std::size_t n, U* to,
                            void (*fallback)(U* x, U* y, std::size_t n));

/// Null where the processor lacks the instructions (AVX-512).
[[nodiscard]] VectorSort<std::uint32_t> vector_sort_32() noexcept;
[[nodiscard]] VectorSort<std::uint64_t> vector_sort_64() noexcept;

}  // namespace heald::array
