#include "tests/cpp/cuda/fake_driver.hpp"

#include "src/backend/cuda/driver/symbols.hpp"
#include "src/jit/nvrtc/cubin_kernels.hpp"

#include <elf.h>
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <thread>
#include <type_traits>
#include <utility>

// Handles are pointers to these.
namespace heald::cuda::driver {
struct ContextHandle {
    int device = 0;
};
struct StreamHandle {
    ContextHandle* context = nullptr;
    int priority = 0;
};
struct EventHandle {
    bool recorded = false;
    bool held = false;
    bool timing = false;
    double time = 0;
};
struct PoolHandle {
    int device = 0;
};
struct ModuleHandle {
    std::set<std::string> kernels;  // empty: any name is a kernel
    std::map<std::string, FunctionHandle*> functions;
    std::map<std::string, std::vector<char>> globals;
    ~ModuleHandle();
};
struct FunctionHandle {
    std::string name;
    int max_dynamic_shared = 49152;
};
ModuleHandle::~ModuleHandle() {
    for (auto& [name, function] : functions) delete function;
}
struct GraphNodeHandle {
    fake::Launch launch;
    FunctionHandle* function = nullptr;
};
struct GraphHandle {
    std::unique_ptr<GraphNodeHandle> node;
};
struct GraphExecHandle {
    fake::Launch launch;
    FunctionHandle* function = nullptr;
    GraphNodeHandle* node = nullptr;
};
struct LinkStateHandle {
    std::string bytes;
};
}  // namespace heald::cuda::driver

