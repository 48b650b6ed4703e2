#include "src/plan/matmul/blas_library.hpp"

#include "src/base/library.hpp"
#include "src/base/log.hpp"

#include <dlfcn.h>
#include <array>
#include <filesystem>
#include <memory>
#include <vector>

namespace heald::plan {
namespace {

namespace fs = std::filesystem;

/// How builds of OpenBLAS name their functions.
struct Naming {
    const char* prefix;
    const char* suffix;
    bool wide;
};
constexpr std::array namings{
    Naming{"", "", false},
    Naming{"scipy_", "64_", true},
    Naming{"scipy_", "", false},
    Naming{"", "64_", true},
};

template <class Symbol>
bool take(BlasLibrary& blas, const Naming& naming, Symbol&& symbol) {
    const auto named = [&](const char* name) {
        return symbol((naming.prefix + std::string(name) + naming.suffix).c_str());
    };
    blas.gemm_float64 = named("cblas_dgemm");
    if (blas.gemm_float64 == nullptr) return false;
    blas.gemm_float32 = named("cblas_sgemm");
    blas.gemm_complex64 = named("cblas_cgemm");
    blas.gemm_complex128 = named("cblas_zgemm");
    blas.get_threads = reinterpret_cast<int (*)()>(named("openblas_get_num_threads"));
    blas.set_threads = reinterpret_cast<void (*)(int)>(named("openblas_set_num_threads"));
    blas.wide = naming.wide;
    return true;
}

/// numpy.libs beside an installed NumPy.
std::vector<fs::path> libraries_of_numpy() {
    std::vector<fs::path> found;
    for (const std::string& root : package_folders()) {
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(root + "/numpy.libs", ignored))
            if (entry.path().filename().string().starts_with("libscipy_openblas"))
                found.push_back(entry.path());
    }
    return found;
}

bool open_numpys(BlasLibrary& blas) {
    for (const fs::path& file : libraries_of_numpy()) {
        void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) continue;
        for (const Naming& naming : namings)
            if (take(blas, naming, [&](const char* name) { return dlsym(handle, name); })) {
                blas.name = file.filename().string();
                return true;
            }
    }
    return false;
}

BlasLibrary open() {
    BlasLibrary blas;
    if (!setting(Setting::blas_path) && open_numpys(blas)) return blas;
    static Library& system = *std::make_unique<Library>([] {
                                  LibrarySpec spec;
                                  spec.name = "BLAS";
                                  spec.purpose = "products of matrices on the CPU";
                                  spec.sonames = {"libopenblas.so.0", "libopenblas.so"};
                                  spec.path_setting = Setting::blas_path;
                                  spec.remedy =
                                      "pip install numpy, or install OpenBLAS (Debian: "
                                      "libopenblas0-pthread)";
                                  return spec;
                              }())
                                  .release();
    if (system.available())
        for (const Naming& naming : namings)
            if (take(blas, naming, [&](const char* name) { return system.symbol(name); })) {
                blas.name = fs::path(system.path()).filename().string();
                return blas;
            }
    blas.why_missing =
        system.available() ? text(system.path(), " has no cblas_dgemm") : system.why_missing();
    return blas;
}

}  // namespace

const BlasLibrary& blas_library() {
    static const BlasLibrary& blas = *std::make_unique<BlasLibrary>(open()).release();
    return blas;
}

}  // namespace heald::plan
