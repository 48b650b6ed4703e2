#include "src/core/deferred.hpp"

#include "src/base/check.hpp"
#include "src/core/device_state.hpp"

#include <algorithm>
#include <atomic>

namespace heald::core {
namespace {

struct Kept {
    std::vector<Position> positions;
    std::shared_ptr<void> object;
};

struct Store {
    ForkMutex mutex;
    std::vector<Kept> kept;  // guarded by mutex
    std::atomic<std::size_t> size{0};
};

Store& store() {
    static auto& instance = *std::make_unique<Store>().release();
    return instance;
}

/// Devices that may not be asked, as in a forked child, keep their objects for ever; one that
/// cannot answer now, as within a host function, is asked again later.
bool finished(const Position& position) noexcept {
    if (!position.timeline->device().usable()) return false;
    try {
        return position.timeline->is_complete(position.position);
    } catch (...) {
        return false;
    }
}

void put_back(std::vector<Kept> kept) {
    const std::lock_guard lock(store().mutex);
    for (Kept& entry : kept) store().kept.push_back(std::move(entry));
    store().size.store(store().kept.size(), std::memory_order_relaxed);
}

}  // namespace

void keep_until(std::vector<Position> positions, std::shared_ptr<void> object) noexcept {
    without_throwing("release", [&] {
        drop_finished();
        std::vector<Kept> one;
        one.push_back({std::move(positions), std::move(object)});
        put_back(std::move(one));
    });
}

void drop_finished() noexcept {
    if (store().size.load(std::memory_order_relaxed) == 0) return;
    without_throwing("release", [] {
        std::vector<Kept> kept;
        {
            const std::lock_guard lock(store().mutex);
            kept.swap(store().kept);
            store().size.store(0, std::memory_order_relaxed);
        }
        std::vector<Kept> waiting;
        for (Kept& entry : kept) {
            bool all = true;
            for (const Position& position : entry.positions) {
                all = all && finished(position);
            }
            if (!all) waiting.push_back(std::move(entry));
        }
        if (!waiting.empty()) put_back(std::move(waiting));
    });
}

}  // namespace heald::core