namespace {

using namespace heald::cuda::driver;
using heald::cuda::fake::Control;
using heald::cuda::fake::Launch;

Control& control() {
    static auto* const instance = new Control;
    return *instance;
}

ContextHandle contexts[8];
thread_local std::vector<Context> current_stack;
double clock_us = 0;
std::map<DevicePointer, std::size_t>& blocks() {
    static auto* const map = new std::map<DevicePointer, std::size_t>;
    return *map;
}

/// Counts the call and gives the failure that the test asked for.
Result enter(const char* name) {
    Control& c = control();
    ++c.calls[name];
    if (const auto fails = c.fail_next.find(name); fails != c.fail_next.end()) {
        const Result result = fails->second;
        c.fail_next.erase(fails);
        return result;
    }
    return c.sticky;
}

#define ENTER(name)                              \
    const std::lock_guard lock(control().mutex); \
    if (const Result result = enter(#name); result != Result::success) return result

std::vector<std::string> copy_arguments(const std::string& kernel, void** values) {
    std::vector<std::string> result;
    const auto& sizes = control().parameter_sizes[kernel];
    for (std::size_t i = 0; i < sizes.size(); ++i)
        result.emplace_back(static_cast<const char*>(values[i]), sizes[i]);
    return result;
}

Result run(Launch launch) {
    Control& c = control();
    if (const auto body = c.bodies.find(launch.kernel); body != c.bodies.end()) {
        std::vector<void*> values;
        for (std::string& argument : launch.arguments) values.push_back(argument.data());
        body->second(values.data());
    }
    c.launches.push_back(std::move(launch));
    return Result::success;
}

Result allocate(DevicePointer* address, std::size_t bytes) {
    Control& c = control();
    // A cached block serves a request of its own size or less.
    if (bytes <= c.largest_cached && bytes <= c.bytes_cached) c.bytes_cached -= bytes;
    if (c.bytes_in_use + c.bytes_cached + bytes > c.memory_limit) return Result::out_of_memory;
    void* block = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
    std::memset(block, 0xAB, std::min<std::size_t>(bytes, 65536));
    *address = reinterpret_cast<DevicePointer>(block);
    blocks()[*address] = bytes;
    c.bytes_in_use += bytes;
    return Result::success;
}

Result release(DevicePointer address, bool to_pool) {
    Control& c = control();
    const auto found = blocks().find(address);
    if (found == blocks().end()) return Result::invalid_value;
    c.bytes_in_use -= found->second;
    if (to_pool) {
        c.bytes_cached += found->second;
        c.largest_cached = std::max(c.largest_cached, found->second);
    }
    std::free(reinterpret_cast<void*>(address));
    blocks().erase(found);
    return Result::success;
}

Launch describe(Function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                unsigned bz, unsigned shared, void** values) {
    Launch launch;
    launch.kernel = function->name;
    const unsigned grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
    std::memcpy(launch.grid, grid, sizeof grid);
    std::memcpy(launch.block, block, sizeof block);
    launch.shared = shared;
    launch.arguments = copy_arguments(launch.kernel, values);
    return launch;
}

bool invalid_shape(const Launch& launch) {
    return launch.grid[0] == 0 || launch.block[0] == 0 ||
           launch.block[0] * launch.block[1] * launch.block[2] > 1024;
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT Control* heald_fake_control() {
    return &control();
}

EXPORT Result cuInit(unsigned) {
    ENTER(cuInit);
    return control().init_result;
}
EXPORT Result cuDriverGetVersion(int* version) {
    *version = 13000;
    return Result::success;
}
EXPORT Result cuGetErrorName(Result result, const char** name) {
    *name = result == Result::illegal_address ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : result == Result::out_of_memory ? "CUDA_ERROR_OUT_OF_MEMORY"
            : result == Result::no_device     ? "CUDA_ERROR_NO_DEVICE"
                                              : "CUDA_ERROR_OF_THE_FAKE";
    return Result::success;
}
EXPORT Result cuGetErrorString(Result, const char** text) {
    *text = "the fake driver says so";
    return Result::success;
}
EXPORT Result cuDeviceGet(Device* device, int ordinal) {
    ENTER(cuDeviceGet);
    if (ordinal >= control().device_count) return Result::invalid_device;
    *device = ordinal;
    contexts[ordinal].device = ordinal;
    return Result::success;
}
EXPORT Result cuDeviceGetCount(int* count) {
    ENTER(cuDeviceGetCount);
    *count = control().device_count;
    return *count == 0 ? Result::no_device : Result::success;
}
EXPORT Result cuDeviceGetName(char* name, int size, Device) {
    std::strncpy(name, "Fake GPU", static_cast<std::size_t>(size));
    return Result::success;
}
EXPORT Result cuDeviceGetUuid_v2(Uuid* uuid, Device device) {
    std::memset(uuid, device, sizeof *uuid);
    return Result::success;
}
EXPORT Result cuDeviceGetPCIBusId(char* text, int size, Device) {
    std::strncpy(text, "0000:01:00.0", static_cast<std::size_t>(size));
    return Result::success;
}
EXPORT Result cuDeviceTotalMem_v2(std::size_t* bytes, Device) {
    *bytes = control().memory_limit;
    return Result::success;
}
EXPORT Result cuDeviceGetAttribute(int* value, DeviceAttribute which, Device) {
    switch (which) {
        case DeviceAttribute::compute_capability_major:
            *value = 9;
            break;
        case DeviceAttribute::compute_capability_minor:
            *value = 0;
            break;
        case DeviceAttribute::max_threads_per_block:
            *value = 1024;
            break;
        case DeviceAttribute::max_block_dim_x:
        case DeviceAttribute::max_block_dim_y:
            *value = 1024;
            break;
        case DeviceAttribute::max_block_dim_z:
            *value = 64;
            break;
        case DeviceAttribute::max_grid_dim_x:
            *value = 2147483647;
            break;
        case DeviceAttribute::max_grid_dim_y:
        case DeviceAttribute::max_grid_dim_z:
            *value = 65535;
            break;
        case DeviceAttribute::max_threads_per_multiprocessor:
            *value = 2048;
            break;
        case DeviceAttribute::warp_size:
            *value = 32;
            break;
        case DeviceAttribute::multiprocessor_count:
            *value = 132;
            break;
        case DeviceAttribute::max_shared_memory_per_block:
            *value = 49152;
            break;
        case DeviceAttribute::max_shared_memory_per_block_optin:
            *value = 232448;
            break;
        default:
            *value = 1;
    }
    return Result::success;
}
EXPORT Result cuDeviceCanAccessPeer(int* possible, Device, Device) {
    *possible = 1;
    return Result::success;
}
EXPORT Result cuDevicePrimaryCtxRetain(Context* context, Device device) {
    ENTER(cuDevicePrimaryCtxRetain);
    *context = &contexts[device];
    return Result::success;
}
EXPORT Result cuDevicePrimaryCtxRelease_v2(Device) {
    return Result::success;
}
EXPORT Result cuCtxGetCurrent(Context* context) {
    *context = current_stack.empty() ? nullptr : current_stack.back();
    return Result::success;
}
EXPORT Result cuCtxPushCurrent_v2(Context context) {
    const std::lock_guard lock(control().mutex);
    ++control().calls["cuCtxPushCurrent_v2"];
    ++control().contexts_pushed;
    current_stack.push_back(context);
    return Result::success;
}
EXPORT Result cuCtxPopCurrent_v2(Context* context) {
    const std::lock_guard lock(control().mutex);
    if (current_stack.empty()) return Result::invalid_context;
    --control().contexts_pushed;
    *context = current_stack.back();
    current_stack.pop_back();
    return Result::success;
}
EXPORT Result cuCtxSynchronize() {
    ENTER(cuCtxSynchronize);
    return Result::success;
}
EXPORT Result cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = -5;
    return Result::success;
}
EXPORT Result cuCtxEnablePeerAccess(Context, unsigned) {
    ENTER(cuCtxEnablePeerAccess);
    return Result::success;
}
EXPORT Result cuThreadExchangeStreamCaptureMode(CaptureMode* mode) {
    thread_local CaptureMode own = CaptureMode::global;
    std::swap(own, *mode);
    return Result::success;
}
EXPORT Result cuStreamCreateWithPriority(Stream* stream, unsigned, int priority) {
    ENTER(cuStreamCreateWithPriority);
    if (current_stack.empty()) return Result::invalid_context;
    *stream = new StreamHandle{current_stack.back(), priority};
    ++control().streams_alive;
    return Result::success;
}
EXPORT Result cuStreamDestroy_v2(Stream stream) {
    ENTER(cuStreamDestroy_v2);
    delete stream;
    --control().streams_alive;
    return Result::success;
}
EXPORT Result cuStreamGetPriority(Stream stream, int* priority) {
    *priority = stream->priority;
    return Result::success;
}
EXPORT Result cuStreamGetCtx(Stream stream, Context* context) {
    *context = stream->context;
    return Result::success;
}
EXPORT Result cuStreamSynchronize(Stream) {
    ENTER(cuStreamSynchronize);
    return Result::success;
}
EXPORT Result cuStreamQuery(Stream) {
    ENTER(cuStreamQuery);
    return control().hold ? Result::not_ready : Result::success;
}
EXPORT Result cuStreamWaitEvent(Stream, Event, unsigned) {
    ENTER(cuStreamWaitEvent);
    return Result::success;
}
#ifndef HEALD_FAKE_OLD
EXPORT Result cuStreamWaitValue32_v2(Stream, DevicePointer address, std::uint32_t value, unsigned) {
    {
        ENTER(cuStreamWaitValue32_v2);
    }
    // The fake's streams run inline: this is where the stream stands still.
    const std::atomic_ref<std::uint32_t> word(*reinterpret_cast<std::uint32_t*>(address));
    while (word.load() != value) std::this_thread::yield();
    return Result::success;
}
#endif
EXPORT Result cuStreamIsCapturing(Stream, CaptureStatus* status) {
    ENTER(cuStreamIsCapturing);
    *status = control().capturing ? CaptureStatus::active : CaptureStatus::none;
    return Result::success;
}
EXPORT Result cuEventCreate(Event* event, unsigned flags) {
    ENTER(cuEventCreate);
    *event = new EventHandle;
    (*event)->timing = (flags & event_disable_timing) == 0;
    ++control().events_alive;
    return Result::success;
}
EXPORT Result cuEventDestroy_v2(Event event) {
    const std::lock_guard lock(control().mutex);
    delete event;
    --control().events_alive;
    return Result::success;
}
EXPORT Result cuEventRecord(Event event, Stream) {
    ENTER(cuEventRecord);
    clock_us += control().microseconds_per_event;
    *event = {true, control().hold, event->timing, clock_us};
    return Result::success;
}
EXPORT Result cuEventQuery(Event event) {
    ENTER(cuEventQuery);
    return event->held && control().hold ? Result::not_ready : Result::success;
}
EXPORT Result cuEventSynchronize(Event) {
    ENTER(cuEventSynchronize);
    return Result::success;
}
EXPORT Result cuEventElapsedTime(float* milliseconds, Event start, Event stop) {
    ENTER(cuEventElapsedTime);
    if (!start->timing || !stop->timing || !start->recorded || !stop->recorded)
        return Result::invalid_handle;
    *milliseconds = static_cast<float>((stop->time - start->time) / 1e3);
    return Result::success;
}
EXPORT Result cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    ENTER(cuMemGetInfo_v2);
    *total = control().memory_limit;
    *free = *total - control().bytes_in_use - control().bytes_cached;
    return Result::success;
}
EXPORT Result cuMemPoolCreate(Pool* pool, const PoolProperties* properties) {
    ENTER(cuMemPoolCreate);
    *pool = new PoolHandle{properties->location.id};
    return Result::success;
}
EXPORT Result cuMemPoolDestroy(Pool pool) {
    delete pool;
    return Result::success;
}
EXPORT Result cuMemPoolSetAttribute(Pool, PoolAttribute, void*) {
    return Result::success;
}
EXPORT Result cuMemPoolGetAttribute(Pool, PoolAttribute which, void* value) {
    const std::lock_guard lock(control().mutex);
    const std::uint64_t used = control().bytes_in_use;
    const std::uint64_t bytes =
        which == PoolAttribute::used_current ? used : used + control().bytes_cached;
    std::memcpy(value, &bytes, sizeof bytes);
    return Result::success;
}
EXPORT Result cuMemPoolSetAccess(Pool, const MemoryAccess*, std::size_t) {
    ENTER(cuMemPoolSetAccess);
    return Result::success;
}
EXPORT Result cuMemPoolTrimTo(Pool, std::size_t) {
    ENTER(cuMemPoolTrimTo);
    control().bytes_cached = control().largest_cached = 0;
    return Result::success;
}
EXPORT Result cuMemAllocFromPoolAsync(DevicePointer* address, std::size_t bytes, Pool, Stream) {
    ENTER(cuMemAllocFromPoolAsync);
    return allocate(address, bytes);
}
EXPORT Result cuMemFreeAsync(DevicePointer address, Stream) {
    ENTER(cuMemFreeAsync);
    return release(address, true);
}
EXPORT Result cuMemAlloc_v2(DevicePointer* address, std::size_t bytes) {
    ENTER(cuMemAlloc_v2);
    return allocate(address, bytes);
}
EXPORT Result cuMemFree_v2(DevicePointer address) {
    ENTER(cuMemFree_v2);
    return release(address, false);
}
EXPORT Result cuMemAllocManaged(DevicePointer* address, std::size_t bytes, unsigned) {
    ENTER(cuMemAllocManaged);
    return allocate(address, bytes);
}
EXPORT Result cuMemHostAlloc(void** data, std::size_t bytes, unsigned) {
    ENTER(cuMemHostAlloc);
    *data = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    return Result::success;
}
EXPORT Result cuMemFreeHost(void* data) {
    ENTER(cuMemFreeHost);
    std::free(data);
    return Result::success;
}
EXPORT Result cuPointerGetAttribute(void*, PointerAttribute, DevicePointer) {
    return Result::invalid_value;
}
EXPORT Result cuMemcpyAsync(DevicePointer to, DevicePointer from, std::size_t bytes, Stream) {
    ENTER(cuMemcpyAsync);
    std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
    return Result::success;
}
template <class T>
Result fill(DevicePointer to, T value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(reinterpret_cast<char*>(to) + i * sizeof value, &value, sizeof value);
    return Result::success;
}
EXPORT Result cuMemsetD8Async(DevicePointer to, unsigned char value, std::size_t count, Stream) {
    ENTER(cuMemsetD8Async);
    return fill(to, value, count);
}
EXPORT Result cuMemsetD16Async(DevicePointer to, unsigned short value, std::size_t count, Stream) {
    ENTER(cuMemsetD16Async);
    return fill(to, value, count);
}
EXPORT Result cuMemsetD32Async(DevicePointer to, unsigned value, std::size_t count, Stream) {
    ENTER(cuMemsetD32Async);
    return fill(to, value, count);
}
EXPORT Result cuLaunchHostFunc(Stream, HostFunction function, void* data) {
    {
        ENTER(cuLaunchHostFunc);
    }
    function(data);
    return Result::success;
}
EXPORT Result cuModuleLoadDataEx(Module* module, const void* image, unsigned, JitOption*, void**) {
    ENTER(cuModuleLoadDataEx);
    *module = new ModuleHandle;
    if (std::memcmp(image, ELFMAG, SELFMAG) == 0) {
        Elf64_Ehdr header;
        std::memcpy(&header, image, sizeof header);
        // A cubin's section or program headers come last: their end is the end of the file.
        const std::size_t size =
            std::max(header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize,
                     header.e_phoff + std::size_t{header.e_phnum} * header.e_phentsize);
        const auto names = heald::nvrtc::kernels_of_cubin({static_cast<const char*>(image), size});
        (*module)->kernels.insert(names.begin(), names.end());
    }
    ++control().modules_alive;
    return Result::success;
}
EXPORT Result cuModuleUnload(Module module) {
    ENTER(cuModuleUnload);
    delete module;
    --control().modules_alive;
    return Result::success;
}
EXPORT Result cuModuleGetFunction(Function* function, Module module, const char* name) {
    ENTER(cuModuleGetFunction);
    const bool known = module->kernels.empty() ? control().parameter_sizes.contains(name)
                                               : module->kernels.contains(name);
    if (!known) return Result::not_found;
    auto& entry = module->functions[name];
    if (entry == nullptr) entry = new FunctionHandle{name};
    *function = entry;
    return Result::success;
}
EXPORT Result cuModuleGetGlobal_v2(DevicePointer* address, std::size_t* size, Module module,
                                   const char* name) {
    ENTER(cuModuleGetGlobal_v2);
    const auto known = control().globals.find(name);
    if (known == control().globals.end()) return Result::not_found;
    auto& bytes = module->globals[name];
    bytes.resize(known->second);
    *address = reinterpret_cast<DevicePointer>(bytes.data());
    *size = bytes.size();
    return Result::success;
}
EXPORT Result cuFuncGetAttribute(int* value, FunctionAttribute which, Function function) {
    ENTER(cuFuncGetAttribute);
    switch (which) {
        case FunctionAttribute::max_threads_per_block:
            *value = 1024;
            break;
        case FunctionAttribute::num_regs:
            *value = 32;
            break;
        case FunctionAttribute::binary_version:
            *value = 90;
            break;
        case FunctionAttribute::max_dynamic_shared_size_bytes:
            *value = function->max_dynamic_shared;
            break;
        default:
            *value = 0;
    }
    return Result::success;
}
EXPORT Result cuFuncSetAttribute(Function function, FunctionAttribute which, int value) {
    ENTER(cuFuncSetAttribute);
    if (which == FunctionAttribute::max_dynamic_shared_size_bytes)
        function->max_dynamic_shared = value;
    return Result::success;
}
EXPORT Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function, int block,
                                                          std::size_t) {
    *blocks = 2048 / block;
    return Result::success;
}
EXPORT Result cuOccupancyMaxPotentialBlockSize(int* grid, int* block, Function,
                                               std::size_t (*)(int), std::size_t, int) {
    *grid = 264;
    *block = 1024;
    return Result::success;
}
EXPORT Result cuLaunchKernel(Function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                             unsigned by, unsigned bz, unsigned shared, Stream stream,
                             void** values, void**) {
    ENTER(cuLaunchKernel);
    Launch launch = describe(function, gx, gy, gz, bx, by, bz, shared, values);
    launch.stream = stream;
    if (invalid_shape(launch) || static_cast<int>(shared) > function->max_dynamic_shared)
        return Result::invalid_value;
    return run(std::move(launch));
}
EXPORT Result cuLaunchKernelEx(const LaunchConfig* config, Function function, void** values,
                               void**) {
    ENTER(cuLaunchKernelEx);
    Launch launch =
        describe(function, config->grid_x, config->grid_y, config->grid_z, config->block_x,
                 config->block_y, config->block_z, config->shared_bytes, values);
    launch.stream = config->stream;
    for (unsigned i = 0; i < config->attribute_count; ++i) {
        const LaunchAttribute& attribute = config->attributes[i];
        if (attribute.id == LaunchAttributeId::cooperative)
            launch.cooperative = attribute.value.cooperative != 0;
        if (attribute.id == LaunchAttributeId::cluster_dimension)
            std::memcpy(launch.cluster, &attribute.value.cluster, sizeof launch.cluster);
    }
    return run(std::move(launch));
}
EXPORT Result cuGraphCreate(Graph* graph, unsigned) {
    ENTER(cuGraphCreate);
    *graph = new GraphHandle;
    return Result::success;
}
EXPORT Result cuGraphDestroy(Graph graph) {
    delete graph;
    return Result::success;
}
EXPORT Result cuGraphInstantiateWithFlags(GraphExec* executable, Graph graph, unsigned long long) {
    ENTER(cuGraphInstantiateWithFlags);
    *executable =
        new GraphExecHandle{graph->node->launch, graph->node->function, graph->node.get()};
    ++control().graphs_alive;
    return Result::success;
}
EXPORT Result cuGraphExecDestroy(GraphExec executable) {
    const std::lock_guard lock(control().mutex);
    delete executable;
    --control().graphs_alive;
    return Result::success;
}
namespace {
Launch describe(const KernelNodeParameters& p) {
    return describe(p.function, p.grid_x, p.grid_y, p.grid_z, p.block_x, p.block_y, p.block_z,
                    p.shared_bytes, p.parameters);
}
}  // namespace
EXPORT Result cuGraphAddKernelNode_v2(GraphNode* node, Graph graph, const GraphNode*, std::size_t,
                                      const KernelNodeParameters* parameters) {
    ENTER(cuGraphAddKernelNode_v2);
    graph->node = std::make_unique<GraphNodeHandle>();
    graph->node->launch = describe(*parameters);
    graph->node->launch.by_graph = true;
    graph->node->function = parameters->function;
    *node = graph->node.get();
    return Result::success;
}
EXPORT Result cuGraphKernelNodeSetAttribute(GraphNode node, LaunchAttributeId id,
                                            const LaunchAttributeValue* value) {
    ENTER(cuGraphKernelNodeSetAttribute);
    if (id == LaunchAttributeId::priority) node->launch.priority = value->priority;
    if (id == LaunchAttributeId::cooperative) node->launch.cooperative = value->cooperative != 0;
    if (id == LaunchAttributeId::cluster_dimension)
        std::memcpy(node->launch.cluster, &value->cluster, sizeof node->launch.cluster);
    return Result::success;
}
#ifndef HEALD_FAKE_OLD
EXPORT Result cuGraphExecKernelNodeSetParams_v2(GraphExec executable, GraphNode node,
                                                const KernelNodeParameters* parameters) {
    ENTER(cuGraphExecKernelNodeSetParams_v2);
    if (executable->node != node) return Result::invalid_value;
    executable->launch.arguments =
        copy_arguments(executable->launch.kernel, parameters->parameters);
    return Result::success;
}
EXPORT Result cuModuleGetFunctionCount(unsigned* count, Module module) {
    *count = static_cast<unsigned>(module->kernels.size());
    return Result::success;
}
EXPORT Result cuModuleEnumerateFunctions(Function* functions, unsigned count, Module module) {
    ENTER(cuModuleEnumerateFunctions);
    unsigned i = 0;
    for (const std::string& name : module->kernels) {
        if (i == count) break;
        auto& entry = module->functions[name];
        if (entry == nullptr) entry = new FunctionHandle{name};
        functions[i++] = entry;
    }
    return Result::success;
}
EXPORT Result cuFuncGetName(const char** name, Function function) {
    *name = function->name.c_str();
    return Result::success;
}
EXPORT Result cuFuncGetParamInfo(Function function, std::size_t index, std::size_t* offset,
                                 std::size_t* size) {
    ENTER(cuFuncGetParamInfo);
    const auto& sizes = control().parameter_sizes[function->name];
    if (index >= sizes.size()) return Result::invalid_value;
    *size = sizes[index];
    *offset = 0;
    return Result::success;
}
#endif
EXPORT Result cuGraphLaunch(GraphExec executable, Stream stream) {
    ENTER(cuGraphLaunch);
    Launch launch = executable->launch;
    launch.stream = stream;
    return run(std::move(launch));
}
EXPORT Result cuLinkCreate_v2(unsigned, JitOption*, void**, LinkState* state) {
    ENTER(cuLinkCreate_v2);
    *state = new LinkStateHandle;
    return Result::success;
}
EXPORT Result cuLinkAddData_v2(LinkState state, JitInput, void* data, std::size_t size, const char*,
                               unsigned, JitOption*, void**) {
    ENTER(cuLinkAddData_v2);
    state->bytes.assign(static_cast<const char*>(data), size);
    return Result::success;
}
EXPORT Result cuLinkComplete(LinkState state, void** cubin, std::size_t* size) {
    ENTER(cuLinkComplete);
    *cubin = state->bytes.data();
    *size = state->bytes.size();
    return Result::success;
}
EXPORT Result cuLinkDestroy(LinkState state) {
    delete state;
    return Result::success;
}

// Every entry point that heald calls is here, with its type.
#ifndef HEALD_FAKE_OLD
#define CHECK(name, ...) static_assert(std::is_same_v<decltype(name), __VA_ARGS__>);
HEALD_DRIVER_SYMBOLS(CHECK)
#endif

// The benchmarks' C program calls a few more.
EXPORT Result cuStreamCreate(Stream* stream, unsigned flags) {
    (void)flags;
    return cuStreamCreateWithPriority(stream, 0, 0);
}
EXPORT Result cuModuleLoadData(Module* module, const void* image) {
    return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
EXPORT Result cuMemAllocAsync(DevicePointer* address, std::size_t bytes, Stream) {
    return cuMemAlloc_v2(address, bytes);
}
