#include <heald/fft.hpp>

#include "src/base/fork.hpp"
#include "src/plan/fft/executor.hpp"

#include <list>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heald::fft {
namespace {

/// The most recently used executors. Those that are dropped are destroyed without the lock.
class Cache {
public:
    static Cache& instance() {
        static Cache* const cache = new Cache;  // outlives what is queued at exit
        return *cache;
    }

    std::shared_ptr<Executor> find(const std::string& key) {
        const std::lock_guard lock(mutex_);
        const auto found = index_.find(key);
        if (found == index_.end()) {
            ++info_.misses;
            return nullptr;
        }
        ++info_.hits;
        entries_.splice(entries_.begin(), entries_, found->second);
        return found->second->second;
    }

    /// What is kept for the key: `made`, or what another thread had made meanwhile.
    std::shared_ptr<Executor> keep(const std::string& key, std::shared_ptr<Executor> made) {
        std::vector<std::shared_ptr<Executor>> dropped;
        const std::lock_guard lock(mutex_);
        if (const auto found = index_.find(key); found != index_.end())
            return found->second->second;
        if (info_.limit == 0) return made;
        entries_.emplace_front(key, made);
        index_.emplace(key, entries_.begin());
        shrink(info_.limit, dropped);
        return made;
    }

    void shrink_to(std::size_t limit, bool remember) {
        std::vector<std::shared_ptr<Executor>> dropped;
        const std::lock_guard lock(mutex_);
        shrink(limit, dropped);
        if (remember) info_.limit = limit;
    }

    CacheInfo info() {
        const std::lock_guard lock(mutex_);
        CacheInfo info = info_;
        info.size = index_.size();
        return info;
    }

private:
    void shrink(std::size_t limit, std::vector<std::shared_ptr<Executor>>& dropped) {
        while (index_.size() > limit) {
            dropped.push_back(std::move(entries_.back().second));
            index_.erase(entries_.back().first);
            entries_.pop_back();
        }
    }

    using Entries = std::list<std::pair<std::string, std::shared_ptr<Executor>>>;

    ForkMutex mutex_;
    Entries entries_;
    std::unordered_map<std::string, Entries::iterator> index_;
    CacheInfo info_{.limit = 256};
};

}  // namespace

std::shared_ptr<Executor> executor_for(core::DeviceState& device, const Problem& problem) {
    std::string key = problem.key();
    key += static_cast<char>(device.kind());
    key += static_cast<char>(device.ordinal());
    Cache& cache = Cache::instance();
    if (auto found = cache.find(key)) return found;
    return cache.keep(key, device.kind() == DeviceKind::cpu ? make_fftw_executor(device, problem)
                                                            : make_cufft_executor(device, problem));
}

CacheInfo cache_info() {
    return Cache::instance().info();
}
void clear_cache() {
    Cache::instance().shrink_to(0, false);
}
void limit_cache(std::size_t plans) {
    Cache::instance().shrink_to(plans, true);
}

}  // namespace heald::fft
