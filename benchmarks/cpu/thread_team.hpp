#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace bench {

/// Threads for the plain loops, one per processor of this process, which spin shortly between
/// pieces of work as kernel workers do. The caller is worker 0.
class ThreadTeam {
public:
    explicit ThreadTeam(int threads);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    [[nodiscard]] int size() const noexcept { return static_cast<int>(threads_.size()) + 1; }

    /// body(begin, end, worker) over [0, items). `grain` 0: one equal part each, else parts of that
    /// many items as workers come.
    void run(int items, int grain, const std::function<void(int, int, int)>& body);

private:
    void work(int worker);
    void take_parts(int worker);

    std::vector<std::thread> threads_;
    const std::function<void(int, int, int)>* body_ = nullptr;
    int items_ = 0;
    int grain_ = 0;
    std::atomic<int> next_{0};
    std::atomic<int> busy_{0};
    std::atomic<std::uint32_t> round_{0};
    std::atomic<bool> stop_{false};
};

}  // namespace bench
