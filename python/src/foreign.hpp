#pragma once

#include "python/src/dlpack.hpp"

#include <heald/array.hpp>

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>

namespace heald::python {

namespace nb = nanobind;

/// An Array over the memory of an object with `__dlpack__`, ordered before work on `stream`
/// (nullopt: the current stream of the device that it is on). No copy.
Array array_from_dlpack(nb::handle object, const Stream* stream, const char* operation);

/// The same by `__cuda_array_interface__`.
Array array_from_cuda_interface(nb::handle object, const Stream* stream, const char* operation);

/// An Array over a tensor in a DLPack struct; `owner` keeps it.
Array array_from_tensor(const dlpack::Tensor& tensor, bool read_only, std::shared_ptr<void> owner,
                        const char* operation);

/// An Array over memory: `data` is element [0, …, 0], strides in bytes.
Array wrap_strided(void* data, Shape shape, Shape strides, DType dtype, const Device& device,
                   bool read_only, std::shared_ptr<void> owner);

std::optional<DType> dtype_from_dlpack(dlpack::DataType type) noexcept;
dlpack::DataType dtype_to_dlpack(DType dtype) noexcept;

/// heald's device of a DLPack device; Error(invalid_value) if there is none.
Device device_from_dlpack(dlpack::Device device, const char* operation);
dlpack::Device device_to_dlpack(const Device& device) noexcept;

/// The C table that a tensor type offers (PyTorch ≥ 2.10); null if it has none. Looked up once per
/// type.
const dlpack::ExchangeApi* exchange_api(PyTypeObject* type);

}  // namespace heald::python
