#pragma once

#include "src/base/fork.hpp"
#include "src/base/hash.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace heald::plan {

/// Plans by what they depend on; the most recently used ones are kept. May be used from any thread.
template <class Plan>
class PlanCache {
public:
    explicit PlanCache(std::size_t capacity) : capacity_(capacity) {}

    [[nodiscard]] std::shared_ptr<Plan> find(const Hash128& key) {
        const std::lock_guard lock(mutex_);
        const auto found = plans_.find(key);
        if (found == plans_.end()) return nullptr;
        found->second.used = ++clock_;
        return found->second.plan;
    }

    /// The plan of that key, made by make() if there is none. Two threads may make the same plan at
    /// once; both get the one that was kept.
    template <class Make>
    [[nodiscard]] std::shared_ptr<Plan> find_or_make(const Hash128& key, Make&& make) {
        if (auto found = find(key)) return found;
        std::shared_ptr<Plan> made = std::forward<Make>(make)();
        std::shared_ptr<Plan> dropped;  // its memory is released without the lock
        const std::lock_guard lock(mutex_);
        if (const auto found = plans_.find(key); found != plans_.end()) return found->second.plan;
        if (plans_.size() >= capacity_) {
            const auto oldest = std::min_element(
                plans_.begin(), plans_.end(),
                [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
            dropped = std::move(oldest->second.plan);
            plans_.erase(oldest);
        }
        plans_.emplace(key, Entry{made, ++clock_});
        return made;
    }

    [[nodiscard]] std::size_t size() {
        const std::lock_guard lock(mutex_);
        return plans_.size();
    }
    void clear() {
        std::unordered_map<Hash128, Entry, Hash128Hasher> dropped;
        const std::lock_guard lock(mutex_);
        plans_.swap(dropped);
    }

private:
    struct Entry {
        std::shared_ptr<Plan> plan;
        std::uint64_t used = 0;
    };

    const std::size_t capacity_;
    ForkMutex mutex_;
    std::uint64_t clock_ = 0;
    std::unordered_map<Hash128, Entry, Hash128Hasher> plans_;
};

}  // namespace heald::plan
