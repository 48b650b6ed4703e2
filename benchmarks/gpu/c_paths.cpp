#include "benchmarks/gpu/c_paths.hpp"

#include "src/backend/cuda/driver/types.hpp"

#include <dlfcn.h>
#include <cstdio>
#include <cstdlib>

using namespace heald::cuda::driver;

namespace {

#define SYMBOLS(X)                                                                                 \
    X(cuInit, Result(unsigned))                                                                    \
    X(cuDevicePrimaryCtxRetain, Result(Context*, Device))                                          \
    X(cuCtxGetCurrent, Result(Context*))                                                           \
    X(cuCtxPushCurrent_v2, Result(Context))                                                        \
    X(cuCtxPopCurrent_v2, Result(Context*))                                                        \
    X(cuModuleLoadData, Result(Module*, const void*))                                              \
    X(cuModuleUnload, Result(Module))                                                              \
    X(cuModuleGetFunction, Result(Function*, Module, const char*))                                 \
    X(cuStreamIsCapturing, Result(Stream, CaptureStatus*))                                         \
    X(cuStreamCreate, Result(Stream*, unsigned))                                                   \
    X(cuStreamDestroy_v2, Result(Stream))                                                          \
    X(cuStreamSynchronize, Result(Stream))                                                         \
    X(cuMemAlloc_v2, Result(DevicePointer*, std::size_t))                                          \
    X(cuMemFree_v2, Result(DevicePointer))                                                         \
    X(cuMemAllocAsync, Result(DevicePointer*, std::size_t, Stream))                                \
    X(cuMemFreeAsync, Result(DevicePointer, Stream))                                               \
    X(cuLaunchKernel, Result(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
                             unsigned, Stream, void**, void**))                                    \
    X(cuGraphCreate, Result(Graph*, unsigned))                                                     \
    X(cuGraphAddKernelNode_v2,                                                                     \
      Result(GraphNode*, Graph, const GraphNode*, std::size_t, const KernelNodeParameters*))       \
    X(cuGraphInstantiateWithFlags, Result(GraphExec*, Graph, unsigned long long))                  \
    X(cuGraphExecKernelNodeSetParams_v2,                                                           \
      Result(GraphExec, GraphNode, const KernelNodeParameters*))                                   \
    X(cuGraphLaunch, Result(GraphExec, Stream))

template <class Signature>
struct Pointer;
template <class R, class... Args>
struct Pointer<R(Args...)> {
    using type = R (*)(Args...);
};

struct Driver {
    Driver() {
        const char* path = std::getenv("HEALD_DRIVER_PATH");
        void* library = dlopen(path != nullptr ? path : "libcuda.so.1", RTLD_NOW);
        if (library == nullptr) {
            std::fprintf(stderr, "C path: %s\n", dlerror());
            std::exit(1);
        }
#define LOOK_UP(name, ...) \
    name = reinterpret_cast<Pointer<__VA_ARGS__>::type>(library ? dlsym(library, #name) : nullptr);
        SYMBOLS(LOOK_UP)
#undef LOOK_UP
    }
#define MEMBER(name, ...) Pointer<__VA_ARGS__>::type name = nullptr;
    SYMBOLS(MEMBER)
#undef MEMBER
};

const Driver& cu() {
    static const Driver driver;
    return driver;
}

void check(Result result, const char* call) {
    if (result == Result::success) return;
    std::fprintf(stderr, "C path: %s gave %d\n", call, static_cast<int>(result));
    std::exit(1);
}
#define CHECK(call) check(cu().call, #call)

}  // namespace

struct CPath {
    Context context = nullptr;
    Module module = nullptr;
    Function function = nullptr;
    Stream stream = nullptr;
    DevicePointer a = 0, b = 0;
    int n = 3;
    long long cycles = 0;
    void* values[4] = {&a, &b, &n, &cycles};
    GraphNode node = nullptr;
    GraphExec executable = nullptr;
    KernelNodeParameters parameters{};
};

CPath* c_path_open(const void* cubin, const char* name, long long cycles) {
    auto* path = new CPath;
    path->cycles = cycles;
    Context current = nullptr;
    CHECK(cuInit(0));
    CHECK(cuDevicePrimaryCtxRetain(&path->context, 0));
    CHECK(cuCtxGetCurrent(&current));
    // As a CUDA program has it: the primary context is current for good.
    if (current != path->context) CHECK(cuCtxPushCurrent_v2(path->context));
    CHECK(cuModuleLoadData(&path->module, cubin));
    CHECK(cuModuleGetFunction(&path->function, path->module, name));
    CHECK(cuStreamCreate(&path->stream, 1));
    CHECK(cuMemAlloc_v2(&path->a, 4096));
    CHECK(cuMemAlloc_v2(&path->b, 4096));
    KernelNodeParameters& p = path->parameters;
    p.function = path->function;
    p.grid_x = p.grid_y = p.grid_z = p.block_y = p.block_z = 1;
    p.block_x = 32;
    p.parameters = path->values;
    Graph graph = nullptr;
    CHECK(cuGraphCreate(&graph, 0));
    CHECK(cuGraphAddKernelNode_v2(&path->node, graph, nullptr, 0, &p));
    CHECK(cuGraphInstantiateWithFlags(&path->executable, graph, 0));
    return path;
}

void c_path_close(CPath* path) {
    CHECK(cuStreamSynchronize(path->stream));
    CHECK(cuStreamDestroy_v2(path->stream));
    CHECK(cuMemFree_v2(path->a));
    CHECK(cuMemFree_v2(path->b));
    delete path;
}

void c_path_enter(CPath* path) {
    Context current = nullptr;
    CHECK(cuCtxGetCurrent(&current));
    if (current != path->context) CHECK(cuCtxPushCurrent_v2(path->context));
}

void c_path_enter_primary() {
    Context primary = nullptr;
    CHECK(cuDevicePrimaryCtxRetain(&primary, 0));
    CHECK(cuCtxPushCurrent_v2(primary));
}

void c_path_leave(CPath*) {
    Context popped = nullptr;
    CHECK(cuCtxPopCurrent_v2(&popped));
}

void c_path_plain(CPath* path, int count) {
    for (int i = 0; i < count; ++i)
        CHECK(cuLaunchKernel(path->function, 1, 1, 1, 32, 1, 1, 0, path->stream, path->values,
                             nullptr));
}

void c_path_plain_changing_grid(CPath* path, int count) {
    for (int i = 0; i < count; ++i)
        CHECK(cuLaunchKernel(path->function, 1 + static_cast<unsigned>(i % 61), 1, 1, 32, 1, 1, 0,
                             path->stream, path->values, nullptr));
}

void c_path_graph(CPath* path, int count) {
    for (int i = 0; i < count; ++i) CHECK(cuGraphLaunch(path->executable, path->stream));
}

void c_path_set_and_graph(CPath* path, int count) {
    for (int i = 0; i < count; ++i) {
        path->n = i + 1;
        CHECK(cuGraphExecKernelNodeSetParams_v2(path->executable, path->node, &path->parameters));
        CHECK(cuGraphLaunch(path->executable, path->stream));
    }
}

void c_path_context_switches(CPath* path, int count) {
    Context popped = nullptr;
    for (int i = 0; i < count; ++i) {
        CHECK(cuCtxPushCurrent_v2(path->context));
        CHECK(cuCtxPopCurrent_v2(&popped));
    }
}

void c_path_current_context(CPath*, int count) {
    Context current = nullptr;
    for (int i = 0; i < count; ++i) CHECK(cuCtxGetCurrent(&current));
}

void c_path_is_capturing(CPath* path, int count) {
    CaptureStatus status{};
    for (int i = 0; i < count; ++i) CHECK(cuStreamIsCapturing(path->stream, &status));
}

void c_path_allocate(CPath* path, int count, std::size_t bytes) {
    for (int i = 0; i < count; ++i) {
        DevicePointer block = 0;
        CHECK(cuMemAllocAsync(&block, bytes, path->stream));
        CHECK(cuMemFreeAsync(block, path->stream));
    }
}

void c_path_synchronize(CPath* path) {
    CHECK(cuStreamSynchronize(path->stream));
}
