#include "src/plan/fft/measured_plans.hpp"

#include "src/base/fork.hpp"
#include "src/base/hash.hpp"
#include "src/base/log.hpp"
#include "src/base/settings.hpp"
#include "src/base/text.hpp"
#include "src/jit/disk_cache.hpp"
#include "src/plan/fft/fftw_api.hpp"

#include <cstdlib>
#include <memory>

namespace heald::fft::fftw {
namespace {

Hash128 wisdom_key(bool float64, const std::string& machine) {
    return KeyBuilder()
        .add("FFTW wisdom")
        .add(api(float64).version)
        .add(machine)
        .add(std::uint64_t{float64})
        .hash();
}

bool keeps_wisdom(const Api& api) {
    return api.import_wisdom_from_string != nullptr && api.export_wisdom_to_string != nullptr &&
           planning() != Effort::estimate;
}

}  // namespace

Effort planning() {
    static const Effort effort = [] {
        const std::string value = setting_or(Setting::fft_planning, "auto");
        if (value == "estimate") return Effort::estimate;
        if (value == "measure") return Effort::measure;
        if (value != "auto")
            warn(text("HEALD_FFT_PLANNING=", value, " is not auto, estimate or measure"));
        return Effort::automatic;
    }();
    return effort;
}

void load_wisdom(bool float64, const std::string& machine) {
    static ForkOnce once[2];
    once[float64]([&] {
        const Api& library = api(float64);
        if (!keeps_wisdom(library)) return;
        const auto stored = jit::DiskCache::shared().load(wisdom_key(float64, machine));
        if (!stored) return;
        const auto lock = planner_lock();
        library.import_wisdom_from_string(stored->c_str());
    });
}

void save_wisdom(bool float64, const std::string& machine) {
    const Api& library = api(float64);
    if (!keeps_wisdom(library)) return;
    std::unique_ptr<char, decltype(&std::free)> wisdom(nullptr, std::free);
    {
        const auto lock = planner_lock();
        wisdom.reset(library.export_wisdom_to_string());
    }
    if (wisdom != nullptr)
        jit::DiskCache::shared().store(wisdom_key(float64, machine), wisdom.get());
}

}  // namespace heald::fft::fftw
