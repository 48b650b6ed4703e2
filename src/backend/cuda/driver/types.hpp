#pragma once

// The part of the CUDA driver's ABI that heald uses, declared by heald itself, so that building
// needs no CUDA toolkit. tests/cpp/cuda/check_cuda_abi.cpp compares it with the real cuda.h where
// that is installed.

#include <cstddef>
#include <cstdint>

namespace heald::cuda::driver {

using Device = int;
using DevicePointer = unsigned long long;

// Handles: pointers to things that only the driver knows.
using Context = struct ContextHandle*;
using Module = struct ModuleHandle*;
using Function = struct FunctionHandle*;
using Kernel = struct KernelHandle*;
using Stream = struct StreamHandle*;
using Event = struct EventHandle*;
using Pool = struct PoolHandle*;
using Graph = struct GraphHandle*;
using GraphNode = struct GraphNodeHandle*;
using GraphExec = struct GraphExecHandle*;
using LinkState = struct LinkStateHandle*;

/// The stream handle that stands for the legacy default stream of the current context.
inline Stream legacy_stream() noexcept {
    return reinterpret_cast<Stream>(std::uintptr_t{1});
}

enum class Result : int {
    success = 0,
    invalid_value = 1,
    out_of_memory = 2,
    not_initialized = 3,
    deinitialized = 4,
    stub_library = 34,
    device_unavailable = 46,
    no_device = 100,
    invalid_device = 101,
    invalid_image = 200,
    invalid_context = 201,
    no_binary_for_gpu = 209,
    ecc_uncorrectable = 214,
    peer_access_unsupported = 217,
    invalid_ptx = 218,
    nvlink_uncorrectable = 220,
    jit_compiler_not_found = 221,
    unsupported_ptx_version = 222,
    contained = 226,
    invalid_handle = 400,
    not_found = 500,
    not_ready = 600,
    illegal_address = 700,
    launch_out_of_resources = 701,
    launch_timeout = 702,
    peer_access_already_enabled = 704,
    context_is_destroyed = 709,
    assertion = 710,
    hardware_stack_error = 714,
    illegal_instruction = 715,
    misaligned_address = 716,
    invalid_address_space = 717,
    invalid_pc = 718,
    launch_failed = 719,
    cooperative_launch_too_large = 720,
    not_permitted = 800,
    not_supported = 801,
    system_not_ready = 802,
    system_driver_mismatch = 803,
    compat_not_supported_on_device = 804,
    stream_capture_unsupported = 900,
    stream_capture_invalidated = 901,
    stream_capture_implicit = 906,
    captured_event = 907,
    external_device = 911,
    invalid_cluster_size = 912,
    unknown = 999,
};

enum class DeviceAttribute : int {
    max_threads_per_block = 1,
    max_block_dim_x = 2,
    max_block_dim_y = 3,
    max_block_dim_z = 4,
    max_grid_dim_x = 5,
    max_grid_dim_y = 6,
    max_grid_dim_z = 7,
    max_shared_memory_per_block = 8,
    warp_size = 10,
    max_registers_per_block = 12,
    clock_rate = 13,
    multiprocessor_count = 16,
    integrated = 18,
    memory_clock_rate = 36,
    global_memory_bus_width = 37,
    l2_cache_size = 38,
    max_threads_per_multiprocessor = 39,
    compute_capability_major = 75,
    compute_capability_minor = 76,
    max_shared_memory_per_multiprocessor = 81,
    managed_memory = 83,
    concurrent_managed_access = 89,
    cooperative_launch = 95,
    max_shared_memory_per_block_optin = 97,
    memory_pools_supported = 115,
    cluster_launch = 120,
};

enum class FunctionAttribute : int {
    max_threads_per_block = 0,
    shared_size_bytes = 1,
    const_size_bytes = 2,
    local_size_bytes = 3,
    num_regs = 4,
    binary_version = 6,
    max_dynamic_shared_size_bytes = 8,
    non_portable_cluster_size_allowed = 14,
};

inline constexpr unsigned stream_default = 0;
inline constexpr unsigned stream_non_blocking = 1;
inline constexpr unsigned event_blocking_sync = 1;
inline constexpr unsigned event_disable_timing = 2;
inline constexpr unsigned host_alloc_portable = 1;
inline constexpr unsigned host_alloc_device_map = 2;
inline constexpr unsigned attach_global = 1;
inline constexpr unsigned wait_value_equal = 1;

enum class CaptureStatus : int { none = 0, active = 1, invalidated = 2 };
enum class CaptureMode : int { global = 0, thread_local_ = 1, relaxed = 2 };

enum class MemoryLocationType : int { invalid = 0, device = 1, host = 2 };
enum class AllocationType : int { invalid = 0, pinned = 1 };
enum class AllocationHandleType : int { none = 0 };
enum class AccessFlags : int { none = 0, read = 1, read_write = 3 };

struct MemoryLocation {
    MemoryLocationType type;
    int id;
};

struct MemoryAccess {
    MemoryLocation location;
    AccessFlags flags;
};

struct PoolProperties {
    AllocationType allocation_type;
    AllocationHandleType handle_types;
    MemoryLocation location;
    void* win32_security;
    std::size_t max_size;
    unsigned short usage;
    unsigned char reserved[54];
};

enum class PoolAttribute : int {
    release_threshold = 4,
    reserved_current = 5,
    reserved_high = 6,
    used_current = 7,
    used_high = 8,
};

enum class PointerAttribute : int {
    context = 1,
    memory_type = 2,
    is_managed = 8,
    device_ordinal = 9
};
enum class MemoryType : int { host = 1, device = 2, array = 3, unified = 4 };

enum class LaunchAttributeId : int {
    ignore = 0,
    cooperative = 2,
    cluster_dimension = 4,
    priority = 8
};

union LaunchAttributeValue {
    alignas(8) char padding[64];
    int cooperative;
    struct {
        unsigned x;
        unsigned y;
        unsigned z;
    } cluster;
    int priority;
};

struct LaunchAttribute {
    LaunchAttributeId id;
    char padding[4];
    LaunchAttributeValue value;
};

struct LaunchConfig {
    unsigned grid_x, grid_y, grid_z;
    unsigned block_x, block_y, block_z;
    unsigned shared_bytes;
    Stream stream;
    LaunchAttribute* attributes;
    unsigned attribute_count;
};

struct KernelNodeParameters {
    Function function;
    unsigned grid_x, grid_y, grid_z;
    unsigned block_x, block_y, block_z;
    unsigned shared_bytes;
    void** parameters;
    void** extra;
    Kernel kernel;
    Context context;
};

struct Uuid {
    unsigned char bytes[16];
};

enum class JitOption : int {
    max_registers = 0,
    info_log = 3,
    info_log_bytes = 4,
    error_log = 5,
    error_log_bytes = 6,
    generate_debug_info = 11,
    generate_line_info = 13,
};

enum class JitInput : int { cubin = 0, ptx = 1, fatbinary = 2, object = 3, library = 4, nvvm = 5 };

using HostFunction = void (*)(void* data);

}  // namespace heald::cuda::driver
