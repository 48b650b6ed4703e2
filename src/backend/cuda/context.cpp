#include "src/backend/cuda/context.hpp"

#include "src/base/check.hpp"

#include <algorithm>

namespace heald::cuda {

using driver::Result;

thread_local bool Context::in_host_function = false;

Context::Context(int ordinal)
    : api_(driver::api()),
      ordinal_(ordinal),
      generation_(fork_generation()),
      events_(*this),
      flags_(*this),
      deferred_(*this) {
    driver::check(driver::initialise(), "cuInit");
    driver::check(api_.cuDeviceGet(&device_, ordinal), "cuDeviceGet");
    const Result result = api_.cuDevicePrimaryCtxRetain(&handle_, device_);
    if (result != Result::success)
        fail(driver::kind_of(result) == ErrorKind::out_of_memory ? ErrorKind::out_of_memory
                                                                 : ErrorKind::unavailable,
             "[Device] ", name(), " cannot be opened: the CUDA driver says ",
             driver::describe(result),
             " (cuDevicePrimaryCtxRetain). nvidia-smi shows whether the "
             "device is in use exclusively, out of memory or in a bad state");
}

std::string Context::name() const {
    return text("cuda:", ordinal_);
}

void Context::refuse_caller() const {
    if (in_host_function)
        fail(ErrorKind::device, "[host function] a function that runs on a stream may not use ",
             name(),
             ": it would wait for itself. Hand the work to another thread, or enqueue it "
             "after the stream is synchronised");
    fail(ErrorKind::unavailable, "[Device] ", name(),
         " cannot be used in a child made by fork: "
         "CUDA does not survive it. Start the process with the \"spawn\" method "
         "(multiprocessing.set_start_method(\"spawn\")), or fork before the GPU is first used; "
         "the CPU device works in the child");
}

std::shared_ptr<LaunchLog> Context::make_log() {
    constexpr std::size_t kept_without_queue = 16;
    auto log = std::make_shared<LaunchLog>();
    const std::lock_guard lock(mutex_);
    std::size_t orphans = 0;
    for (const auto& entry : logs_) orphans += entry.use_count() == 1;
    // The oldest first: their launches are the likeliest to be done.
    while (orphans > kept_without_queue) {
        const auto orphan = std::find_if(logs_.begin(), logs_.end(),
                                         [](const auto& entry) { return entry.use_count() == 1; });
        logs_.erase(orphan);
        --orphans;
    }
    logs_.push_back(log);
    return log;
}

std::string Context::unfinished_launches() const {
    std::vector<std::string> launches;
    std::uint64_t more = 0;
    for (const auto& log : logs_)
        for (auto& launch : log->unfinished(more)) launches.push_back(std::move(launch));
    if (launches.empty()) return "none by heald";
    std::string list = join(launches);
    if (more > 0) list += text(" and ", more, " more");
    return list;
}

void Context::raise(Result result, const char* operation, const std::string& launch) {
    const std::lock_guard lock(mutex_);
    if (!driver::is_fault(result) && fault_.empty()) driver::raise(result, operation);
    if (fault_.empty()) {
        fault_ = text(driver::describe(result));
        if (!launch.empty())
            fault_ += text(". The kernel that failed: ", launch);
        else
            fault_ +=
                text(". Launches not known to be complete, newest first: ", unfinished_launches(),
                     ". HEALD_LAUNCH_BLOCKING=1 names the exact one, compute-sanitizer the "
                     "access");
        faulted_.store(true, std::memory_order_relaxed);
    }
    fail(ErrorKind::kernel_fault, "[", operation, "] work on ", name(), " failed: ", fault_,
         ". The CUDA context is lost for this process: every later call on ", name(),
         " fails and its memory cannot be read. heald does not reset it, because other libraries "
         "keep memory there: start a new process. Other devices and the CPU go on working");
}

}  // namespace heald::cuda
