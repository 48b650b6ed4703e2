#include "src/backend/cpu/release.hpp"

#include "src/backend/cpu/host_memory.hpp"
#include "src/backend/cpu/queue.hpp"
#include "src/backend/cpu/worker_pool.hpp"

#include <mutex>

namespace heald::cpu {

class ReleaseOperation final : public Operation {
public:
    ReleaseOperation(void* data, std::size_t bytes, PendingReleases& pending)
        : data_(data), bytes_(bytes) {
        const std::lock_guard hold(pending.lock_);
        older_ = pending.newest_;
        if (older_ != nullptr) older_->newer_ = this;
        pending.newest_ = this;
    }

    Step start(Queue& queue) override {
        PendingReleases& pending = queue.releases;
        {
            const std::lock_guard hold(pending.lock_);
            if (data_ != nullptr) unlink(pending);
        }
        HostMemory::instance().deallocate(data_, bytes_);
        return Step::done;
    }
    [[nodiscard]] bool droppable() const noexcept override { return false; }

private:
    friend class PendingReleases;

    /// Under the lock.
    void unlink(PendingReleases& pending) noexcept {
        if (older_ != nullptr) older_->newer_ = newer_;
        (newer_ != nullptr ? newer_->older_ : pending.newest_) = older_;
        older_ = newer_ = nullptr;
    }

    void* data_;  ///< null once it is in use again
    std::size_t bytes_;
    ReleaseOperation* older_ = nullptr;
    ReleaseOperation* newer_ = nullptr;
};

void* PendingReleases::take(std::size_t bytes) noexcept {
    // A program repeats its sizes: what fits is among the newest.
    constexpr unsigned most_looks = 32;
    const std::lock_guard hold(lock_);
    ReleaseOperation* release = newest_;
    for (unsigned look = 0; release != nullptr && look < most_looks; ++look) {
        if (release->bytes_ == bytes) {
            void* data = release->data_;
            release->unlink(*this);
            release->data_ = nullptr;
            return data;
        }
        release = release->older_;
    }
    return nullptr;
}

void enqueue_release(void* data, std::size_t bytes, Queue& queue) {
    if (queue.try_begin()) {
        HostMemory::instance().deallocate(data, bytes);
        queue.end();
    } else {
        WorkerPool::instance().start();  // now, so that push() cannot fail
        queue.push(new ReleaseOperation(data, bytes, queue.releases));
    }
}

}  // namespace heald::cpu
