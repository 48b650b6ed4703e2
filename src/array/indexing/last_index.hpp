#pragma once

#include "src/array/indexing/index_kernel.hpp"

#include <string>

namespace heald::array {

/// For every combination of indexed axes that indices select, the number of the last index that
/// does: a table of all combinations, or, where these are many more than the indices, a hash table.
struct LastIndex {
    Array last;    ///< int64, -1 where nothing is selected
    Array keys;    ///< int64, of a hash table: the combination's number, -1 where a slot is free
    int bits = 0;  ///< of a slot's number in a hash table; 0: no hash table

    [[nodiscard]] std::string parameters() const;
    void add_arguments(PackedLaunch& arguments) const;
    /// Statements that set "bool is_last" from "inside", at0, at1, … and the index's number `rank`.
    [[nodiscard]] std::string statements(std::size_t indices, const std::string& rank) const;
};

[[nodiscard]] LastIndex last_index(const IndexedElements& elements, const IndexedWalk& walk,
                                   const Stream& stream);

}  // namespace heald::array
