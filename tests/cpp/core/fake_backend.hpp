#pragma once

// A device that runs nothing and writes down what it was asked to enqueue, so that tests can see
// which waits the engine makes. Work is "done" when a test says so.

#include "src/base/check.hpp"
#include "src/core/backend.hpp"
#include "src/core/device_state.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

namespace heald::fake {

/// Outlives its queue, as what is recorded in a real one does.
struct Progress {
    explicit Progress(int id_) : id(id_) {}
    const int id;
    std::atomic<int> operations{0};
    std::atomic<int> done{0};  ///< operations that the test let finish
};

struct Queue final : core::QueueImpl {
    explicit Queue(int id) : progress(std::make_shared<Progress>(id)) {}
    [[nodiscard]] std::uintptr_t handle() const override {
        return 0x1000 + static_cast<std::uintptr_t>(progress->id);
    }
    const std::shared_ptr<Progress> progress;
};

struct Event final : core::EventImpl {
    [[nodiscard]] std::uintptr_t handle() const override { return 0x9000; }
    std::shared_ptr<Progress> queue;
    int position = 0;
};

struct Function final : core::FunctionImpl {
    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] const Signature& signature() const override { return signature_; }
    std::string name_;
    Signature signature_;
};

struct Code final : core::CodeImpl {
    explicit Code(const core::CodeData& data, std::atomic<int>& live_) : live(live_) {
        ++live;
        for (const auto& kernel : data.kernels) {
            auto& function = functions[kernel.lowered];
            function.name_ = kernel.display;
            function.signature_ = kernel.signature;
        }
    }
    ~Code() override { --live; }
    core::FunctionImpl& function(const std::string& lowered) override {
        const auto found = functions.find(lowered);
        HEALD_EXPECTS(found != functions.end(), not_found, "no function ", lowered);
        return found->second;
    }
    core::GlobalSymbol global(const std::string& lowered) override {
        HEALD_EXPECTS(lowered == "table", not_found, "no variable ", lowered);
        return {storage, sizeof storage, false};
    }
    std::vector<std::string> function_names() override {
        std::vector<std::string> names;
        for (const auto& [name, function] : functions) names.push_back(name);
        return names;
    }
    std::map<std::string, Function> functions;
    std::atomic<int>& live;
    float storage[16] = {};
};

/// Source lines "kernel LOWERED DISPLAY [types…]" are kernels; "error" does not compile; "global"
/// makes mutable globals; "template NAME" allows instances of it.
class Backend final : public core::Backend {
public:
    Backend() {
        properties_.name = "fake";
        properties_.architecture = "fake_1";
        properties_.max_threads_per_block = 1024;
        for (int i = 0; i < 3; ++i) {
            properties_.max_block[i] = i == 2 ? 64 : 1024;
            properties_.max_grid[i] = i == 0 ? 2147483647u : 65535u;
        }
    }

    const DeviceProperties& properties() const override { return properties_; }
    Device::MemoryInfo memory_info() override { return {1 << 20, 1 << 21}; }
    bool can_access(const core::Backend&) const override { return false; }
    void synchronize() override {
        const std::lock_guard lock(mutex);
        for (auto& queue : queues) queue->done = queue->operations.load();
        ++device_synchronisations;
    }

    void* allocate(std::size_t bytes, MemoryKind, core::QueueImpl&) override {
        HEALD_EXPECTS(bytes <= capacity, out_of_memory, "the fake device is full");
        return std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    }
    void release(void* data, std::size_t, MemoryKind, core::QueueImpl& queue) noexcept override {
        note(queue, "release");
        std::free(data);
    }
    std::size_t cached_bytes() const override { return 0; }
    void trim(std::size_t) override {}
    void copy(void*, const void*, std::size_t, core::QueueImpl& queue,
              std::shared_ptr<const void>) override {
        operate(queue, "copy");
    }
    void fill(void*, std::uint64_t, unsigned, std::size_t, core::QueueImpl& queue) override {
        operate(queue, "fill");
    }

