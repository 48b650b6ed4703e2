#include <heald/array.hpp>

#include "src/array/element_copy.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <vector>

namespace heald {
namespace {

std::size_t item_size_of(DType dtype) {
    HEALD_EXPECTS(dtype != DType::opaque, type_mismatch,
                  "[Array] an array has elements of a dtype "
                  "with a size, not opaque ones: use a Buffer");
    return size_of(dtype);
}

std::size_t bytes_of(const Shape& shape, DType dtype) {
    const std::size_t item = item_size_of(dtype);
    return static_cast<std::size_t>(array::checked_size("[Array] ", shape, item)) * item;
}

}  // namespace

Array::Array(Shape shape, DType dtype, const Stream& stream)
    : buffer_(bytes_of(shape, dtype), stream),
      shape_(std::move(shape)),
      strides_(c_strides(shape_, size_of(dtype))),
      dtype_(dtype) {}

Array::Array(Buffer memory, Shape shape, DType dtype, Shape strides, std::int64_t offset)
    : buffer_(std::move(memory)),
      shape_(std::move(shape)),
      strides_(std::move(strides)),
      dtype_(dtype),
      offset_(offset) {
    const std::size_t item = item_size_of(dtype_);
    (void)array::checked_size("[Array] ", shape_, item);
    if (strides_.empty() && !shape_.empty()) strides_ = c_strides(shape_, item);
    HEALD_EXPECTS(strides_.size() == shape_.size(), invalid_value, "[Array] shape ",
                  array::shape_text(shape_), " has ", shape_.size(), " axes, strides ",
                  array::shape_text(strides_), " have ", strides_.size());
    const auto [first, last] = array::span_of(shape_, strides_, item);
    if (first == last) {
        offset_ = std::clamp<std::int64_t>(offset_, 0, static_cast<std::int64_t>(buffer_.size()));
        return;
    }
    const bool inside = offset_ >= 0 && first >= -offset_ &&
                        offset_ <= static_cast<std::int64_t>(buffer_.size()) &&
                        last <= static_cast<std::int64_t>(buffer_.size()) - offset_;
    HEALD_EXPECTS(inside, invalid_value, "[Array] shape ", array::shape_text(shape_),
                  " with strides ", array::shape_text(strides_), " and offset ", offset_,
                  " spans bytes [", offset_ + first, ", ", offset_ + last, "), the buffer has ",
                  buffer_.size());
}

std::int64_t Array::size() const noexcept {
    std::int64_t size = 1;
    for (const std::int64_t extent : shape_) size *= extent;
    return size;
}

std::size_t Array::nbytes() const noexcept {
    return static_cast<std::size_t>(size()) * size_of(dtype_);
}

Device Array::device() const {
    return buffer_.device();
}

void* Array::data() const {
    void* base = buffer_.data();
    if (base == nullptr || size() == 0) return nullptr;
    return static_cast<std::byte*>(base) + offset_;
}

bool Array::is_c_contiguous() const noexcept {
    return array::is_c_contiguous(shape_, strides_, size_of(dtype_));
}
bool Array::is_f_contiguous() const noexcept {
    return array::is_f_contiguous(shape_, strides_, size_of(dtype_));
}

std::pair<std::int64_t, std::int64_t> Array::byte_range() const noexcept {
    const auto [first, last] = array::span_of(shape_, strides_, size_of(dtype_));
    return {offset_ + first, offset_ + last};
}

Array Array::slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step) const {
    constexpr const char* operation = "[Array.slice] ";
    const auto at = static_cast<std::size_t>(array::checked_axis(operation, axis, ndim()));
    HEALD_EXPECTS(step != 0, invalid_value, operation, "slice step cannot be zero");
    std::int64_t length = 0;
    if (step > 0 && start < stop) length = (stop - start - 1) / step + 1;
    if (step < 0 && start > stop) length = (start - stop - 1) / -step + 1;
    Array result = *this;
    result.shape_[at] = length;
    if (length > 0) {
        const std::int64_t last = start + (length - 1) * step;
        const std::int64_t extent = shape_[at];
        HEALD_EXPECTS(start >= 0 && start < extent && last >= 0 && last < extent, invalid_value,
                      operation, "elements ", start, " to ", last, " are out of bounds for axis ",
                      at, " with size ", extent);
        result.offset_ += start * strides_[at];
    }
    result.strides_[at] = strides_[at] * step;
    return result;
}

