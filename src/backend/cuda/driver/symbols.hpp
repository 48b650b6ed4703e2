#pragma once

// Every driver entry point that heald calls: X(exported name with its ABI version, signature).
// An entry that the installed driver lacks is an error when it is called, not when it is loaded.

#define HEALD_DRIVER_SYMBOLS(X)                                                                    \
    X(cuInit, Result(unsigned))                                                                    \
    X(cuDriverGetVersion, Result(int*))                                                            \
    X(cuGetErrorName, Result(Result, const char**))                                                \
    X(cuGetErrorString, Result(Result, const char**))                                              \
    X(cuDeviceGet, Result(Device*, int))                                                           \
    X(cuDeviceGetCount, Result(int*))                                                              \
    X(cuDeviceGetName, Result(char*, int, Device))                                                 \
    X(cuDeviceGetUuid_v2, Result(Uuid*, Device))                                                   \
    X(cuDeviceGetPCIBusId, Result(char*, int, Device))                                             \
    X(cuDeviceTotalMem_v2, Result(std::size_t*, Device))                                           \
    X(cuDeviceGetAttribute, Result(int*, DeviceAttribute, Device))                                 \
    X(cuDeviceCanAccessPeer, Result(int*, Device, Device))                                         \
    X(cuDevicePrimaryCtxRetain, Result(Context*, Device))                                          \
    X(cuDevicePrimaryCtxRelease_v2, Result(Device))                                                \
    X(cuCtxGetCurrent, Result(Context*))                                                           \
    X(cuCtxPushCurrent_v2, Result(Context))                                                        \
    X(cuCtxPopCurrent_v2, Result(Context*))                                                        \
    X(cuCtxSynchronize, Result())                                                                  \
    X(cuCtxGetStreamPriorityRange, Result(int*, int*))                                             \
    X(cuCtxEnablePeerAccess, Result(Context, unsigned))                                            \
    X(cuThreadExchangeStreamCaptureMode, Result(CaptureMode*))                                     \
    X(cuStreamCreateWithPriority, Result(Stream*, unsigned, int))                                  \
    X(cuStreamDestroy_v2, Result(Stream))                                                          \
    X(cuStreamGetPriority, Result(Stream, int*))                                                   \
    X(cuStreamGetCtx, Result(Stream, Context*))                                                    \
    X(cuStreamSynchronize, Result(Stream))                                                         \
    X(cuStreamQuery, Result(Stream))                                                               \
    X(cuStreamWaitEvent, Result(Stream, Event, unsigned))                                          \
    X(cuStreamWaitValue32_v2, Result(Stream, DevicePointer, std::uint32_t, unsigned))              \
    X(cuStreamIsCapturing, Result(Stream, CaptureStatus*))                                         \
    X(cuEventCreate, Result(Event*, unsigned))                                                     \
    X(cuEventDestroy_v2, Result(Event))                                                            \
    X(cuEventRecord, Result(Event, Stream))                                                        \
    X(cuEventQuery, Result(Event))                                                                 \
    X(cuEventSynchronize, Result(Event))                                                           \
    X(cuEventElapsedTime, Result(float*, Event, Event))                                            \
    X(cuMemGetInfo_v2, Result(std::size_t*, std::size_t*))                                         \
    X(cuMemPoolCreate, Result(Pool*, const PoolProperties*))                                       \
    X(cuMemPoolDestroy, Result(Pool))                                                              \
    X(cuMemPoolSetAttribute, Result(Pool, PoolAttribute, void*))                                   \
    X(cuMemPoolGetAttribute, Result(Pool, PoolAttribute, void*))                                   \
    X(cuMemPoolSetAccess, Result(Pool, const MemoryAccess*, std::size_t))                          \
    X(cuMemPoolTrimTo, Result(Pool, std::size_t))                                                  \
    X(cuMemAllocFromPoolAsync, Result(DevicePointer*, std::size_t, Pool, Stream))                  \
    X(cuMemFreeAsync, Result(DevicePointer, Stream))                                               \
    X(cuMemAlloc_v2, Result(DevicePointer*, std::size_t))                                          \
    X(cuMemFree_v2, Result(DevicePointer))                                                         \
    X(cuMemAllocManaged, Result(DevicePointer*, std::size_t, unsigned))                            \
    X(cuMemHostAlloc, Result(void**, std::size_t, unsigned))                                       \
    X(cuMemFreeHost, Result(void*))                                                                \
    X(cuPointerGetAttributes, Result(unsigned, PointerAttribute*, void**, DevicePointer))          \
    X(cuMemcpyAsync, Result(DevicePointer, DevicePointer, std::size_t, Stream))                    \
    X(cuMemsetD8Async, Result(DevicePointer, unsigned char, std::size_t, Stream))                  \
    X(cuMemsetD16Async, Result(DevicePointer, unsigned short, std::size_t, Stream))                \
    X(cuMemsetD32Async, Result(DevicePointer, unsigned, std::size_t, Stream))                      \
    X(cuLaunchHostFunc, Result(Stream, HostFunction, void*))                                       \
    X(cuModuleLoadDataEx, Result(Module*, const void*, unsigned, JitOption*, void**))              \
    X(cuModuleUnload, Result(Module))                                                              \
    X(cuModuleGetFunction, Result(Function*, Module, const char*))                                 \
    X(cuModuleGetFunctionCount, Result(unsigned*, Module))                                         \
    X(cuModuleEnumerateFunctions, Result(Function*, unsigned, Module))                             \
    X(cuModuleGetGlobal_v2, Result(DevicePointer*, std::size_t*, Module, const char*))             \
    X(cuFuncGetName, Result(const char**, Function))                                               \
    X(cuFuncGetParamInfo, Result(Function, std::size_t, std::size_t*, std::size_t*))               \
    X(cuFuncGetAttribute, Result(int*, FunctionAttribute, Function))                               \
    X(cuFuncSetAttribute, Result(Function, FunctionAttribute, int))                                \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, Result(int*, Function, int, std::size_t))       \
    X(cuOccupancyMaxPotentialBlockSize,                                                            \
      Result(int*, int*, Function, std::size_t (*)(int), std::size_t, int))                        \
    X(cuLaunchKernel, Result(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
                             unsigned, Stream, void**, void**))                                    \
    X(cuLaunchKernelEx, Result(const LaunchConfig*, Function, void**, void**))                     \
    X(cuGraphCreate, Result(Graph*, unsigned))                                                     \
    X(cuGraphDestroy, Result(Graph))                                                               \
    X(cuGraphAddKernelNode_v2,                                                                     \
      Result(GraphNode*, Graph, const GraphNode*, std::size_t, const KernelNodeParameters*))       \
    X(cuGraphKernelNodeSetAttribute,                                                               \
      Result(GraphNode, LaunchAttributeId, const LaunchAttributeValue*))                           \
    X(cuGraphInstantiateWithFlags, Result(GraphExec*, Graph, unsigned long long))                  \
    X(cuGraphExecDestroy, Result(GraphExec))                                                       \
    X(cuGraphExecKernelNodeSetParams_v2,                                                           \
      Result(GraphExec, GraphNode, const KernelNodeParameters*))                                   \
    X(cuGraphLaunch, Result(GraphExec, Stream))                                                    \
    X(cuLinkCreate_v2, Result(unsigned, JitOption*, void**, LinkState*))                           \
    X(cuLinkAddData_v2,                                                                            \
      Result(LinkState, JitInput, void*, std::size_t, const char*, unsigned, JitOption*, void**))  \
    X(cuLinkComplete, Result(LinkState, void**, std::size_t*))                                     \
    X(cuLinkDestroy, Result(LinkState))
