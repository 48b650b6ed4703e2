#pragma once

// The FFTW3 interface, declared by heald, of whatever library has it: FFTW, NVPL or MKL. Opened at
// run time, never linked.

#include "src/base/library.hpp"

#include <cstddef>
#include <mutex>
#include <string>
#include <type_traits>

namespace heald::fft::fftw {

using Plan = struct PlanOpaque*;

struct Dim {
    std::ptrdiff_t n;
    std::ptrdiff_t is;
    std::ptrdiff_t os;
};

constexpr int forward_sign = -1;
constexpr int backward_sign = +1;

constexpr unsigned flag_measure = 0;
constexpr unsigned flag_destroy_input = 1U << 0;
constexpr unsigned flag_unaligned = 1U << 1;
constexpr unsigned flag_preserve_input = 1U << 4;
constexpr unsigned flag_estimate = 1U << 6;
constexpr unsigned flag_wisdom_only = 1U << 21;

/// X(name after the prefix, signature). Elements are float or double, as the prefix says.
#define HEALD_FFTW_SYMBOLS(X)                                                               \
    X(plan_guru64_dft, Plan(int, const Dim*, int, const Dim*, void*, void*, int, unsigned)) \
    X(plan_guru64_dft_r2c, Plan(int, const Dim*, int, const Dim*, void*, void*, unsigned))  \
    X(plan_guru64_dft_c2r, Plan(int, const Dim*, int, const Dim*, void*, void*, unsigned))  \
    X(execute_dft, void(Plan, void*, void*))                                                \
    X(execute_dft_r2c, void(Plan, void*, void*))                                            \
    X(execute_dft_c2r, void(Plan, void*, void*))                                            \
    X(destroy_plan, void(Plan))

/// May be missing: what needs them does without, or says so.
#define HEALD_FFTW_OPTIONAL_SYMBOLS(X)                                                             \
    X(plan_guru64_r2r, Plan(int, const Dim*, int, const Dim*, void*, void*, const int*, unsigned)) \
    X(execute_r2r, void(Plan, void*, void*))                                                       \
    X(alignment_of, int(void*))                                                                    \
    X(set_timelimit, void(double))                                                                 \
    X(export_wisdom_to_string, char*())                                                            \
    X(import_wisdom_from_string, int(const char*))                                                 \
    X(forget_wisdom, void())

/// In the library of threads, if there is one.
#define HEALD_FFTW_THREAD_SYMBOLS(X) \
    X(init_threads, int())           \
    X(plan_with_nthreads, void(int))

/// One precision of the library.
struct Api {
#define HEALD_MEMBER(name, ...) std::add_pointer_t<__VA_ARGS__> name = nullptr;
    HEALD_FFTW_SYMBOLS(HEALD_MEMBER)
    HEALD_FFTW_OPTIONAL_SYMBOLS(HEALD_MEMBER)
    HEALD_FFTW_THREAD_SYMBOLS(HEALD_MEMBER)
#undef HEALD_MEMBER
    std::string version;  ///< "FFTW 3.3.10", or the file's name
    bool has_threads = false;

    /// What remains of an address after the alignment that plans rely on; 0: as they want it.
    [[nodiscard]] int misalignment(void* address) const {
        if (alignment_of != nullptr) return alignment_of(address);
        return static_cast<int>(reinterpret_cast<std::size_t>(address) % 64);
    }
};

/// Throws Error(unavailable) that says what was looked for and what to install.
[[nodiscard]] const Api& api(bool float64);
[[nodiscard]] Library& library(bool float64);

/// FFTW's planner may be used by one thread at a time. The lock is a new one in a forked child.
[[nodiscard]] std::unique_lock<std::mutex> planner_lock();

}  // namespace heald::fft::fftw
