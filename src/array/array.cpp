#include <heald/array.hpp>

#include "src/array/axes.hpp"
#include "src/base/check.hpp"

namespace heald {

Array::Array(Shape shape, DType dtype, const Stream& stream)
    : shape_(std::move(shape)), dtype_(dtype) {
    HEALD_EXPECTS(dtype != DType::opaque, type_mismatch,
                  "[Array] an array needs elements of a dtype: use a Buffer for bytes");
    const std::int64_t count = array::checked_count(shape_, size_of(dtype), "[Array] ");
    strides_ = c_strides(shape_, size_of(dtype));
    buffer_ = Buffer(static_cast<std::size_t>(count) * size_of(dtype), stream);
}

Array::Array(Buffer memory, Shape shape, DType dtype, Shape strides, std::int64_t offset)
    : buffer_(std::move(memory)),
      shape_(std::move(shape)),
      strides_(std::move(strides)),
      dtype_(dtype),
      offset_(offset) {
    HEALD_EXPECTS(dtype != DType::opaque, type_mismatch,
                  "[Array] an array needs elements of a dtype: use a Buffer for bytes");
    (void)array::checked_count(shape_, 1, "[Array] ");
    if (strides_.empty()) strides_ = c_strides(shape_, size_of(dtype));
    HEALD_EXPECTS(strides_.size() == shape_.size(), invalid_value, "[Array] ", shape_.size(),
                  " lengths and ", strides_.size(), " strides were given");
    if (size() == 0) return;
    const auto [first, last] = byte_range();
    HEALD_EXPECTS(first >= 0 && last <= static_cast<std::int64_t>(buffer_.size()), invalid_value,
                  "[Array] the elements would span bytes [", first, ", ", last, ") of a buffer of ",
                  buffer_.size());
}

std::int64_t Array::size() const noexcept {
    std::int64_t count = 1;
    for (std::int64_t length : shape_) count *= length;
    return count;
}

std::size_t Array::nbytes() const noexcept {
    return static_cast<std::size_t>(size()) * size_of(dtype_);
}

Device Array::device() const {
    return buffer_.device();
}

void* Array::data() const {
    if (size() == 0) return nullptr;
    return static_cast<std::byte*>(buffer_.data()) + offset_;
}

bool Array::is_c_contiguous() const noexcept {
    return array::is_contiguous(shape_, strides_, size_of(dtype_));
}

bool Array::is_f_contiguous() const noexcept {
    const Shape shape(shape_.rbegin(), shape_.rend());
    const Shape strides(strides_.rbegin(), strides_.rend());
    return array::is_contiguous(shape, strides, size_of(dtype_));
}

std::pair<std::int64_t, std::int64_t> Array::byte_range() const noexcept {
    std::int64_t first = offset_;
    std::int64_t last = offset_ + static_cast<std::int64_t>(size_of(dtype_));
    for (std::size_t i = 0; i < shape_.size(); ++i) {
        if (shape_[i] == 0) return {offset_, offset_};
        (strides_[i] < 0 ? first : last) += (shape_[i] - 1) * strides_[i];
    }
    return {first, last};
}

}  // namespace heald
