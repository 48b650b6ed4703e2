#pragma once

// The memory layout of DLPack 1.x (https://dmlc.github.io/dlpack), declared here: heald needs no
// header of it.

#include <cstdint>

namespace heald::python::dlpack {

enum DeviceType : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };

struct Device {
    std::int32_t type;
    std::int32_t id;
};

enum TypeCode : std::uint8_t {
    code_int = 0,
    code_uint = 1,
    code_float = 2,
    code_opaque = 3,
    code_bfloat = 4,
    code_complex = 5,
    code_bool = 6,
};

struct DataType {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
};

struct Tensor {
    void* data;
    Device device;
    std::int32_t ndim;
    DataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;  ///< in elements; null: C order
    std::uint64_t byte_offset;
};

struct ManagedTensor {
    Tensor tensor;
    void* context;
    void (*deleter)(ManagedTensor*);
};

struct Version {
    std::uint32_t major;
    std::uint32_t minor;
};

inline constexpr std::uint64_t flag_read_only = 1;
inline constexpr std::uint64_t flag_copied = 2;

struct ManagedTensorVersioned {
    Version version;
    void* context;
    void (*deleter)(ManagedTensorVersioned*);
    std::uint64_t flags;
    Tensor tensor;
};

inline constexpr Version our_version{1, 0};

/// The table that a type's `__dlpack_c_exchange_api__` capsule points to.
struct ExchangeApi {
    Version version;
    ExchangeApi* previous;
    void* allocator;
    int (*managed_from_object)(void* object, ManagedTensorVersioned** out);
    int (*object_from_managed)(ManagedTensorVersioned* tensor, void** out);
    int (*tensor_from_object)(void* object, Tensor* out);
    int (*current_stream)(std::int32_t device_type, std::int32_t device_id, void** out);
};

inline constexpr const char* name_legacy = "dltensor";
inline constexpr const char* name_legacy_used = "used_dltensor";
inline constexpr const char* name_versioned = "dltensor_versioned";
inline constexpr const char* name_versioned_used = "used_dltensor_versioned";
inline constexpr const char* name_exchange = "dlpack_exchange_api";

}  // namespace heald::python::dlpack
