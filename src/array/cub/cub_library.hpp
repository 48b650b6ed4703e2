#pragma once

#include <heald/array.hpp>
#include <heald/stream.hpp>

namespace heald::array {

// CUB's radix sorts, in a library of heald's that is built where nvcc is (cub_sort.cu) and opened
// at run time.

/// True if the stream's device is a GPU and the library is there.
[[nodiscard]] bool cub_available(const Stream& stream);

/// By the low `bits` bits; stable. Keys are uint32, uint64, float32 or float64 (all bits), places
/// uint32 or uint64. Enqueued.
void cub_sort_keys(const Array& from, const Array& to, int bits, const Stream& stream);
void cub_sort_pairs(const Array& keys, const Array& to_keys, const Array& places,
                    const Array& to_places, int bits, const Stream& stream);

}  // namespace heald::array
