#include "src/plan/fft/fftw_api.hpp"

#include "src/base/check.hpp"
#include "src/base/fork.hpp"
#include "src/base/settings.hpp"

#include <array>
#include <atomic>
#include <memory>

namespace heald::fft::fftw {
namespace {

// FFTW has a file for each precision; the others have all in one. The first that is there is used.
LibrarySpec core_spec(bool float64) {
    return {
        .name = float64 ? "FFTW (float64)" : "FFTW (float32)",
        .purpose = "computes Fourier transforms on the CPU",
        .sonames = {float64 ? "libfftw3.so.3" : "libfftw3f.so.3", "libnvpl_fftw.so.0",
                    "libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"},
        .path_setting = Setting::fft_path,
        .package_folders = {"nvpl/lib", "../..", "../../lib"},
        .remedy =
            "apt install libfftw3-double3 libfftw3-single3, dnf install fftw-libs, conda "
            "install fftw, or pip install mkl",
        .must_define = float64 ? "fftw_plan_guru64_dft" : "fftwf_plan_guru64_dft",
    };
}

LibrarySpec thread_spec(bool float64) {
    LibrarySpec spec = core_spec(float64);
    spec.name += " threads";
    spec.sonames = {float64 ? "libfftw3_threads.so.3" : "libfftw3f_threads.so.3"};
    spec.must_define = float64 ? "fftw_plan_with_nthreads" : "fftwf_plan_with_nthreads";
    return spec;
}

std::string version_of(Library& core, bool float64) {
    if (const auto* version =
            static_cast<const char*>(core.symbol(float64 ? "fftw_version" : "fftwf_version")))
        return std::string(trimmed(version));
    const std::size_t slash = core.path().rfind('/');
    return core.path().substr(slash == std::string::npos ? 0 : slash + 1);
}

template <class Function>
void look_up(Library& from, Function& to, bool float64, const char* name) {
    to = from.function<Function>(text(float64 ? "fftw_" : "fftwf_", name).c_str());
}

Api load(bool float64) {
    Api api;
    Library& core = library(float64);
#define HEALD_LOOK_UP(name, ...)                                                        \
    look_up(core, api.name, float64, #name);                                            \
    if (api.name == nullptr)                                                            \
        fail(ErrorKind::unavailable, "[fft] ", core.path(), " has no fftw_" #name ": ", \
             "another FFT library is needed: ", core.spec().remedy);
    HEALD_FFTW_SYMBOLS(HEALD_LOOK_UP)
#undef HEALD_LOOK_UP
#define HEALD_LOOK_UP(name, ...) look_up(core, api.name, float64, #name);
    HEALD_FFTW_OPTIONAL_SYMBOLS(HEALD_LOOK_UP)
    HEALD_FFTW_THREAD_SYMBOLS(HEALD_LOOK_UP)
#undef HEALD_LOOK_UP
    api.version = version_of(core, float64);
    if (api.plan_with_nthreads == nullptr && api.version.starts_with("fftw-")) {
        static auto* const threads =
            new std::array<Library, 2>{Library(thread_spec(false)), Library(thread_spec(true))};
        Library& own = (*threads)[float64];
        if (own.available()) {
#define HEALD_LOOK_UP(name, ...) look_up(own, api.name, float64, #name);
            HEALD_FFTW_THREAD_SYMBOLS(HEALD_LOOK_UP)
#undef HEALD_LOOK_UP
        }
    }
    api.has_threads =
        api.init_threads != nullptr && api.plan_with_nthreads != nullptr && api.init_threads() != 0;
    if (api.has_threads) api.plan_with_nthreads(1);
    return api;
}

}  // namespace

Library& library(bool float64) {
    static auto* const libraries =
        new std::array<Library, 2>{Library(core_spec(false)), Library(core_spec(true))};
    return (*libraries)[float64];
}

const Api& api(bool float64) {
    library(float64).require("fft");
    if (float64) {
        static const Api* const f64 = new Api(load(true));
        return *f64;
    }
    static const Api* const f32 = new Api(load(false));
    return *f32;
}

std::unique_lock<std::mutex> planner_lock() {
    struct Generation {
        std::uint64_t number;
        std::mutex mutex;
    };
    static std::atomic<Generation*> current{new Generation{fork_generation(), {}}};
    Generation* now = current.load(std::memory_order_acquire);
    while (now->number != fork_generation()) {
        auto fresh = std::make_unique<Generation>();
        fresh->number = fork_generation();
        if (current.compare_exchange_strong(now, fresh.get())) now = fresh.release();
    }
    return std::unique_lock(now->mutex);
}

}  // namespace heald::fft::fftw
