#pragma once

#include <heald/buffer.hpp>
#include <heald/dtype.hpp>
#include <heald/export.hpp>
#include <heald/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heald {

/// A typed, strided view of memory on a device, as in NumPy. Strides are in bytes and may be
/// negative or zero. Copies are cheap handles of the same elements.
class HEALD_API Array {
public:
    Array() = default;

    /// Uninitialised, C order.
    Array(Shape shape, DType dtype, const Stream& stream = Stream::current());

    /// Elements of `memory`: element [0, …, 0] is `offset` bytes into it. Checked: every element
    /// lies inside the buffer.
    Array(Buffer memory, Shape shape, DType dtype, Shape strides = {}, std::int64_t offset = 0);

    [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
    [[nodiscard]] const Shape& strides() const noexcept { return strides_; }  ///< bytes
    [[nodiscard]] DType dtype() const noexcept { return dtype_; }
    [[nodiscard]] int ndim() const noexcept { return static_cast<int>(shape_.size()); }
    [[nodiscard]] std::int64_t size() const noexcept;   ///< elements
    [[nodiscard]] std::size_t nbytes() const noexcept;  ///< size() * element size
    [[nodiscard]] Device device() const;
    [[nodiscard]] const Buffer& buffer() const noexcept { return buffer_; }
    [[nodiscard]] std::int64_t offset() const noexcept { return offset_; }
    [[nodiscard]] void* data() const;  ///< address of element [0, …, 0]; null if size() is 0
    [[nodiscard]] bool read_only() const noexcept { return buffer_.read_only(); }

    /// Axes of length 1 do not matter, and an empty array is both.
    [[nodiscard]] bool is_c_contiguous() const noexcept;
    [[nodiscard]] bool is_f_contiguous() const noexcept;

    /// Bytes of the buffer that the elements span: [first, second).
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> byte_range() const noexcept;

    // Views of the same elements. Errors are NumPy's, as Error(invalid_value).
    /// `start`, `stop` and `step` as Python's slice would give them after `indices(length)`.
    [[nodiscard]] Array slice(int axis, std::int64_t start, std::int64_t stop,
                              std::int64_t step) const;
    [[nodiscard]] Array index(int axis, std::int64_t i) const;  ///< drops the axis
    [[nodiscard]] Array insert_axis(int axis) const;
    [[nodiscard]] Array transpose(std::span<const int> axes) const;
    [[nodiscard]] Array transpose() const;  ///< reversed axes
    [[nodiscard]] bool can_view_as(const Shape& shape) const;
    [[nodiscard]] Array reshape(const Shape& shape) const;  ///< a view if possible, else a copy

    // New elements. Enqueued.
    [[nodiscard]] Array copy(const Stream& stream = Stream::current()) const;  ///< C order
    [[nodiscard]] Array to(const Device& device, const Stream& stream = Stream::current()) const;

    /// Copies elements between equal shapes and dtypes, any strides, any devices. Enqueued.
    void copy_from(const Array& source, const Stream& stream = Stream::current()) const;
    /// Host memory with strides in bytes; returns when the data are there (or taken).
    void copy_from_host(const void* data, std::span<const std::int64_t> strides,
                        const Stream& stream = Stream::current()) const;
    void copy_to_host(void* data, std::span<const std::int64_t> strides,
                      const Stream& stream = Stream::current()) const;
    /// `value` points to one element.
    void fill(const void* value, const Stream& stream = Stream::current()) const;

private:
    Buffer buffer_;
    Shape shape_;
    Shape strides_;
    DType dtype_ = DType::float32;
    std::int64_t offset_ = 0;
};

HEALD_API Shape c_strides(const Shape& shape, std::size_t item_size);

}  // namespace heald
