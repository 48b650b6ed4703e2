#include "src/backend/cpu/host_operation.hpp"

#include "src/backend/cpu/host_threads.hpp"
#include "src/backend/cpu/queue.hpp"

#include <exception>

namespace heald::cpu {
namespace {

class HostOperation final : public Operation {
public:
    explicit HostOperation(std::function<void()> function) : function_(std::move(function)) {}

    Step start(Queue& queue) override {
        run_on_host_thread([this, &queue] { run(queue); });
        return Step::pending;
    }

private:
    void run(Queue& queue) noexcept {
        try {
            const HostFunctionScope scope;
            function_();
        } catch (const Error& error) {
            queue.fail(error.kind(), error.what());
        } catch (const std::exception& error) {
            queue.fail(
                ErrorKind::device,
                std::string("[Stream.host_function] the host function failed: ") + error.what());
        } catch (...) {
            queue.fail(ErrorKind::device,
                       "[Stream.host_function] the host function failed with an unknown exception");
        }
        queue.complete();
    }

    std::function<void()> function_;
};

}  // namespace

void enqueue_host_function(Queue& queue, std::function<void()> function) {
    queue.push(new HostOperation(std::move(function)));
}

}  // namespace heald::cpu
