#include "src/backend/cpu/launch.hpp"

#include "src/backend/cpu/fault.hpp"
#include "src/backend/cpu/function.hpp"
#include "src/backend/cpu/piecewise.hpp"
#include "src/backend/cpu/thread_start.hpp"
#include "src/backend/cpu/worker_pool.hpp"

#include <array>
#include <cstring>
#include <mutex>
#include <utility>

namespace heald::cpu {
namespace {

// About 10 µs of vector code: handing work to another thread costs about half of that.
constexpr std::uint64_t short_work = std::uint64_t{1} << 19;
constexpr std::uint64_t work_per_block = 64;

// More blocks than this cannot all be under way, on a GPU neither.
constexpr std::uint64_t most_waiting_blocks = 4096;

/// A queued launch. Reused through a free list, since a program makes millions.
class LaunchOperation final : public PiecewiseOperation {
public:
    static LaunchOperation* take();

    void set(const Grid& grid, const Function& function, bool is_short, void* const* values) {
        const ArgumentLayout& layout = function.layout();
        grid_ = grid;
        short_ = is_short;
        owner_ = function.owner();
        const std::size_t count = layout.slots.size();
        std::byte* bytes = inline_bytes_.data();
        void** pointers = inline_values_.data();
        if (count > inline_values_.size() || layout.bytes > inline_bytes_.size()) {
            const std::size_t rounded = (layout.bytes + 15) / 16 * 16;
            more_ = std::make_unique<std::byte[]>(rounded + count * sizeof(void*));
            bytes = more_.get();
            pointers = reinterpret_cast<void**>(more_.get() + rounded);
        }
        for (std::size_t i = 0; i < count; ++i) {
            pointers[i] = bytes + layout.slots[i].offset;
            std::memcpy(pointers[i], values[i], layout.slots[i].size);
        }
        values_ = pointers;
        total_ = grid.blocks();
        // Blocks that wait for later ones must not hold these in their own chunk.
        const unsigned workers = WorkerPool::instance().size();
        in_order_ = function.work().may_wait;
        chunk_ = in_order_ && total_ <= most_waiting_blocks
                     ? 1
                     : std::max<std::uint64_t>(1, total_ / (16 * workers));
        dropped = false;
        next = nullptr;
    }
    Step start(Queue& queue) override {
        // Not worth waking anybody, on a thread that has nothing else to do.
        if (short_ && on_own_thread()) {
            run_blocks(grid_, values_, queue, 0, total_);
            return Step::done;
        }
        return PiecewiseOperation::start(queue);
    }

    void retire() noexcept override;

protected:
    void run_range(Queue& queue, std::uint64_t first, std::uint64_t last) noexcept override {
        run_blocks(grid_, values_, queue, first, last);
    }

private:
    Grid grid_;
    bool short_ = false;
    std::shared_ptr<const void> owner_;
    void* const* values_ = nullptr;
    alignas(16) std::array<std::byte, 256> inline_bytes_;
    std::array<void*, 24> inline_values_;
    std::unique_ptr<std::byte[]> more_;
};

/// Launch operations that are not in use: made on one thread, ended on another.
struct FreeList {
    SpinLock lock;
    Operation* first = nullptr;
    unsigned length = 0;
};
constinit FreeList free_launches;
constexpr unsigned most_free = 1024;

LaunchOperation* LaunchOperation::take() {
    {
        const std::lock_guard hold(free_launches.lock);
        if (Operation* operation = free_launches.first) {
            free_launches.first = operation->next;
            --free_launches.length;
            return static_cast<LaunchOperation*>(operation);
        }
    }
    return new LaunchOperation;
}

void LaunchOperation::retire() noexcept {
    owner_.reset();
    more_.reset();
    {
        const std::lock_guard hold(free_launches.lock);
        if (free_launches.length < most_free) {
            next = free_launches.first;
            free_launches.first = this;
            ++free_launches.length;
            return;
        }
    }
    delete this;
}

}  // namespace

ArgumentLayout ArgumentLayout::of(const Signature& signature) {
    ArgumentLayout layout;
    for (const Parameter& parameter : signature.parameters) {
        const std::size_t alignment = std::max<std::size_t>(parameter.alignment, 1);
        layout.bytes = (layout.bytes + alignment - 1) / alignment * alignment;
        layout.slots.push_back(
            {static_cast<std::uint32_t>(layout.bytes), static_cast<std::uint32_t>(parameter.size)});
        layout.bytes += parameter.size;
    }
    return layout;
}

bool WorkBound::is_short(std::uint64_t blocks, std::uint32_t threads) const noexcept {
    return bounded && blocks <= short_work / work_per_block && instructions <= short_work &&
           blocks * (work_per_block + std::uint64_t{threads} * instructions) <= short_work;
}

void launch_grid(const Grid& grid, const Function& function, void* const* values, Queue& queue) {
    ensure_fault_handlers();
    const bool is_short = function.work().is_short(grid.blocks(), grid.threads());
    if (is_short && queue.try_begin()) {
        run_blocks(grid, values, queue, 0, grid.blocks());
        return queue.end();
    }
    LaunchOperation* operation = LaunchOperation::take();
    try {
        operation->set(grid, function, is_short, values);
    } catch (...) {
        operation->retire();
        throw;
    }
    queue.push(operation);
}

void launches_before_fork() noexcept {
    free_launches.lock.lock();
}
void launches_after_fork() noexcept {
    free_launches.lock.unlock();
}

}  // namespace heald::cpu
