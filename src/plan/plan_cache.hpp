#pragma once

#include "src/base/fork.hpp"
#include "src/base/hash.hpp"
#include "src/base/lru_cache.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace heald::plan {

/// Plans by what they depend on; the most recently used ones are kept. May be used from any thread.
/// Those that go are destroyed without the lock.
template <class Plan>
class PlanCache {
public:
    struct Info {
        std::uint64_t hits = 0;
        std::uint64_t misses = 0;
        std::size_t size = 0;
        std::size_t capacity = 0;
    };

    explicit PlanCache(std::size_t capacity) : plans_(capacity) {}

    [[nodiscard]] std::shared_ptr<Plan> find(const Hash128& key) {
        const std::lock_guard lock(mutex_);
        const std::shared_ptr<Plan>* found = plans_.find(key);
        ++(found != nullptr ? hits_ : misses_);
        return found != nullptr ? *found : nullptr;
    }

    /// The plan of that key, made by make() if there is none. Two threads may make the same plan at
    /// once; both get the one that was kept.
    template <class Make>
    [[nodiscard]] std::shared_ptr<Plan> find_or_make(const Hash128& key, Make&& make) {
        if (auto found = find(key)) return found;
        std::shared_ptr<Plan> made = std::forward<Make>(make)();
        Dropped dropped;
        const std::lock_guard lock(mutex_);
        if (const auto* found = plans_.find(key)) return *found;
        dropped = plans_.insert(key, made);
        return made;
    }

    [[nodiscard]] Info info() {
        const std::lock_guard lock(mutex_);
        return {hits_, misses_, plans_.size(), plans_.capacity()};
    }
    [[nodiscard]] std::size_t size() { return info().size; }

    void clear() {
        Dropped dropped;
        const std::lock_guard lock(mutex_);
        dropped = plans_.shrink(0);
    }
    void set_capacity(std::size_t capacity) {
        Dropped dropped;
        const std::lock_guard lock(mutex_);
        plans_.set_capacity(capacity);
        dropped = plans_.shrink(capacity);
    }

private:
    using Dropped = std::vector<std::shared_ptr<Plan>>;  // declared before the lock is taken

    ForkMutex mutex_;  ///< guards what follows
    LruCache<Hash128, std::shared_ptr<Plan>, Hash128Hasher> plans_;
    std::uint64_t hits_ = 0;
    std::uint64_t misses_ = 0;
};

}  // namespace heald::plan
