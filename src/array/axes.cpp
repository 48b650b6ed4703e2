#include "src/array/axes.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <cstdlib>

namespace heald {

Shape c_strides(const Shape& shape, std::size_t item_size) {
    Shape strides(shape.size());
    auto step = static_cast<std::int64_t>(item_size);
    for (std::size_t i = shape.size(); i-- > 0;) {
        strides[i] = step;
        step *= std::max<std::int64_t>(shape[i], 1);
    }
    return strides;
}

}  // namespace heald

namespace heald::array {

std::vector<Axis> loops(const Shape& shape, std::span<const std::int64_t> destination,
                        std::span<const std::int64_t> source) {
    std::vector<Axis> axes;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] != 1) axes.push_back({shape[i], destination[i], source[i]});
    std::stable_sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) {
        return std::llabs(a.destination) > std::llabs(b.destination);
    });
    std::vector<Axis> merged;
    for (const Axis& axis : axes) {
        const bool continues = !merged.empty() &&
                               merged.back().destination == axis.length * axis.destination &&
                               merged.back().source == axis.length * axis.source;
        if (continues)
            merged.back() = {merged.back().length * axis.length, axis.destination, axis.source};
        else
            merged.push_back(axis);
    }
    if (merged.empty()) merged.push_back({});
    return merged;
}

std::int64_t checked_count(const Shape& shape, std::size_t item_size, const char* operation) {
    std::int64_t count = 1;
    std::int64_t bytes = static_cast<std::int64_t>(item_size);
    for (std::int64_t length : shape) {
        HEALD_EXPECTS(length >= 0, invalid_value, operation, "a length of ", length,
                      " is negative");
        if (length == 0) return 0;
    }
    for (std::int64_t length : shape) {
        HEALD_EXPECTS(!__builtin_mul_overflow(bytes, length, &bytes), invalid_value, operation,
                      "the array would have more than 2^63 bytes");
        count *= length;
    }
    return count;
}

bool is_contiguous(const Shape& shape, std::span<const std::int64_t> strides,
                   std::size_t item_size) noexcept {
    auto step = static_cast<std::int64_t>(item_size);
    for (std::int64_t length : shape)
        if (length == 0) return true;
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (shape[i] == 1) continue;
        if (strides[i] != step) return false;
        step *= shape[i];
    }
    return true;
}

}  // namespace heald::array
