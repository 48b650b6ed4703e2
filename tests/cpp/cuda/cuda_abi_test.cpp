// Compares heald's own declarations of the driver with the real cuda.h. Built where that is
// installed.

#include "src/backend/cuda/driver/symbols.hpp"
#include "src/backend/cuda/driver/types.hpp"
#include "tests/cpp/cuda/abi_match.hpp"

#include <cuda.h>
#include <gtest/gtest.h>

namespace heald::cuda::driver {
namespace {

#define CHECK(name, ...)                                                                 \
    static_assert(SameAbi<__VA_ARGS__, std::remove_pointer_t<decltype(&::name)>>::value, \
                  #name " is declared otherwise in cuda.h");
HEALD_DRIVER_SYMBOLS(CHECK)
#undef CHECK

template <class Ours, class Theirs>
constexpr bool equal(Ours ours, Theirs theirs) {
    return static_cast<long long>(ours) == static_cast<long long>(theirs);
}

#define SAME(ours, theirs) static_assert(equal(ours, theirs), #ours)
SAME(Result::invalid_value, CUDA_ERROR_INVALID_VALUE);
SAME(Result::out_of_memory, CUDA_ERROR_OUT_OF_MEMORY);
SAME(Result::not_initialized, CUDA_ERROR_NOT_INITIALIZED);
SAME(Result::deinitialized, CUDA_ERROR_DEINITIALIZED);
SAME(Result::stub_library, CUDA_ERROR_STUB_LIBRARY);
SAME(Result::device_unavailable, CUDA_ERROR_DEVICE_UNAVAILABLE);
SAME(Result::no_device, CUDA_ERROR_NO_DEVICE);
SAME(Result::invalid_device, CUDA_ERROR_INVALID_DEVICE);
SAME(Result::invalid_image, CUDA_ERROR_INVALID_IMAGE);
SAME(Result::invalid_context, CUDA_ERROR_INVALID_CONTEXT);
SAME(Result::no_binary_for_gpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME(Result::ecc_uncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE);
SAME(Result::peer_access_unsupported, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
SAME(Result::invalid_ptx, CUDA_ERROR_INVALID_PTX);
SAME(Result::nvlink_uncorrectable, CUDA_ERROR_NVLINK_UNCORRECTABLE);
SAME(Result::jit_compiler_not_found, CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
SAME(Result::unsupported_ptx_version, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME(Result::contained, CUDA_ERROR_CONTAINED);
SAME(Result::invalid_handle, CUDA_ERROR_INVALID_HANDLE);
SAME(Result::not_found, CUDA_ERROR_NOT_FOUND);
SAME(Result::not_ready, CUDA_ERROR_NOT_READY);
SAME(Result::illegal_address, CUDA_ERROR_ILLEGAL_ADDRESS);
SAME(Result::launch_out_of_resources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
SAME(Result::launch_timeout, CUDA_ERROR_LAUNCH_TIMEOUT);
SAME(Result::peer_access_already_enabled, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
SAME(Result::context_is_destroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED);
SAME(Result::assertion, CUDA_ERROR_ASSERT);
SAME(Result::hardware_stack_error, CUDA_ERROR_HARDWARE_STACK_ERROR);
SAME(Result::illegal_instruction, CUDA_ERROR_ILLEGAL_INSTRUCTION);
SAME(Result::misaligned_address, CUDA_ERROR_MISALIGNED_ADDRESS);
SAME(Result::invalid_address_space, CUDA_ERROR_INVALID_ADDRESS_SPACE);
SAME(Result::invalid_pc, CUDA_ERROR_INVALID_PC);
SAME(Result::launch_failed, CUDA_ERROR_LAUNCH_FAILED);
SAME(Result::cooperative_launch_too_large, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
SAME(Result::not_permitted, CUDA_ERROR_NOT_PERMITTED);
SAME(Result::not_supported, CUDA_ERROR_NOT_SUPPORTED);
SAME(Result::system_not_ready, CUDA_ERROR_SYSTEM_NOT_READY);
SAME(Result::system_driver_mismatch, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
SAME(Result::compat_not_supported_on_device, CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE);
SAME(Result::stream_capture_unsupported, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
SAME(Result::stream_capture_invalidated, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
SAME(Result::stream_capture_implicit, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
SAME(Result::captured_event, CUDA_ERROR_CAPTURED_EVENT);
SAME(Result::external_device, CUDA_ERROR_EXTERNAL_DEVICE);
SAME(Result::invalid_cluster_size, CUDA_ERROR_INVALID_CLUSTER_SIZE);
SAME(Result::unknown, CUDA_ERROR_UNKNOWN);

#define SAME_ATTRIBUTE(ours, theirs) SAME(DeviceAttribute::ours, CU_DEVICE_ATTRIBUTE_##theirs)
SAME_ATTRIBUTE(max_threads_per_block, MAX_THREADS_PER_BLOCK);
SAME_ATTRIBUTE(max_block_dim_x, MAX_BLOCK_DIM_X);
SAME_ATTRIBUTE(max_block_dim_y, MAX_BLOCK_DIM_Y);
SAME_ATTRIBUTE(max_block_dim_z, MAX_BLOCK_DIM_Z);
SAME_ATTRIBUTE(max_grid_dim_x, MAX_GRID_DIM_X);
SAME_ATTRIBUTE(max_grid_dim_y, MAX_GRID_DIM_Y);
SAME_ATTRIBUTE(max_grid_dim_z, MAX_GRID_DIM_Z);
SAME_ATTRIBUTE(max_shared_memory_per_block, MAX_SHARED_MEMORY_PER_BLOCK);
SAME_ATTRIBUTE(warp_size, WARP_SIZE);
SAME_ATTRIBUTE(max_registers_per_block, MAX_REGISTERS_PER_BLOCK);
SAME_ATTRIBUTE(clock_rate, CLOCK_RATE);
SAME_ATTRIBUTE(multiprocessor_count, MULTIPROCESSOR_COUNT);
SAME_ATTRIBUTE(integrated, INTEGRATED);
SAME_ATTRIBUTE(memory_clock_rate, MEMORY_CLOCK_RATE);
SAME_ATTRIBUTE(global_memory_bus_width, GLOBAL_MEMORY_BUS_WIDTH);
SAME_ATTRIBUTE(l2_cache_size, L2_CACHE_SIZE);
SAME_ATTRIBUTE(max_threads_per_multiprocessor, MAX_THREADS_PER_MULTIPROCESSOR);
SAME_ATTRIBUTE(compute_capability_major, COMPUTE_CAPABILITY_MAJOR);
SAME_ATTRIBUTE(compute_capability_minor, COMPUTE_CAPABILITY_MINOR);
SAME_ATTRIBUTE(max_shared_memory_per_multiprocessor, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
SAME_ATTRIBUTE(managed_memory, MANAGED_MEMORY);
SAME_ATTRIBUTE(concurrent_managed_access, CONCURRENT_MANAGED_ACCESS);
SAME_ATTRIBUTE(cooperative_launch, COOPERATIVE_LAUNCH);
SAME_ATTRIBUTE(max_shared_memory_per_block_optin, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME_ATTRIBUTE(memory_pools_supported, MEMORY_POOLS_SUPPORTED);
SAME_ATTRIBUTE(cluster_launch, CLUSTER_LAUNCH);

#define SAME_FUNCTION(ours, theirs) SAME(FunctionAttribute::ours, CU_FUNC_ATTRIBUTE_##theirs)
SAME_FUNCTION(max_threads_per_block, MAX_THREADS_PER_BLOCK);
SAME_FUNCTION(shared_size_bytes, SHARED_SIZE_BYTES);
SAME_FUNCTION(const_size_bytes, CONST_SIZE_BYTES);
SAME_FUNCTION(local_size_bytes, LOCAL_SIZE_BYTES);
SAME_FUNCTION(num_regs, NUM_REGS);
SAME_FUNCTION(binary_version, BINARY_VERSION);
SAME_FUNCTION(max_dynamic_shared_size_bytes, MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME_FUNCTION(non_portable_cluster_size_allowed, NON_PORTABLE_CLUSTER_SIZE_ALLOWED);

SAME(stream_default, CU_STREAM_DEFAULT);
SAME(stream_non_blocking, CU_STREAM_NON_BLOCKING);
SAME(event_blocking_sync, CU_EVENT_BLOCKING_SYNC);
SAME(event_disable_timing, CU_EVENT_DISABLE_TIMING);
SAME(host_alloc_portable, CU_MEMHOSTALLOC_PORTABLE);
SAME(host_alloc_device_map, CU_MEMHOSTALLOC_DEVICEMAP);
SAME(attach_global, CU_MEM_ATTACH_GLOBAL);
SAME(wait_value_equal, CU_STREAM_WAIT_VALUE_EQ);
SAME(CaptureStatus::active, CU_STREAM_CAPTURE_STATUS_ACTIVE);
SAME(CaptureStatus::invalidated, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
SAME(CaptureMode::thread_local_, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
SAME(CaptureMode::relaxed, CU_STREAM_CAPTURE_MODE_RELAXED);
SAME(MemoryLocationType::device, CU_MEM_LOCATION_TYPE_DEVICE);
SAME(MemoryLocationType::host, CU_MEM_LOCATION_TYPE_HOST);
SAME(AllocationType::pinned, CU_MEM_ALLOCATION_TYPE_PINNED);
SAME(AccessFlags::read_write, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
SAME(PoolAttribute::release_threshold, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
SAME(PoolAttribute::reserved_current, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
SAME(PoolAttribute::reserved_high, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH);
SAME(PoolAttribute::used_current, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
SAME(PoolAttribute::used_high, CU_MEMPOOL_ATTR_USED_MEM_HIGH);
SAME(PointerAttribute::context, CU_POINTER_ATTRIBUTE_CONTEXT);
SAME(PointerAttribute::memory_type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
SAME(PointerAttribute::is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED);
SAME(PointerAttribute::device_ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
SAME(LaunchAttributeId::cooperative, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
SAME(LaunchAttributeId::cluster_dimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
SAME(LaunchAttributeId::priority, CU_LAUNCH_ATTRIBUTE_PRIORITY);
SAME(JitOption::max_registers, CU_JIT_MAX_REGISTERS);
SAME(JitOption::info_log, CU_JIT_INFO_LOG_BUFFER);
SAME(JitOption::info_log_bytes, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
SAME(JitOption::error_log, CU_JIT_ERROR_LOG_BUFFER);
SAME(JitOption::error_log_bytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME(JitOption::generate_debug_info, CU_JIT_GENERATE_DEBUG_INFO);
SAME(JitOption::generate_line_info, CU_JIT_GENERATE_LINE_INFO);
SAME(JitInput::cubin, CU_JIT_INPUT_CUBIN);
SAME(JitInput::ptx, CU_JIT_INPUT_PTX);

#define SAME_SIZE(ours, theirs) \
    static_assert(sizeof(ours) == sizeof(theirs) && alignof(ours) == alignof(theirs), #ours)
SAME_SIZE(PoolProperties, CUmemPoolProps);
SAME_SIZE(MemoryAccess, CUmemAccessDesc);
SAME_SIZE(LaunchAttribute, CUlaunchAttribute);
SAME_SIZE(LaunchAttributeValue, CUlaunchAttributeValue);
SAME_SIZE(LaunchConfig, CUlaunchConfig);
SAME_SIZE(KernelNodeParameters, CUDA_KERNEL_NODE_PARAMS);
SAME_SIZE(Uuid, CUuuid);

#define SAME_OFFSET(ours, member, theirs, their_member) \
    static_assert(offsetof(ours, member) == offsetof(theirs, their_member), #ours "::" #member)
SAME_OFFSET(PoolProperties, location, CUmemPoolProps, location);
SAME_OFFSET(PoolProperties, max_size, CUmemPoolProps, maxSize);
SAME_OFFSET(LaunchAttribute, value, CUlaunchAttribute, value);
SAME_OFFSET(LaunchConfig, shared_bytes, CUlaunchConfig, sharedMemBytes);
SAME_OFFSET(LaunchConfig, stream, CUlaunchConfig, hStream);
SAME_OFFSET(LaunchConfig, attributes, CUlaunchConfig, attrs);
SAME_OFFSET(LaunchConfig, attribute_count, CUlaunchConfig, numAttrs);
SAME_OFFSET(KernelNodeParameters, function, CUDA_KERNEL_NODE_PARAMS, func);
SAME_OFFSET(KernelNodeParameters, shared_bytes, CUDA_KERNEL_NODE_PARAMS, sharedMemBytes);
SAME_OFFSET(KernelNodeParameters, parameters, CUDA_KERNEL_NODE_PARAMS, kernelParams);
SAME_OFFSET(KernelNodeParameters, kernel, CUDA_KERNEL_NODE_PARAMS, kern);
SAME_OFFSET(KernelNodeParameters, context, CUDA_KERNEL_NODE_PARAMS, ctx);

TEST(CudaAbi, TheLegacyStreamHandleIsTheHeaders) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(legacy_stream()),
              reinterpret_cast<std::uintptr_t>(CU_STREAM_LEGACY));
}

}  // namespace
}  // namespace heald::cuda::driver
