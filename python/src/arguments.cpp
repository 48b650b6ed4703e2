#include "python/src/arguments.hpp"

#include "python/src/buffer.hpp"
#include "python/src/deferred.hpp"

#include <heald/error.hpp>

#include <algorithm>
#include <new>

namespace heald::python {

namespace {

bool is_plain_char(const std::string& type_name) {
    return type_name.find("char") != std::string::npos &&
           type_name.find("signed") == std::string::npos;
}

Slot::Kind scalar_kind(DType dtype) {
    switch (info(dtype).kind) {
        case DTypeKind::boolean:
            return Slot::Kind::boolean;
        case DTypeKind::signed_int:
            return Slot::Kind::signed_int;
        case DTypeKind::unsigned_int:
            return Slot::Kind::unsigned_int;
        case DTypeKind::real:
            return Slot::Kind::real;
        case DTypeKind::complex:
            return Slot::Kind::complex;
        case DTypeKind::opaque:
            return Slot::Kind::unknown;
    }
    return Slot::Kind::unknown;
}

Slot make_slot(const Parameter& parameter, bool exact) {
    Slot slot;
    slot.dtype = parameter.dtype;
    slot.size = static_cast<std::uint32_t>(parameter.size);
    slot.is_const = parameter.is_const;
    if (!exact) {
        slot.kind = Slot::Kind::unknown;
        slot.any_dtype = true;
    } else if (parameter.kind == Parameter::Kind::pointer) {
        slot.kind = Slot::Kind::pointer;
        slot.any_dtype = parameter.is_void || parameter.dtype == DType::opaque;
        slot.is_char = is_plain_char(parameter.type_name);
    } else if (parameter.kind == Parameter::Kind::record) {
        slot.kind = Slot::Kind::record;
    } else {
        slot.kind = scalar_kind(parameter.dtype);
    }
    return slot;
}

std::string count_text(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

}  // namespace

ArgumentPlan::ArgumentPlan(std::string kernel_name, Signature kernel_signature,
                           Device kernel_device)
    : name(std::move(kernel_name)),
      signature(std::move(kernel_signature)),
      device(std::move(kernel_device)) {
    const bool exact = signature.source == Signature::Source::exact;
    for (const Parameter& parameter : signature.parameters) {
        Slot slot = make_slot(parameter, exact);
        const std::size_t alignment = std::max<std::size_t>(parameter.alignment, 1);
        bytes = (bytes + alignment - 1) / alignment * alignment;
        slot.offset = static_cast<std::uint32_t>(bytes);
        bytes += parameter.size;
        slots.push_back(slot);
    }
}

std::string ArgumentPlace::prefix() const {
    std::string text = "[Kernel.launch] argument " + std::to_string(index + 1);
    const std::string& parameter = plan.signature.parameters[index].name;
    if (!parameter.empty()) text += " '" + parameter + "'";
    return text + " of '" + plan.name + "' ";
}

std::string ArgumentPlace::expected() const {
    const Parameter& parameter = plan.signature.parameters[index];
    if (plan.slots[index].kind == Slot::Kind::pointer) return parameter.type_name;
    const std::string size =
        std::to_string(parameter.size) + (parameter.size == 1 ? " byte" : " bytes");
    return parameter.type_name.empty() ? "a value of " + size
                                       : parameter.type_name + " (" + size + ")";
}

void ArgumentPlace::refuse(ErrorKind kind, const std::string& given,
                           const std::string& remedy) const {
    throw Error(kind, prefix() + "is " + expected() + ", got " + given + ": " + remedy);
}

std::string given_text(PyObject* object) {
    const std::string type = Py_TYPE(object)->tp_name;
    if (object == Py_None) return "None";
    if (PyBool_Check(object) || PyLong_Check(object) || PyFloat_Check(object) ||
        PyComplex_Check(object) || nb::hasattr(object, "dtype")) {
        nb::object text = nb::steal(PyObject_Str(object));
        if (text.is_valid() && nb::len(text) < 40) return type + " " + nb::str(text).c_str();
        PyErr_Clear();
    }
    return type;
}

ArgumentPack::ArgumentPack(const ArgumentPlan& plan, const Stream& stream)
    : plan_(plan), stream_(stream), count_(plan.slots.size()) {
    if (count_ <= inline_count && plan.bytes <= inline_bytes) {
        values_ = inline_values_;
        pointers_ = reinterpret_cast<void**>(inline_pointers_);
        uses_ = reinterpret_cast<MemoryUse*>(inline_uses_);
    } else {
        const std::size_t values = (plan.bytes + 63) / 64 * 64;
        const std::size_t pointers = count_ * sizeof(void*);
        heap_.reset(new std::byte[values + pointers + count_ * sizeof(MemoryUse) + 64]);
        auto address = reinterpret_cast<std::uintptr_t>(heap_.get());
        values_ = heap_.get() + (64 - address % 64) % 64;
        pointers_ = reinterpret_cast<void**>(values_ + values);
        uses_ = reinterpret_cast<MemoryUse*>(values_ + values + pointers);
    }
    for (std::size_t i = 0; i < count_; ++i) pointers_[i] = values_ + plan.slots[i].offset;
}

void ArgumentPack::fill(PyObject* const* arguments, std::size_t count) {
    if (has_released()) drop_released();
    if (count != count_)
        throw Error(ErrorKind::type_mismatch,
                    "[Kernel.launch] '" + plan_.name + "' takes " + count_text(count_) + " " +
                        to_string(plan_.signature) + ", got " + std::to_string(count));
    for (std::size_t i = 0; i < count; ++i) {
        const Slot& slot = plan_.slots[i];
        const ArgumentPlace place{plan_, i};
        if (slot.kind == Slot::Kind::pointer)
            fill_pointer(place, slot, arguments[i], *this);
        else if (slot.kind == Slot::Kind::unknown && slot.any_dtype && slot.size == sizeof(void*))
            fill_pointer(place, slot, arguments[i], *this);
        else
            fill_scalar(place, slot, arguments[i], pointers_[i]);
    }
}

void ArgumentPack::finish() {
    for (const CopyBack& copy : copies_) copy_to_host(copy.device, copy.host, stream_, "Out");
}

}  // namespace heald::python
