#include "src/array/indexing/last_index.hpp"

#include "src/array/ops/elementwise.hpp"
#include "src/base/text.hpp"

#include <algorithm>
#include <bit>

namespace heald::array {
namespace {

constexpr std::int64_t small_table = 1 << 20;  ///< combinations for which a table always pays

/// "(at0 * length1 + at1) * length2 + at2": the combination's number.
std::string combination(std::size_t indices) {
    std::string number = "at0";
    for (std::size_t k = 1; k < indices; ++k)
        number = text("(", number, ") * layout.length[", k, "] + at", k);
    return number;
}

Array filled(std::int64_t count, const Stream& stream) {
    Array array({count}, DType::int64, stream);
    const std::int64_t none = -1;
    array.fill(&none, stream);
    return array;
}

std::string first_slot(int bits, std::size_t indices) {
    return text("        const unsigned long long key = ", combination(indices),
                ";\n        unsigned long long slot = key * 0x9E3779B97F4A7C15ull >> ", 64 - bits,
                ";\n");
}

std::string next_slot(int bits) {
    return text("slot = (slot + 1) & ", (std::uint64_t{1} << bits) - 1, "ull");
}

/// Statements that note index number base0.
std::string note(int bits, std::size_t indices) {
    if (bits == 0)
        return text("    if (inside) atomicMax(last + (", combination(indices),
                    "), (long long)base0);\n");
    return text("    if (inside) {\n", first_slot(bits, indices),
                R"(        for (;;) {
            const unsigned long long seen = atomicCAS(keys + slot, ~0ull, key);
            if (seen == ~0ull || seen == key) break;
            )",
                next_slot(bits),
                ";\n        }\n        atomicMax(last + slot, (long long)base0);\n    }\n");
}

}  // namespace

std::string LastIndex::parameters() const {
    return bits == 0 ? ", const long long* __restrict__ last"
                     : ", const long long* __restrict__ last, const unsigned long long* "
                       "__restrict__ keys";
}

void LastIndex::add_arguments(PackedLaunch& arguments) const {
    arguments.add_array(last, false);
    if (bits != 0) arguments.add_array(keys, false);
}

std::string LastIndex::statements(std::size_t indices, const std::string& rank) const {
    if (bits == 0)
        return text("    const bool is_last = inside && last[", combination(indices),
                    "] == (long long)", rank, ";\n");
    return text("    bool is_last = false;\n    if (inside) {\n", first_slot(bits, indices),
                "        while (keys[slot] != key) ", next_slot(bits),
                ";\n        is_last = last[slot] == (long long)", rank, ";\n    }\n");
}

LastIndex last_index(const IndexedElements& elements, const IndexedWalk& walk,
                     const Stream& stream) {
    std::int64_t combinations = 1;
    for (const std::int64_t length : walk.lengths) combinations *= length;
    std::int64_t count = 1;
    for (const std::int64_t extent : walk.index_shape) count *= extent;

    LastIndex result;
    if (combinations > small_table && combinations / 16 > count) {
        result.bits = std::max(4, static_cast<int>(std::bit_width(std::uint64_t(2 * count))));
        result.keys = filled(std::int64_t{1} << result.bits, stream);
        result.last = filled(std::int64_t{1} << result.bits, stream);
    } else {
        result.last = filled(combinations, stream);
    }
    std::vector<Shape> strides{c_strides(walk.index_shape, 1)};
    for (const Array& index : elements.indices) {
        Shape steps = broadcast_view(index, walk.index_shape).strides();
        for (std::int64_t& step : steps) step /= static_cast<std::int64_t>(size_of(index.dtype()));
        strides.push_back(std::move(steps));
    }
    const IndexKernel kernel{
        .parameters = text("long long* last", result.bits != 0 ? ", unsigned long long* keys" : "",
                           index_parameters(elements.indices)),
        .body =
            text(index_statements(elements.indices, 1), note(result.bits, elements.indices.size())),
        .iteration = simplify(walk.index_shape, strides),
        .lengths = walk.lengths,
        .steps = walk.steps};
    PackedLaunch arguments;
    arguments.add_array(result.last, true);
    if (result.bits != 0) arguments.add_array(result.keys, true);
    for (const Array& index : elements.indices) arguments.add_array(index, false);
    kernel.launch(arguments, stream, "Array.__setitem__");
    return result;
}

}  // namespace heald::array
