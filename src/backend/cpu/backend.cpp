#include "src/backend/cpu/backend.hpp"

#include "src/backend/cpu/bound_launch.hpp"
#include "src/backend/cpu/code.hpp"
#include "src/backend/cpu/compile.hpp"
#include "src/backend/cpu/compiler_library.hpp"
#include "src/backend/cpu/event.hpp"
#include "src/backend/cpu/fork.hpp"
#include "src/backend/cpu/host_memory.hpp"
#include "src/backend/cpu/host_operation.hpp"
#include "src/backend/cpu/host_pieces.hpp"
#include "src/backend/cpu/host_threads.hpp"
#include "src/backend/cpu/occupancy.hpp"
#include "src/backend/cpu/processor.hpp"
#include "src/backend/cpu/properties.hpp"
#include "src/backend/cpu/runtime_functions.hpp"
#include "src/backend/cpu/system_memory.hpp"
#include "src/backend/cpu/transfer.hpp"
#include "src/base/check.hpp"
#include "src/core/signal.hpp"

namespace heald::cpu {
namespace {

// Core gives a backend nothing but what that backend made.
Queue& own(core::QueueImpl& queue) noexcept {
    return static_cast<Queue&>(queue);
}
Event& own(core::EventImpl& event) noexcept {
    return static_cast<Event&>(event);
}
Function& own(core::FunctionImpl& function) noexcept {
    return static_cast<Function&>(function);
}

}  // namespace

Backend::Backend() : properties_(device_properties()) {
    survive_forks();
    default_queue_ = Queue::make(0);
}

Device::MemoryInfo Backend::memory_info() {
    const SystemMemory memory = system_memory();
    return {memory.available, memory.total};
}

bool Backend::can_access(const core::Backend& peer) const {
    return this == &peer;
}

void Backend::synchronize() {
    refuse_in_host_function();
    const auto queues = Queue::all();
    std::shared_ptr<Failure> first;
    for (const auto& queue : queues) {
        try {
            queue->synchronize();
        } catch (const Error& error) {
            if (first == nullptr) first = std::make_shared<Failure>(error.kind(), error.what());
        }
    }
    raise_once(first);
    raise_once(Queue::take_orphaned_failure());
}

void* Backend::allocate(std::size_t bytes, MemoryKind kind, core::QueueImpl& queue) {
    refuse_in_host_function();
    // The host may use pinned and managed memory at any time: only what is really free will do.
    if (kind == MemoryKind::device)
        if (void* data = own(queue).releases.take(bytes)) return data;
    return HostMemory::instance().allocate(bytes);
}

void Backend::release(void* data, std::size_t bytes, MemoryKind, core::QueueImpl& queue) noexcept {
    without_throwing("Buffer.close", [&] { enqueue_release(data, bytes, own(queue)); });
}

std::size_t Backend::cached_bytes() const {
    return HostMemory::instance().cached_bytes();
}
void Backend::trim(std::size_t keep_bytes) {
    HostMemory::instance().trim(keep_bytes);
}

void Backend::copy(void* destination, const void* source, std::size_t bytes, core::QueueImpl& queue,
                   std::shared_ptr<const void> owner) {
    refuse_in_host_function();
    enqueue_copy(destination, source, bytes, own(queue), std::move(owner));
}

void Backend::fill(void* destination, std::uint64_t pattern, unsigned pattern_bytes,
                   std::size_t count, core::QueueImpl& queue) {
    refuse_in_host_function();
    enqueue_fill(destination, pattern, pattern_bytes, count, own(queue));
}

std::shared_ptr<core::QueueImpl> Backend::default_queue() {
    return default_queue_;
}

std::shared_ptr<core::QueueImpl> Backend::make_queue(const StreamOptions&) {
    return Queue::make(0);  // one priority: CUDA clamps to what the device has
}

std::shared_ptr<core::QueueImpl> Backend::wrap_queue(std::uintptr_t handle) {
    auto queue = handle == 0 ? default_queue_ : Queue::find(handle);
    HEALD_EXPECTS(queue != nullptr, invalid_value, "[Stream.from_handle] ", handle,
                  " is not the handle of a stream of cpu");
    return queue;
}

void Backend::synchronize(core::QueueImpl& queue) {
    refuse_in_host_function();
    own(queue).synchronize();
}
bool Backend::done(core::QueueImpl& queue) {
    return own(queue).done();
}
void Backend::cancel(core::QueueImpl& queue) {
    own(queue).cancel();
}

void Backend::host_function(core::QueueImpl& queue, std::function<void()> function) {
    refuse_in_host_function();
    enqueue_host_function(own(queue), std::move(function));
}

void Backend::host_pieces(core::QueueImpl& queue, std::uint64_t pieces, bool short_work,
                          std::function<void(std::uint64_t, std::uint64_t)> run) {
    refuse_in_host_function();
    enqueue_host_pieces(own(queue), pieces, short_work, std::move(run));
}

std::shared_ptr<core::EventImpl> Backend::make_event(bool timing) {
    return std::make_shared<Event>(timing);
}
void Backend::record(core::EventImpl& event, core::QueueImpl& queue) {
    refuse_in_host_function();
    own(event).record(own(queue));
}
void Backend::wait(core::QueueImpl& queue, core::EventImpl& event) {
    refuse_in_host_function();
    own(event).make_wait(own(queue));
}
void Backend::wait_signal(core::QueueImpl& queue, std::shared_ptr<core::Signal> signal) {
    if (signal->is_set()) return;
    auto point = std::make_shared<Point>();
    make_wait_for(own(queue), point);
    signal->when_set([point] { point->reach(nullptr); });
}
void Backend::synchronize(core::EventImpl& event) {
    refuse_in_host_function();
    own(event).synchronize();
}
bool Backend::done(core::EventImpl& event) {
    return own(event).done();
}
float Backend::elapsed(core::EventImpl& start, core::EventImpl& stop) {
    return own(stop).elapsed_since(own(start));
}

std::string Backend::compiler_identity(const core::CompileRequest&) {
    return cpu::compiler_identity();
}
core::CodeData Backend::compile(const core::CompileRequest& request) {
    return cpu::compile(request);
}
core::CodeData Backend::link(const std::vector<const core::CodeData*>& inputs,
                             const core::CompileRequest& request) {
    return cpu::link(inputs, request);
}
std::shared_ptr<core::CodeImpl> Backend::load(const core::CodeData& code) {
    return Code::load(code);
}

KernelAttributes Backend::attributes(core::FunctionImpl& function) {
    return cpu::attributes(own(function));
}
int Backend::max_active_blocks(core::FunctionImpl& function, int block, std::size_t shared) {
    return cpu::max_active_blocks(own(function), block, shared);
}
BlockSize Backend::suggest_block_size(core::FunctionImpl& function, std::size_t shared) {
    return cpu::suggest_block_size(own(function), shared);
}

void Backend::launch(core::FunctionImpl& function, core::QueueImpl& queue,
                     const LaunchConfig& config, const PackedArguments& arguments,
                     const LaunchSite& site) {
    refuse_in_host_function();
    Function& kernel = own(function);
    const Grid grid = kernel.grid(config, site);
    launch_grid(grid, kernel, arguments.values, own(queue));
}

std::shared_ptr<core::BoundImpl> Backend::bind(core::FunctionImpl& function,
                                               std::shared_ptr<core::QueueImpl> queue,
                                               const LaunchConfig& config,
                                               const PackedArguments& arguments,
                                               const LaunchSite& site) {
    return std::make_shared<BoundLaunch>(own(function), std::static_pointer_cast<Queue>(queue),
                                         config, arguments, site);
}

void Backend::report(DoctorReport& report) {
    report.libraries.push_back(report_compiler());
    LibraryReport vector_math;
    vector_math.name = "libmvec";
    vector_math.purpose =
        "vector mathematics of the C library; without it functions run lane by lane";
    vector_math.found = vector_math_available();
    vector_math.path = vector_math.found ? "libmvec.so.1" : "";
    vector_math.tried = {"libmvec.so.1 on the system's library path"};
    report.libraries.push_back(std::move(vector_math));
    const Allowance& allowed = allowance();
    for (DeviceReport& device : report.devices)
        if (device.name == "cpu")
            device.reason += text(device.reason.empty() ? "" : "; ", properties_.architecture, ", ",
                                  allowed.workers, " worker threads on ", allowed.cpus.size(),
                                  " processors", allowed.pinned ? ", one each" : "");
}

core::BackendKind backend_kind() {
    return {DeviceKind::cpu, [](std::string&, bool&) { return 1; },
            [](int) -> std::shared_ptr<core::Backend> { return std::make_shared<Backend>(); }};
}

}  // namespace heald::cpu