Array Array::index(int axis, std::int64_t i) const {
    const auto at = static_cast<std::size_t>(array::checked_axis("[Array.index] ", axis, ndim()));
    const std::int64_t extent = shape_[at];
    HEALD_EXPECTS(i >= -extent && i < extent, invalid_value, "[Array.index] index ", i,
                  " is out of bounds for axis ", at, " with size ", extent);
    Array result = *this;
    result.offset_ += (i < 0 ? i + extent : i) * strides_[at];
    result.shape_.erase(result.shape_.begin() + static_cast<std::ptrdiff_t>(at));
    result.strides_.erase(result.strides_.begin() + static_cast<std::ptrdiff_t>(at));
    return result;
}

Array Array::insert_axis(int axis) const {
    const int at = array::checked_axis("[Array.insert_axis] ", axis, ndim() + 1);
    Array result = *this;
    result.shape_.insert(result.shape_.begin() + at, 1);
    result.strides_.insert(result.strides_.begin() + at, 0);
    return result;
}

Array Array::transpose(std::span<const int> axes) const {
    constexpr const char* operation = "[Array.transpose] ";
    HEALD_EXPECTS(axes.size() == shape_.size(), invalid_value, operation,
                  "axes don't match array: ", axes.size(), " axes for dimension ", ndim());
    Array result = *this;
    std::vector<bool> seen(axes.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto from = static_cast<std::size_t>(array::checked_axis(operation, axes[i], ndim()));
        HEALD_EXPECTS(!seen[from], invalid_value, operation, "repeated axis ", axes[i],
                      " in transpose");
        seen[from] = true;
        result.shape_[i] = shape_[from];
        result.strides_[i] = strides_[from];
    }
    return result;
}

Array Array::transpose() const {
    Array result = *this;
    std::reverse(result.shape_.begin(), result.shape_.end());
    std::reverse(result.strides_.begin(), result.strides_.end());
    return result;
}

bool Array::can_view_as(const Shape& shape) const {
    const Shape wanted = array::resolved_shape(shape_, shape, size());
    return array::view_strides(shape_, strides_, size_of(dtype_), wanted).has_value();
}

Array Array::reshape(const Shape& shape) const {
    const Shape wanted = array::resolved_shape(shape_, shape, size());
    auto strides = array::view_strides(shape_, strides_, size_of(dtype_), wanted);
    if (!strides) {
        const Array contiguous = copy();
        return Array(contiguous.buffer_, wanted, dtype_);
    }
    Array result = *this;
    result.shape_ = wanted;
    result.strides_ = std::move(*strides);
    return result;
}

Array Array::copy(const Stream& stream) const {
    Array result(shape_, dtype_, stream);
    result.copy_from(*this, stream);
    return result;
}

Array Array::to(const Device& device, const Stream& stream) const {
    Array result(shape_, dtype_, stream.device() == device ? stream : device.default_stream());
    result.copy_from(*this, stream);
    return result;
}

void Array::copy_from(const Array& source, const Stream& stream) const {
    constexpr const char* operation = "[Array.copy_from] ";
    HEALD_EXPECTS(source.shape_ == shape_, invalid_value, operation, "could not copy shape ",
                  array::shape_text(source.shape_), " into shape ", array::shape_text(shape_));
    HEALD_EXPECTS(source.dtype_ == dtype_, type_mismatch, operation, "could not copy ",
                  name_of(source.dtype_), " into ", name_of(dtype_));
    HEALD_EXPECTS(!read_only(), invalid_value, operation, "assignment destination is read-only");
    (void)buffer_.block();
    (void)source.buffer_.block();
    if (size() != 0) array::copy_elements(*this, source, stream.state());
}

void Array::copy_from_host(const void* data, std::span<const std::int64_t> strides,
                           const Stream& stream) const {
    constexpr const char* operation = "[Array.copy_from_host] ";
    HEALD_EXPECTS(!read_only(), invalid_value, operation, "assignment destination is read-only");
    HEALD_EXPECTS(strides.size() == shape_.size(), invalid_value, operation, "the array has ",
                  ndim(), " axes, the host memory ", strides.size());
    (void)buffer_.block();
    if (size() != 0)
        array::copy_elements_from_host(*this, data, Shape(strides.begin(), strides.end()),
                                       stream.state());
}

void Array::copy_to_host(void* data, std::span<const std::int64_t> strides,
                         const Stream& stream) const {
    HEALD_EXPECTS(strides.size() == shape_.size(), invalid_value,
                  "[Array.copy_to_host] the array has ", ndim(), " axes, the host memory ",
                  strides.size());
    (void)buffer_.block();
    if (size() != 0)
        array::copy_elements_to_host(data, Shape(strides.begin(), strides.end()), *this,
                                     stream.state());
}

void Array::fill(const void* value, const Stream& stream) const {
    HEALD_EXPECTS(!read_only(), invalid_value, "[Array.fill] assignment destination is read-only");
    (void)buffer_.block();
    if (size() != 0) array::fill_elements(*this, value, stream.state());
}

}  // namespace heald
