#include "src/array/shape.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <limits>

namespace heald {

Shape c_strides(const Shape& shape, std::size_t item_size) {
    Shape strides(shape.size());
    auto stride = static_cast<std::int64_t>(item_size);
    for (std::size_t i = shape.size(); i-- > 0;) {
        strides[i] = stride;
        // An empty array's strides are never used, but must not overflow.
        stride *= std::max<std::int64_t>(shape[i], 1);
    }
    return strides;
}

namespace array {

std::string shape_text(const Shape& shape) {
    if (shape.size() == 1) return text("(", shape[0], ",)");
    return text("(", join(shape), ")");
}

std::int64_t checked_size(const char* operation, const Shape& shape, std::size_t item_size) {
    bool empty = false;
    for (const std::int64_t extent : shape) {
        HEALD_EXPECTS(extent >= 0, invalid_value, operation,
                      "negative dimensions are not allowed: ", shape_text(shape));
        empty = empty || extent == 0;
    }
    // As NumPy: an empty array too must have a size that fits without its zeros.
    std::int64_t size = 1;
    bool overflow = false;
    for (const std::int64_t extent : shape)
        if (extent != 0) overflow = overflow || __builtin_mul_overflow(size, extent, &size);
    std::int64_t bytes = 0;
    overflow =
        overflow || __builtin_mul_overflow(size, static_cast<std::int64_t>(item_size), &bytes);
    HEALD_EXPECTS(!overflow, invalid_value, operation, "array of shape ", shape_text(shape),
                  " with elements of ", item_size,
                  " bytes is too big: it has more than 2^63 bytes");
    return empty ? 0 : size;
}

std::pair<std::int64_t, std::int64_t> span_of(const Shape& shape, const Shape& strides,
                                              std::size_t item_size) {
    __int128 first = 0;
    __int128 last = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 0) return {0, 0};
        const __int128 reach = static_cast<__int128>(shape[i] - 1) * strides[i];
        (reach < 0 ? first : last) += reach;
    }
    last += static_cast<__int128>(item_size);
    constexpr auto limit = static_cast<__int128>(std::numeric_limits<std::int64_t>::max());
    HEALD_EXPECTS(last <= limit && first >= -limit, invalid_value, "[Array] the strides ",
                  shape_text(strides), " of shape ", shape_text(shape), " reach past 2^63 bytes");
    return {static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)};
}

namespace {

bool is_empty(const Shape& shape) {
    return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

}  // namespace

bool is_c_contiguous(const Shape& shape, const Shape& strides, std::size_t item_size) noexcept {
    if (is_empty(shape)) return true;
    auto expected = static_cast<std::int64_t>(item_size);
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (shape[i] == 1) continue;
        if (strides[i] != expected) return false;
        expected *= shape[i];
    }
    return true;
}

bool is_f_contiguous(const Shape& shape, const Shape& strides, std::size_t item_size) noexcept {
    if (is_empty(shape)) return true;
    auto expected = static_cast<std::int64_t>(item_size);
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1) continue;
        if (strides[i] != expected) return false;
        expected *= shape[i];
    }
    return true;
}

Shape element_strides(Shape bytes, DType dtype) {
    for (std::int64_t& stride : bytes) stride /= static_cast<std::int64_t>(size_of(dtype));
    return bytes;
}

Shape element_strides(const Array& array) {
    return element_strides(array.strides(), array.dtype());
}

int checked_axis(const char* operation, int axis, int ndim) {
    HEALD_EXPECTS(axis >= -ndim && axis < ndim, invalid_value, operation, "axis ", axis,
                  " is out of bounds for array of dimension ", ndim);
    return axis < 0 ? axis + ndim : axis;
}

Shape resolved_shape(const Shape& from, const Shape& shape, std::int64_t size) {
    constexpr const char* operation = "[Array.reshape] ";
    Shape result = shape;
    std::int64_t* unknown = nullptr;
    __int128 known = 1;
    for (std::int64_t& extent : result) {
        if (extent == -1) {
            HEALD_EXPECTS(unknown == nullptr, invalid_value, operation,
                          "can only specify one unknown dimension");
            unknown = &extent;
            continue;
        }
        HEALD_EXPECTS(extent >= 0, invalid_value, operation,
                      "negative dimensions are not allowed: ", shape_text(shape));
        known = std::min<__int128>(known * extent, std::numeric_limits<std::int64_t>::max());
    }
    const bool fits = unknown == nullptr ? known == size : known != 0 && size % known == 0;
    HEALD_EXPECTS(fits, invalid_value, operation, "cannot reshape array of size ", size,
                  " and shape ", shape_text(from), " into shape ", shape_text(shape));
    if (unknown != nullptr) *unknown = static_cast<std::int64_t>(size / known);
    return result;
}

std::optional<Shape> view_strides(const Shape& shape, const Shape& strides, std::size_t item_size,
                                  const Shape& wanted) {
    if (is_empty(shape)) return c_strides(wanted, item_size);
    Shape old_shape;
    Shape old_strides;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1) continue;
        old_shape.push_back(shape[i]);
        old_strides.push_back(strides[i]);
    }
    Shape result(wanted.size());
    // Groups of axes, old and new, with equal sizes; each old group must step evenly.
    std::size_t old_begin = 0;
    std::size_t new_begin = 0;
    while (old_begin < old_shape.size() && new_begin < wanted.size()) {
        std::size_t old_end = old_begin + 1;
        std::size_t new_end = new_begin + 1;
        std::int64_t old_size = old_shape[old_begin];
        std::int64_t new_size = wanted[new_begin];
        while (old_size != new_size) {
            if (new_size < old_size)
                new_size *= wanted[new_end++];
            else
                old_size *= old_shape[old_end++];
        }
        for (std::size_t i = old_begin; i + 1 < old_end; ++i)
            if (old_strides[i] != old_shape[i + 1] * old_strides[i + 1]) return std::nullopt;
        std::int64_t stride = old_strides[old_end - 1];
        for (std::size_t i = new_end; i-- > new_begin;) {
            result[i] = stride;
            stride *= wanted[i];
        }
        old_begin = old_end;
        new_begin = new_end;
    }
    // What is left has extent 1.
    const std::int64_t last =
        new_begin > 0 ? result[new_begin - 1] : static_cast<std::int64_t>(item_size);
    for (std::size_t i = new_begin; i < wanted.size(); ++i) result[i] = last;
    return result;
}

}  // namespace array
}  // namespace heald
