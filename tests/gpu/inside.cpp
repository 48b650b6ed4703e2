#include "tests/gpu/inside.hpp"

#include "src/backend/cuda/driver/api.hpp"
#include "src/backend/cuda/launch_cache.hpp"
#include "src/backend/cuda/queue.hpp"
#include "src/core/device_state.hpp"

#include <unistd.h>
#include <fstream>
#include <stdexcept>
#include <string>

namespace gpu_check {
namespace {

namespace driver = heald::cuda::driver;

/// A driver function that heald itself does not use.
template <class... Args>
void call(const char* name, Args... arguments) {
    const auto function = driver::library().function<int (*)(Args...)>(name);
    if (function == nullptr) throw std::runtime_error(std::string(name) + " is missing");
    if (const int result = function(arguments...); result != 0)
        throw std::runtime_error(std::string(name) + " gave " + std::to_string(result));
}

}  // namespace

std::size_t graphs_of(const heald::Stream& stream) {
    return static_cast<heald::cuda::Queue&>(*stream.state().queue).launches().graphs();
}

bool launches_are_automatic() {
    return heald::cuda::launch_policy() == heald::cuda::LaunchPolicy::automatic;
}

std::size_t resident_bytes() {
    std::size_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void* current_context() {
    void* context = nullptr;
    call("cuCtxGetCurrent", &context);
    return context;
}

void set_current_context(void* context) {
    call("cuCtxSetCurrent", context);
}

void* primary_context(int ordinal) {
    void* context = nullptr;
    call("cuDevicePrimaryCtxRetain", &context, ordinal);
    return context;
}

namespace {

class InPrimaryContext {
public:
    InPrimaryContext() : before_(current_context()) { set_current_context(primary_context(0)); }
    ~InPrimaryContext() { set_current_context(before_); }
    InPrimaryContext(const InPrimaryContext&) = delete;
    InPrimaryContext& operator=(const InPrimaryContext&) = delete;

private:
    void* before_;
};

}  // namespace

Capture::Capture(const heald::Stream& stream, Mode mode)
    : stream_(reinterpret_cast<void*>(stream.handle())) {
    call("cuStreamBeginCapture_v2", stream_, static_cast<int>(mode));
}

Capture::~Capture() {
    if (executable_ != nullptr) call("cuGraphExecDestroy", executable_);
    if (graph_ != nullptr) call("cuGraphDestroy", graph_);
}

void Capture::end() {
    call("cuStreamEndCapture", stream_, &graph_);
    const InPrimaryContext current;
    call("cuGraphInstantiateWithFlags", &executable_, graph_, 0ull);
}

std::size_t Capture::nodes() const {
    std::size_t count = 0;
    call("cuGraphGetNodes", graph_, static_cast<void**>(nullptr), &count);
    return count;
}

void Capture::launch() {
    const InPrimaryContext current;
    call("cuGraphLaunch", executable_, stream_);
}

}  // namespace gpu_check