    std::shared_ptr<core::QueueImpl> default_queue() override { return new_queue(); }
    std::shared_ptr<core::QueueImpl> make_queue(const StreamOptions&) override {
        return new_queue();
    }
    std::shared_ptr<core::QueueImpl> wrap_queue(std::uintptr_t) override { return new_queue(); }
    void synchronize(core::QueueImpl& queue) override {
        auto& own = progress_of(queue);
        own.done = own.operations.load();
    }
    bool done(core::QueueImpl& queue) override {
        auto& own = progress_of(queue);
        return own.done >= own.operations;
    }
    void cancel(core::QueueImpl&) override {}
    void host_function(core::QueueImpl& queue, std::function<void()>) override {
        operate(queue, "host");
    }
    std::shared_ptr<core::EventImpl> make_event(bool) override {
        ++events_made;
        return std::make_shared<Event>();
    }
    void record(core::EventImpl& event, core::QueueImpl& queue) override {
        HEALD_EXPECTS(!refuse_work, device, "the fake device takes no work now");
        ++records;
        auto& own = static_cast<Event&>(event);
        own.queue = static_cast<Queue&>(queue).progress;
        own.position = own.queue->operations;
    }
    void wait(core::QueueImpl& queue, core::EventImpl& event) override {
        const auto& own = static_cast<Event&>(event);
        std::ostringstream line;
        line << "wait " << own.queue->id << '@' << own.position;
        note(queue, line.str());
    }
    void synchronize(core::EventImpl& event) override {
        const auto& own = static_cast<Event&>(event);
        if (own.queue != nullptr && own.queue->done < own.position) own.queue->done = own.position;
    }
    bool done(core::EventImpl& event) override {
        const auto& own = static_cast<Event&>(event);
        return own.queue == nullptr || own.queue->done >= own.position;
    }
    float elapsed(core::EventImpl&, core::EventImpl&) override { return 1; }

    std::string compiler_identity(const core::CompileRequest&) override { return "fake compiler"; }
    core::CodeData compile(const core::CompileRequest& request) override;
    core::CodeData link(const std::vector<const core::CodeData*>& inputs,
                        const core::CompileRequest&) override {
        core::CodeData result = *inputs.front();
        for (std::size_t i = 1; i < inputs.size(); ++i)
            result.kernels.insert(result.kernels.end(), inputs[i]->kernels.begin(),
                                  inputs[i]->kernels.end());
        return result;
    }
    std::shared_ptr<core::CodeImpl> load(const core::CodeData& code) override {
        ++loads;
        return std::make_shared<Code>(code, live_codes);
    }

    KernelAttributes attributes(core::FunctionImpl&) override {
        KernelAttributes result;
        result.max_threads_per_block = kernel_threads;
        result.static_shared = 1024;
        result.max_dynamic_shared = 48 * 1024;
        return result;
    }
    int max_active_blocks(core::FunctionImpl&, int, std::size_t) override { return 1; }
    BlockSize suggest_block_size(core::FunctionImpl&, std::size_t) override { return {256, 1}; }
    void launch(core::FunctionImpl&, core::QueueImpl& queue, const LaunchConfig&,
                const PackedArguments&, const LaunchSite&) override {
        HEALD_EXPECTS(!fail_launches, device, "the fake launch fails");
        operate(queue, "launch");
    }
    std::shared_ptr<core::BoundImpl> bind(core::FunctionImpl&,
                                          std::shared_ptr<core::QueueImpl> queue,
                                          const LaunchConfig&, const PackedArguments&,
                                          const LaunchSite&) override {
        struct Bound final : core::BoundImpl {
            Bound(Backend& backend_, std::shared_ptr<core::QueueImpl> queue_)
                : backend(backend_), queue(std::move(queue_)) {}
            void launch() override { backend.operate(*queue, "bound"); }
            Backend& backend;
            std::shared_ptr<core::QueueImpl> queue;
        };
        return std::make_shared<Bound>(*this, std::move(queue));
    }
    void report(DoctorReport&) override {}

