#pragma once

#include <heald/array.hpp>
#include <heald/dtype.hpp>

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <optional>

namespace heald::python {

namespace nb = nanobind;

/// Host memory of a Python object that has the buffer protocol, held while this lives.
class HostMemory {
public:
    enum class Access { read, write };

    /// Contiguous memory of any object. Throws Error(type_mismatch or invalid_value) naming
    /// `operation` if there is none, if it is strided, or read-only where it must be written.
    static HostMemory contiguous(nb::handle object, Access access, const char* operation);

    /// A NumPy array's memory with its strides.
    static HostMemory strided(nb::handle ndarray, Access access, const char* operation);

    HostMemory(HostMemory&& other) noexcept;
    HostMemory& operator=(HostMemory&&) = delete;
    ~HostMemory();

    [[nodiscard]] void* data() const noexcept { return view_.buf; }
    [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(view_.len); }
    [[nodiscard]] bool read_only() const noexcept { return view_.readonly != 0; }
    [[nodiscard]] Shape shape() const;
    [[nodiscard]] Shape strides() const;

    /// Keeps the memory where it is for queued work, also if the object could resize it.
    [[nodiscard]] std::shared_ptr<void> keep_alive() const;

private:
    HostMemory() = default;

    Py_buffer view_{};
    bool held_ = false;
};

/// The dtype of an object with a `dtype` attribute that heald knows; nullopt for anything else.
std::optional<DType> host_dtype(nb::handle object);

}  // namespace heald::python
