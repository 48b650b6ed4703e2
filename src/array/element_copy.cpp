#include "src/array/element_copy.hpp"

#include "src/array/gpu_copy.hpp"
#include "src/array/memory_use.hpp"
#include "src/array/shape.hpp"
#include "src/array/strided_copy.hpp"
#include "src/core/ordering.hpp"
#include "src/core/transfer.hpp"

#include <array>
#include <cstring>
#include <string>

namespace heald::array {
namespace {

bool is_cpu(const Array& array) {
    return array.buffer().block()->device().kind() == DeviceKind::cpu;
}

/// The bytes of a C-contiguous array.
Buffer bytes_of(const Array& array) {
    return array.buffer().slice(static_cast<std::size_t>(array.offset()), array.nbytes());
}

Stream handle_of(core::StreamState& stream) {
    return Stream(stream.shared_from_this());
}

/// A new C-contiguous array of the same elements' shape on `device`, used on `stream`.
Array new_array_like(const Array& array, core::DeviceState& device, core::StreamState& stream) {
    const Stream on =
        &stream.device == &device ? handle_of(stream) : Stream(device.default_stream());
    return Array(array.shape(), array.dtype(), on);
}

bool same_elements(const Array& a, const Array& b) {
    return a.buffer().block() == b.buffer().block() && a.data() == b.data() &&
           a.strides() == b.strides();
}

// Some microseconds of copying; less is not worth another thread.
constexpr std::int64_t short_copy_bytes = std::int64_t{64} << 10;

/// One element, kept beside the copy that repeats it.
using Element = std::array<std::byte, 16>;

const void* address_of(const void* const& elements) {
    return elements;
}
const void* address_of(const Element& element) {
    return element.data();
}

/// In the queue's order, on the device's threads. `from` is an address or an Element.
template <class Source>
void copy_on_cpu(core::StreamState& stream, std::span<const MemoryUse> uses, StridedCopy copy,
                 void* to, const Source& from) {
    core::enqueue(stream, uses, [&](core::QueueImpl& queue) {
        const bool is_short =
            copy.size() * static_cast<std::int64_t>(copy.item_size) <= short_copy_bytes;
        const CopyParts parts(std::move(copy));
        stream.device.backend().host_pieces(
            queue, parts.count(), is_short,
            [parts, to, from](std::uint64_t first, std::uint64_t last) {
                for (; first != last; ++first) run_copy(parts.part(first), to, address_of(from));
            });
    });
}

/// Both in memory that one device reaches, on a stream of that device.
void copy_on_device(const Array& to, const Array& from, core::StreamState& stream) {
    StridedCopy copy = plan_copy(to.shape(), to.strides(), from.strides(), size_of(to.dtype()));
    const std::array uses{use_of(to, true), use_of(from, false)};
    if (stream.device.kind() == DeviceKind::cpu)
        copy_on_cpu(stream, uses, std::move(copy), to.data(),
                    static_cast<const void*>(from.data()));
    else
        enqueue_gpu_copy(copy, to.data(), from.data(), uses, handle_of(stream));
}

/// Between devices: in one piece, packed and unpacked where they are.
void copy_between_devices(const Array& to, const Array& from, core::StreamState& stream) {
    core::DeviceState& to_device = to.buffer().block()->device();
    core::DeviceState& from_device = from.buffer().block()->device();
    Array packed = from;
    if (!from.is_c_contiguous()) {
        packed = new_array_like(from, from_device, stream);
        copy_elements(packed, from,
                      &stream.device == &from_device ? stream : *from_device.default_stream());
    }
    if (to.is_c_contiguous()) {
        core::copy(bytes_of(to), bytes_of(packed), stream);
        return;
    }
    const Array arrived = new_array_like(to, to_device, stream);
    core::copy(bytes_of(arrived), bytes_of(packed), stream);
    copy_elements(to, arrived, &stream.device == &to_device ? stream : *to_device.default_stream());
}

}  // namespace

void copy_elements(const Array& to, const Array& from, core::StreamState& stream) {
    if (same_elements(to, from)) return;
    if (overlap(use_of(to, true), use_of(from, false))) {
        const Array aside = new_array_like(from, from.buffer().block()->device(), stream);
        copy_elements(aside, from, stream);
        copy_elements(to, aside, stream);
        return;
    }
    core::DeviceState& to_device = to.buffer().block()->device();
    core::DeviceState& from_device = from.buffer().block()->device();
    if (to.is_c_contiguous() && from.is_c_contiguous()) {
        core::copy(bytes_of(to), bytes_of(from), stream);
    } else if (&to_device == &from_device) {
        // On the device's own stream, wherever the user asked for it.
        if (&stream.device == &to_device) {
            copy_on_device(to, from, stream);
        } else {
            auto helper = to_device.take_helper_stream();
            core::wait_for(*helper, *stream.timeline, stream.timeline->enqueued());
            copy_on_device(to, from, *helper);
            core::wait_for(stream, *helper->timeline, helper->timeline->enqueued());
            to_device.give_helper_stream(std::move(helper));
        }
    } else {
        copy_between_devices(to, from, stream);
    }
}

void copy_elements_from_host(const Array& to, const void* from, const Shape& from_strides,
                             core::StreamState& stream) {
    const std::size_t item = size_of(to.dtype());
    if (to.is_c_contiguous() && is_c_contiguous(to.shape(), from_strides, item)) {
        core::copy_from_host(bytes_of(to), from, stream);
        return;
    }
    if (is_cpu(to) && stream.device.kind() == DeviceKind::cpu) {
        StridedCopy copy = plan_copy(to.shape(), to.strides(), from_strides, item);
        const std::array uses{use_of(to, true)};
        copy_on_cpu(stream, uses, std::move(copy), to.data(), from);
        stream.finish();
        return;
    }
    std::string packed(to.nbytes(), '\0');
    run_copy(plan_copy(to.shape(), c_strides(to.shape(), item), from_strides, item), packed.data(),
             from);
    const Array arrived =
        to.is_c_contiguous() ? to : new_array_like(to, to.buffer().block()->device(), stream);
    core::copy_from_host(bytes_of(arrived), packed.data(), stream);
    if (!to.is_c_contiguous()) copy_elements(to, arrived, stream);
}

void copy_elements_to_host(void* to, const Shape& to_strides, const Array& from,
                           core::StreamState& stream) {
    const std::size_t item = size_of(from.dtype());
    if (from.is_c_contiguous() && is_c_contiguous(from.shape(), to_strides, item)) {
        core::copy_to_host(to, bytes_of(from), stream);
        return;
    }
    StridedCopy copy = plan_copy(from.shape(), to_strides, from.strides(), item);
    if (is_cpu(from) && stream.device.kind() == DeviceKind::cpu) {
        const std::array uses{use_of(from, false)};
        copy_on_cpu(stream, uses, std::move(copy), to, static_cast<const void*>(from.data()));
        stream.finish();
        return;
    }
    Array packed = from;
    if (!from.is_c_contiguous()) {
        packed = new_array_like(from, from.buffer().block()->device(), stream);
        copy_elements(packed, from, stream);
    }
    std::string arrived(from.nbytes(), '\0');
    core::copy_to_host(arrived.data(), bytes_of(packed), stream);
    run_copy(plan_copy(from.shape(), to_strides, c_strides(from.shape(), item), item), to,
             arrived.data());
}

void fill_elements(const Array& array, const void* value, core::StreamState& stream) {
    const std::size_t item = size_of(array.dtype());
    Element element{};
    std::memcpy(element.data(), value, item);
    const bool halves_agree = std::memcmp(element.data(), element.data() + 8, 8) == 0;
    if (array.is_c_contiguous() && (item <= 8 || halves_agree)) {
        std::uint64_t pattern = 0;
        std::memcpy(&pattern, element.data(), sizeof pattern);
        core::fill(bytes_of(array), pattern, item <= 8 ? static_cast<unsigned>(item) : 8, stream);
        return;
    }
    // One element, repeated with strides of zero.
    const Shape zeros(array.shape().size(), 0);
    if (is_cpu(array) && stream.device.kind() == DeviceKind::cpu) {
        StridedCopy copy = plan_copy(array.shape(), array.strides(), zeros, item);
        const std::array uses{use_of(array, true)};
        copy_on_cpu(stream, uses, std::move(copy), array.data(), element);
        return;
    }
    core::DeviceState& device = array.buffer().block()->device();
    const Stream on =
        &stream.device == &device ? handle_of(stream) : Stream(device.default_stream());
    const Buffer one = Buffer::from_host(element.data(), item, on);
    copy_elements(array, Array(one, array.shape(), array.dtype(), zeros), stream);
}

}  // namespace heald::array
