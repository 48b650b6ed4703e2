#include <heald/fft.hpp>

#include "src/plan/fft/executor.hpp"
#include "src/plan/plan_cache.hpp"

#include <memory>

namespace heald::fft {
namespace {

plan::PlanCache<Executor>& cache() {
    // It outlives what is queued at exit.
    static auto& executors = *std::make_unique<plan::PlanCache<Executor>>(256).release();
    return executors;
}

}  // namespace

std::shared_ptr<Executor> executor_for(core::DeviceState& device, const Problem& problem) {
    const Hash128 key = KeyBuilder()
                            .add(problem.key())
                            .add(static_cast<std::uint64_t>(device.kind()))
                            .add(static_cast<std::uint64_t>(device.ordinal()))
                            .hash();
    return cache().find_or_make(key, [&] {
        return device.kind() == DeviceKind::cpu ? make_fftw_executor(device, problem)
                                                : make_cufft_executor(device, problem);
    });
}

CacheInfo cache_info() {
    const auto info = cache().info();
    return {info.size, info.capacity, info.hits, info.misses};
}
void clear_cache() {
    cache().clear();
}
void limit_cache(std::size_t plans) {
    cache().set_capacity(plans);
}

}  // namespace heald::fft
