#include "python/src/arguments.hpp"
#include "python/src/array.hpp"
#include "python/src/buffer.hpp"
#include "python/src/ctypes_scalar.hpp"
#include "python/src/numpy.hpp"

#include "src/core/block.hpp"

#include <heald/error.hpp>

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace heald::python {

namespace {

PyTypeObject* array_type() {
    static auto* type = reinterpret_cast<PyTypeObject*>(nb::type<Array>().ptr());
    return type;
}

PyTypeObject* buffer_type() {
    static auto* type = reinterpret_cast<PyTypeObject*>(nb::type<TypedBuffer>().ptr());
    return type;
}

void check_device(const ArgumentPlace& place, const Buffer& buffer, const char* what,
                  const char* remedy) {
    if (&buffer.block()->device() == place.plan.device.shared_state().get()) [[likely]]
        return;
    const Device device = buffer.device();
    throw Error(ErrorKind::invalid_value,
                place.prefix() + "must be memory of " + place.plan.device.name() +
                    ", where the kernel is, got " + what + " of " + device.name() + ": " + remedy);
}

void check_writable(const ArgumentPlace& place, const Slot& slot, bool read_only,
                    const char* what) {
    // Without types nothing says that the kernel writes.
    if (!read_only || slot.is_const || slot.kind != Slot::Kind::pointer) return;
    throw Error(ErrorKind::invalid_value,
                place.prefix() + "is " + place.expected() +
                    ", which may be written, got a read-only " + what +
                    ": pass a copy, or make the parameter a pointer to const");
}

bool writes(const Slot& slot) {
    return !slot.is_const;
}

void fill_buffer(const ArgumentPlace& place, const Slot& slot, const TypedBuffer& typed,
                 ArgumentPack& pack) {
    const Buffer& buffer = typed.memory;
    (void)buffer.block();  // closed buffers raise here
    check_device(place, buffer, "a buffer", "copy it to a buffer there");
    if (typed.dtype)
        check_pointer_dtype(place, slot, typed.dtype,
                            "a buffer made from " + std::string(name_of(*typed.dtype)));
    check_writable(place, slot, buffer.read_only(), "buffer");
    pack.set_pointer(place.index, buffer.data());
    if (buffer.size() != 0)
        pack.add_use(
            {buffer.block().get(), buffer.offset(), buffer.offset() + buffer.size(), writes(slot)});
    pack.keep(buffer);  // another thread may close it meanwhile
}

// Bytes of an array that lies in memory in C order; nullopt if it does not. One pass, since this is
// part of every launch.
std::optional<std::size_t> contiguous_bytes(const Array& array) {
    static const std::array<std::uint8_t, 16> sizes = [] {
        std::array<std::uint8_t, 16> table{};
        for (std::size_t i = 0; i < table.size(); ++i)
            table[i] = static_cast<std::uint8_t>(size_of(static_cast<DType>(i)));
        return table;
    }();
    std::int64_t step = sizes[static_cast<std::size_t>(array.dtype())];
    bool contiguous = true;
    for (std::size_t i = array.shape().size(); i-- > 0;) {
        const std::int64_t length = array.shape()[i];
        contiguous &= length == 1 || array.strides()[i] == step;
        step *= length;
    }
    if (!contiguous && step != 0) return std::nullopt;
    return static_cast<std::size_t>(step);
}

[[noreturn]] void refuse_pointer(const ArgumentPlace& place, PyObject* object) {
    if (NumPy::get().is_array(object))
        throw Error(ErrorKind::type_mismatch,
                    place.prefix() + "is " + place.expected() +
                        ", got a NumPy array: pass hd.In(x), hd.Out(x) or hd.InOut(x) to have it "
                        "copied for this launch, or hd.array(x) to keep it on the device");
    const bool is_number = PyLong_Check(object) || PyFloat_Check(object);
    place.refuse(ErrorKind::type_mismatch, given_text(object),
                 is_number
                     ? "pass an hd.Array or hd.Buffer, or None for a null pointer (an address "
                       "of your own: ctypes.c_void_p)"
                     : "pass an hd.Array, hd.Buffer, hd.In/Out/InOut, a tensor of another "
                       "library or None");
}

}  // namespace

void check_pointer_dtype(const ArgumentPlace& place, const Slot& slot, std::optional<DType> dtype,
                         const std::string& given) {
    if (slot.any_dtype || !dtype || *dtype == slot.dtype) return;
    if (slot.is_char && (*dtype == DType::int8 || *dtype == DType::uint8)) return;
    place.refuse(ErrorKind::type_mismatch, given,
                 "convert it to " + std::string(name_of(slot.dtype)) + " or change the parameter");
}

void fill_array(const ArgumentPlace& place, const Slot& slot, const Array& array,
                ArgumentPack& pack, PyObject* given) {
    const Buffer& buffer = array.buffer();
    check_device(place, buffer, "an array", "pass x.to(device)");
    if (!slot.any_dtype && array.dtype() != slot.dtype) [[unlikely]]
        check_pointer_dtype(
            place, slot, array.dtype(),
            std::string(Py_TYPE(given)->tp_name) + " of " + std::string(name_of(array.dtype())));
    const std::optional<std::size_t> bytes = contiguous_bytes(array);
    if (!bytes) [[unlikely]]
        throw Error(ErrorKind::invalid_value,
                    place.prefix() + "is " + place.expected() +
                        ", got a non-contiguous array (shape " + shape_text(array.shape()) +
                        ", strides " + shape_text(array.strides()) +
                        "): a kernel sees memory and not strides; pass x.copy()");
    check_writable(place, slot, array.read_only(), "array");
    if (*bytes == 0) {
        pack.set_pointer(place.index, nullptr);
        return;
    }
    core::Block* block = buffer.block().get();
    const std::size_t start = buffer.offset() + static_cast<std::size_t>(array.offset());
    pack.set_pointer(place.index, static_cast<std::byte*>(block->data()) + start);
    pack.add_use({block, start, start + *bytes, writes(slot)});
    if (pack.keeps_all()) pack.keep(buffer);
}

void fill_pointer(const ArgumentPlace& place, const Slot& slot, PyObject* object,
                  ArgumentPack& pack) {
    if (Py_TYPE(object) == array_type() && nb::inst_ready(object)) {
        fill_array(place, slot, *nb::inst_ptr<Array>(nb::handle(object)), pack, object);
        return;
    }
    if (Py_TYPE(object) == buffer_type() && nb::inst_ready(object)) {
        fill_buffer(place, slot, *nb::inst_ptr<TypedBuffer>(nb::handle(object)), pack);
        return;
    }
    if (object == Py_None) {
        pack.set_pointer(place.index, nullptr);
        return;
    }
    if (fill_host_argument(place, slot, object, pack)) return;
    if (const std::optional<void*> address = read_ctypes_pointer(object)) {
        pack.set_pointer(place.index, *address);
        return;
    }
    const NumPy& numpy = NumPy::get();
    if (slot.kind == Slot::Kind::unknown && !numpy.is_array(object) &&
        (numpy.is_scalar(object) || is_ctypes_value(object) || PyLong_Check(object) ||
         PyFloat_Check(object) || PyComplex_Check(object))) {
        fill_scalar(place, slot, object, pack.packed().values[place.index]);
        return;
    }
    if (!numpy.is_array(object) && !numpy.is_scalar(object) &&
        fill_foreign(place, slot, object, pack))
        return;
    refuse_pointer(place, object);
}

}  // namespace heald::python
