#pragma once

// What the parts of the fake driver share.

#include "src/backend/cuda/driver/symbols.hpp"
#include "tests/cpp/cuda/fake_driver.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

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
    ModuleHandle() = default;
    ModuleHandle(const ModuleHandle&) = delete;
    ModuleHandle& operator=(const ModuleHandle&) = delete;
    ~ModuleHandle();
};
struct FunctionHandle {
    std::string name;
    int max_dynamic_shared = 49152;
};
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

// Each entry point with heald's own type: a definition that differs does not compile.
#define HEALD_DECLARE(name, ...)          \
    using name##_signature = __VA_ARGS__; \
    extern "C" __attribute__((visibility("default"))) name##_signature name;
HEALD_DRIVER_SYMBOLS(HEALD_DECLARE)
#undef HEALD_DECLARE

}  // namespace heald::cuda::driver

namespace heald::cuda::fake {

Control& control();

/// The contexts made current on this thread.
std::vector<driver::Context>& current_stack();
driver::Context context_of(driver::Device device);

/// Counts the call and gives the failure that the test asked for.
driver::Result enter(const char* name);

#ifdef HEALD_FAKE_QUICK
/// For benchmarks of heald itself: launches and what goes with them do nothing.
inline constexpr bool quick = true;
#else
inline constexpr bool quick = false;
#endif

}  // namespace heald::cuda::fake

#define ENTER(name)                                                 \
    const std::lock_guard lock(heald::cuda::fake::control().mutex); \
    if (const auto result = heald::cuda::fake::enter(#name);        \
        result != heald::cuda::driver::Result::success)             \
    return result

/// For calls that may be part of a launch.
#define ENTER_HOT(name)                                                                  \
    if constexpr (heald::cuda::fake::quick) return heald::cuda::driver::Result::success; \
    ENTER(name)