    // For the tests.
    [[nodiscard]] std::vector<std::string> take_log() {
        const std::lock_guard lock(mutex);
        return std::exchange(log, {});
    }

    DeviceProperties properties_;
    std::atomic<int> events_made{0};
    std::atomic<int> records{0};
    std::atomic<int> compiles{0};
    std::atomic<int> loads{0};
    std::atomic<int> live_codes{0};
    std::atomic<int> device_synchronisations{0};
    std::atomic<bool> keep_log{true};
    bool fail_launches = false;
    bool refuse_work = false;  ///< as within a host function
    int kernel_threads = 512;
    std::size_t capacity = std::size_t{1} << 30;

private:
    std::shared_ptr<core::QueueImpl> new_queue() {
        const std::lock_guard lock(mutex);
        auto queue = std::make_shared<Queue>(static_cast<int>(queues.size()));
        queues.push_back(queue->progress);
        return queue;
    }
    static Progress& progress_of(core::QueueImpl& queue) {
        return *static_cast<Queue&>(queue).progress;
    }
    void operate(core::QueueImpl& queue, const char* what) {
        ++progress_of(queue).operations;
        note(queue, what);
    }
    void note(core::QueueImpl& queue, const std::string& what) {
        if (!keep_log) return;
        const std::lock_guard lock(mutex);
        log.push_back(std::to_string(progress_of(queue).id) + ": " + what);
    }

    std::mutex mutex;
    std::vector<std::string> log;
    std::vector<std::shared_ptr<Progress>> queues;
};

inline core::CodeData Backend::compile(const core::CompileRequest& request) {
    ++compiles;
    core::CodeData data;
    data.kind = DeviceKind::cpu;
    data.format = "cpu";
    data.name = request.name;
    data.bytes = request.source;
    data.symbols_complete = true;
    std::istringstream lines(request.source);
    std::vector<std::string> templates;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string first;
        words >> first;
        if (first == "error")
            throw CompileError("fake error",
                               {{Diagnostic::Severity::error, request.name, 1, 1, "fake error"}},
                               "log");
        if (first == "global") data.has_mutable_globals = true;
        if (first == "include") {
            std::string path;
            words >> path;
            data.dependencies.push_back(path);
        }
        std::string name;
        words >> name;
        if (first == "template") templates.push_back(name);
        if (first != "kernel") continue;
        core::KernelSymbol kernel;
        kernel.lowered = name;
        words >> kernel.display;
        for (std::string type; words >> type;) {
            Parameter parameter;
            parameter.type_name = type;
            if (type == "int")
                parameter = {Parameter::Kind::scalar, DType::int32, false, false, 4, 4};
            if (type == "float")
                parameter = {Parameter::Kind::scalar, DType::float32, false, false, 4, 4};
            if (type == "in")
                parameter = {Parameter::Kind::pointer, DType::float32, true, false, 8, 8};
            if (type == "out")
                parameter = {Parameter::Kind::pointer, DType::float32, false, false, 8, 8};
            parameter.type_name = type;
            kernel.signature.parameters.push_back(parameter);
        }
        data.kernels.push_back(std::move(kernel));
    }
    for (const std::string& wanted : request.names) {
        const std::string base = wanted.substr(0, wanted.find('<'));
        if (std::find(templates.begin(), templates.end(), base) == templates.end())
            throw CompileError("no template named " + base, {}, "log");
        data.kernels.push_back({"_Z_" + wanted, wanted, wanted, {}, true});
    }
    return data;
}

/// A fake device and its backend.
struct Machine {
    std::shared_ptr<Backend> backend = std::make_shared<Backend>();
    Device device{core::DeviceState::make(backend, DeviceKind::cpu, 0)};
};

}  // namespace heald::fake
