#pragma once

#include <heald/kernel.hpp>

#include "src/array/indexing/indexing.hpp"
#include "src/array/lazy/iteration.hpp"
#include "src/array/packed_launch.hpp"

#include <functional>
#include <string>
#include <vector>

namespace heald::array {

constexpr int index_block = 256;  ///< threads of a block

/// A kernel that visits positions of an iteration, with an offset of each operand: the source of
/// the body uses "base0", "base1", … (offsets in elements), "layout.length[k]" and
/// "layout.step[k]" (of indexed axis k, if there are any).
struct IndexKernel {
    std::string parameters;  ///< before the layout: "unsigned* out, const int* i0"
    std::string body;
    Iteration iteration;
    std::vector<std::int64_t> lengths;
    std::vector<std::int64_t> steps;

    /// Launches it with the arguments and the layout; `arguments` are those of `parameters`.
    void launch(PackedLaunch& arguments, const Stream& stream, const char* site) const;
};

/// "const long long at0 = …; …; bool inside = …;" from index arrays i0, i1, … whose offsets are
/// base<first>, base<first + 1>, ….
[[nodiscard]] std::string index_statements(const std::vector<Array>& indices, std::size_t first);
/// ", const int* i0, const long long* i1"
[[nodiscard]] std::string index_parameters(const std::vector<Array>& indices);

/// How an indexed array is walked: strides over the result, in elements.
struct IndexedWalk {
    Shape shape;                 ///< of the result
    Shape index_shape;           ///< of the indices together
    Shape dense;                 ///< strides of the result in C order
    Shape elements;              ///< strides of the array over the axes that are not indexed
    Shape rank;                  ///< strides of the number of the index, in C order
    std::vector<Shape> indices;  ///< strides of each index
    std::vector<std::int64_t> lengths;
    std::vector<std::int64_t> steps;
};
[[nodiscard]] IndexedWalk walk_of(const IndexedElements& elements);

}  // namespace heald::array
