#pragma once

#include <cstdint>
#include <string>

namespace heald::plan {

/// A BLAS with the C interface, opened at run time: HEALD_BLAS_PATH, else the OpenBLAS that NumPy
/// brings, else the system's.
struct BlasLibrary {
    std::string name;  ///< file, without its folder
    std::string why_missing;
    bool wide = false;  ///< its integers have 64 bits
    // cblas_?gemm
    void* gemm_float32 = nullptr;
    void* gemm_float64 = nullptr;
    void* gemm_complex64 = nullptr;
    void* gemm_complex128 = nullptr;
    // Of OpenBLAS; null elsewhere.
    int (*get_threads)() = nullptr;
    void (*set_threads)(int) = nullptr;

    [[nodiscard]] bool found() const noexcept { return gemm_float64 != nullptr; }
};

[[nodiscard]] const BlasLibrary& blas_library();

}  // namespace heald::plan
