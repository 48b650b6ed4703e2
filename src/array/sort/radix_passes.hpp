#pragma once

#include <heald/array.hpp>
#include <heald/stream.hpp>

namespace heald::array {

/// Unsigned keys (uint32 or uint64) and what goes with them (uint32 or uint64; of size 0: nothing).
struct KeysAndPlaces {
    Array keys;
    Array places;

    [[nodiscard]] bool has_places() const { return places.size() != 0; }
};

/// Sorts by the low `bits` bits of the keys; stable. The arrays become others. Enqueued.
void radix_sort(KeysAndPlaces& elements, int bits, const Stream& stream);

}  // namespace heald::array
