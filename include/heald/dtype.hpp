#pragma once

#include <heald/export.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heald {

/// Element types of arrays and scalar types of kernel parameters.
enum class DType : std::uint8_t {
    boolean,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    bfloat16,
    float32,
    float64,
    complex64,
    complex128,
    opaque,  ///< a structure or anything else that is only bytes
};

enum class DTypeKind : std::uint8_t { boolean, signed_int, unsigned_int, real, complex, opaque };

/// One row of the table of dtypes.
struct DTypeInfo {
    DType dtype;
    std::string_view name;       ///< NumPy's name, "float32"
    std::string_view cuda_name;  ///< the type in CUDA C++, "float"
    std::size_t size;            ///< bytes; 0 for opaque
    DTypeKind kind;
};

HEALD_API const DTypeInfo& info(DType dtype) noexcept;

inline std::size_t size_of(DType dtype) noexcept {
    return info(dtype).size;
}
inline std::string_view name_of(DType dtype) noexcept {
    return info(dtype).name;
}

/// The dtype of that NumPy name; throws Error(not_found) that lists the names.
HEALD_API DType dtype_from_name(std::string_view name);

}  // namespace heald
