#pragma once

// cuFFT's ABI, declared by heald, and the library opened at run time.
// tests/cpp/cuda/cufft_abi_test.cpp compares it with the real cufft.h where that is installed.

#include "src/base/library.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heald::fft::cufft {

using Handle = int;
using Stream = struct StreamOpaque*;

enum class Result : int {
    success = 0,
    invalid_plan = 1,
    alloc_failed = 2,
    invalid_type = 3,
    invalid_value = 4,
    internal_error = 5,
    exec_failed = 6,
    setup_failed = 7,
    invalid_size = 8,
    unaligned_data = 9,
};

enum class Type : int {
    r2c = 0x2a,
    c2r = 0x2c,
    c2c = 0x29,
    d2z = 0x6a,
    z2d = 0x6c,
    z2z = 0x69,
};

constexpr int forward_sign = -1;
constexpr int inverse_sign = 1;

/// X(exported name, signature); in cuFFT since CUDA 9.
#define HEALD_CUFFT_SYMBOLS(X)                                                                 \
    X(cufftCreate, Result(Handle*))                                                            \
    X(cufftDestroy, Result(Handle))                                                            \
    X(cufftGetVersion, Result(int*))                                                           \
    X(cufftSetAutoAllocation, Result(Handle, int))                                             \
    X(cufftMakePlanMany64,                                                                     \
      Result(Handle, int, long long*, long long*, long long, long long, long long*, long long, \
             long long, Type, long long, std::size_t*))                                        \
    X(cufftSetWorkArea, Result(Handle, void*))                                                 \
    X(cufftSetStream, Result(Handle, Stream))                                                  \
    X(cufftExecC2C, Result(Handle, void*, void*, int))                                         \
    X(cufftExecZ2Z, Result(Handle, void*, void*, int))                                         \
    X(cufftExecR2C, Result(Handle, void*, void*))                                              \
    X(cufftExecD2Z, Result(Handle, void*, void*))                                              \
    X(cufftExecC2R, Result(Handle, void*, void*))                                              \
    X(cufftExecZ2D, Result(Handle, void*, void*))

struct Api {
#define HEALD_MEMBER(name, ...) std::add_pointer_t<__VA_ARGS__> name = nullptr;
    HEALD_CUFFT_SYMBOLS(HEALD_MEMBER)
#undef HEALD_MEMBER
    int version = 0;  ///< 12001: 12.0.1
};

Library& library();

/// The entry points. Throws Error(unavailable) that says what was looked for and how to get it.
const Api& api();

/// Throws if a call failed.
void check(Result result, const char* call);

}  // namespace heald::fft::cufft
