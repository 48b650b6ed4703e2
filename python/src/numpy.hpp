#pragma once

#include <heald/dtype.hpp>

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <optional>

namespace heald::python {

namespace nb = nanobind;

/// What heald needs of NumPy, looked up once. NumPy's C API is not used: the module works with
/// every NumPy and needs none to be built.
class NumPy {
public:
    /// Imports NumPy at the first call.
    static const NumPy& get();

    [[nodiscard]] bool is_array(PyObject* object) const noexcept {
        return PyObject_TypeCheck(object, array_type_);
    }
    /// A scalar such as numpy.float32(1), records included.
    [[nodiscard]] bool is_scalar(PyObject* object) const noexcept {
        return PyObject_TypeCheck(object, scalar_base_);
    }
    /// The dtype of a scalar of one of heald's dtypes.
    [[nodiscard]] std::optional<DType> scalar_dtype(PyObject* object) const noexcept;

    /// Copies the value of a scalar of `dtype`.
    void read_scalar(PyObject* scalar, DType dtype, void* out) const;

    [[nodiscard]] nb::handle module() const noexcept { return module_; }
    /// numpy.empty(shape, dtype) and numpy.asarray(x, dtype).
    [[nodiscard]] nb::object empty(nb::handle shape, nb::handle dtype) const;
    [[nodiscard]] nb::object asarray(nb::handle x, nb::handle dtype) const;
    /// Which dtype a type such as numpy.float32 is; nullopt for any other object.
    [[nodiscard]] std::optional<DType> find_type(PyObject* object) const noexcept;
    /// The numpy.dtype; imports ml_dtypes for bfloat16, Error(unavailable) if it is missing.
    [[nodiscard]] nb::object dtype(DType dtype) const;
    /// Which dtype a numpy.dtype is; nullopt if heald has none for it.
    [[nodiscard]] std::optional<DType> find_dtype(nb::handle dtype) const;

private:
    NumPy();

    static constexpr std::size_t builtin_count = static_cast<std::size_t>(DType::opaque);

    PyObject* module_ = nullptr;
    PyObject* empty_ = nullptr;
    PyObject* asarray_ = nullptr;
    PyTypeObject* array_type_ = nullptr;
    PyTypeObject* scalar_base_ = nullptr;
    std::array<PyTypeObject*, builtin_count> scalar_types_{};  // indexed by DType
    std::array<PyObject*, builtin_count> dtypes_{};
    PyTypeObject* longlong_ = nullptr;
    PyTypeObject* ulonglong_ = nullptr;
    bool values_follow_header_ = false;
};

}  // namespace heald::python
