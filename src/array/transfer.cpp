#include <heald/array.hpp>

#include "src/array/axes.hpp"
#include "src/array/device_copy.hpp"
#include "src/array/host_copy.hpp"
#include "src/base/check.hpp"

#include <cstring>
#include <memory>

namespace heald {
namespace {

/// The bytes of an array whose elements lie one after the other.
Buffer bytes_of(const Array& array) {
    return array.buffer().slice(static_cast<std::size_t>(array.offset()), array.nbytes());
}

/// A stream of `device` that has waited for `stream`: itself if it belongs there.
Stream stream_on(const Device& device, const Stream& stream) {
    if (stream.device() == device) return stream;
    const Stream other = device.default_stream();
    other.wait(stream);
    return other;
}

Array contiguous(const Array& array, const Stream& stream) {
    return array.is_c_contiguous() ? array : array.copy(stream);
}

void check_writable(const Array& array, const char* operation) {
    HEALD_EXPECTS(!array.read_only(), invalid_value, operation, "the array is read-only");
}

}  // namespace

Array Array::copy(const Stream& stream) const {
    const Stream on = stream_on(device(), stream);
    Array result(shape_, dtype_, on);
    result.copy_from(*this, on);
    return result;
}

Array Array::to(const Device& target, const Stream& stream) const {
    if (target == device()) return *this;
    const Stream here = stream_on(device(), stream);
    const Stream there = stream_on(target, stream);
    const Array source = contiguous(*this, here);
    Array result(shape_, dtype_, there);
    if (size() != 0) result.buffer().copy_from(bytes_of(source), there);
    return result;
}

void Array::copy_from(const Array& source, const Stream& stream) const {
    check_writable(*this, "[Array.copy_from] ");
    HEALD_EXPECTS(source.shape_ == shape_, invalid_value,
                  "[Array.copy_from] the arrays have different shapes");
    HEALD_EXPECTS(source.dtype_ == dtype_, type_mismatch, "[Array.copy_from] the source has ",
                  name_of(source.dtype_), " elements, the destination ", name_of(dtype_));
    if (size() == 0) return;
    const Stream on = stream_on(device(), stream);
    if (source.device() != device()) {
        copy_from(source.to(device(), on), on);
    } else if (is_c_contiguous() && source.is_c_contiguous()) {
        bytes_of(*this).copy_from(bytes_of(source), on);
    } else {
        array::copy_strided(*this, source, on);
    }
    if (stream.device() != device()) stream.wait(on);
}

void Array::copy_from_host(const void* data, std::span<const std::int64_t> strides,
                           const Stream& stream) const {
    check_writable(*this, "[Array.copy_from_host] ");
    HEALD_EXPECTS(strides.size() == shape_.size(), invalid_value, "[Array.copy_from_host] ",
                  strides.size(), " strides were given for ", shape_.size(), " axes");
    if (size() == 0) return;
    const std::size_t item = size_of(dtype_);
    const void* packed = data;
    std::unique_ptr<std::byte[]> memory;
    if (!array::is_contiguous(shape_, strides, item)) {
        memory.reset(new std::byte[nbytes()]);
        array::copy_elements(memory.get(), data,
                             array::loops(shape_, c_strides(shape_, item), strides), item);
        packed = memory.get();
    }
    if (is_c_contiguous()) {
        bytes_of(*this).copy_from_host(packed, nbytes(), stream);
        return;
    }
    const Stream on = stream_on(device(), stream);
    const Array staging(shape_, dtype_, on);
    staging.buffer().copy_from_host(packed, nbytes(), on);
    copy_from(staging, on);
}

void Array::copy_to_host(void* data, std::span<const std::int64_t> strides,
                         const Stream& stream) const {
    HEALD_EXPECTS(strides.size() == shape_.size(), invalid_value, "[Array.copy_to_host] ",
                  strides.size(), " strides were given for ", shape_.size(), " axes");
    if (size() == 0) return;
    const std::size_t item = size_of(dtype_);
    const Array source = contiguous(*this, stream);
    if (array::is_contiguous(shape_, strides, item)) {
        bytes_of(source).copy_to_host(data, nbytes(), stream);
        return;
    }
    const std::unique_ptr<std::byte[]> memory(new std::byte[nbytes()]);
    bytes_of(source).copy_to_host(memory.get(), nbytes(), stream);
    array::copy_elements(data, memory.get(), array::loops(shape_, strides, c_strides(shape_, item)),
                         item);
}

void Array::fill(const void* value, const Stream& stream) const {
    check_writable(*this, "[Array.fill] ");
    if (size() == 0) return;
    const std::size_t item = size_of(dtype_);
    std::uint64_t pattern = 0;
    std::memcpy(&pattern, value, std::min(item, sizeof pattern));
    const Stream on = stream_on(device(), stream);
    if (is_c_contiguous() && item <= sizeof pattern) {
        bytes_of(*this).fill(pattern, static_cast<unsigned>(item), on);
        return;
    }
    // One element, seen with stride 0.
    const Array element({}, dtype_, on);
    element.buffer().copy_from_host(value, item, on);
    copy_from(Array(element.buffer(), shape_, dtype_, Shape(shape_.size(), 0)), on);
}

}  // namespace heald
