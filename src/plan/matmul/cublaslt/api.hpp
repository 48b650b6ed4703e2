#pragma once

// cuBLASLt's ABI, declared by heald, and the library opened at run time.
// tests/cpp/cuda/cublaslt_abi_test.cpp compares it with the real cublasLt.h where that is
// installed.

#include "src/base/library.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace heald::cublaslt {

using Handle = struct HandleOpaque*;
using MatmulDesc = struct MatmulDescOpaque*;
using MatrixLayout = struct MatrixLayoutOpaque*;
using MatmulPreference = struct MatmulPreferenceOpaque*;
using CudaStream = struct CudaStreamOpaque*;

enum class Status : int {
    success = 0,
    not_initialized = 1,
    alloc_failed = 3,
    invalid_value = 7,
    arch_mismatch = 8,
    execution_failed = 13,
    internal_error = 14,
    not_supported = 15,
};

enum class ComputeType : int {
    f16 = 64,
    f32 = 68,
    f32_fast_tf32 = 77,
    f64 = 70,
    i32 = 72,
};

/// cudaDataType_t.
enum class DataType : int {
    f32 = 0,
    f64 = 1,
    f16 = 2,
    i8 = 3,
    c64 = 4,
    c128 = 5,
    i32 = 10,
    bf16 = 14,
};

enum class DescAttribute : int {
    transpose_a = 3,
    transpose_b = 4,
    epilogue = 7,
    bias_pointer = 8,
    bias_type = 26,
};
enum class LayoutAttribute : int { batch_count = 5, batch_offset = 6 };
enum class PreferenceAttribute : int {
    workspace_bytes = 1,
    reduction_schemes = 3,
    alignment_a = 5,
    alignment_b = 6,
    alignment_c = 7,
    alignment_d = 8,
};
enum class ConfigAttribute : int { id = 0, tile = 1, split_k = 2, stages = 6, cluster = 8 };

constexpr int operation_n = 0;  ///< cublasOperation_t
constexpr int operation_t = 1;
constexpr int operation_c = 2;

constexpr std::uint32_t epilogue_default = 1;
constexpr std::uint32_t epilogue_relu = 2;
constexpr std::uint32_t epilogue_bias = 4;
constexpr std::uint32_t epilogue_gelu = 32;

/// Opaque, may be stored and used again with the same version of the library.
struct MatmulAlgo {
    std::uint64_t data[8];
};

struct HeuristicResult {
    MatmulAlgo algo;
    std::size_t workspace;
    Status state;
    float waves;
    int reserved[4];
};

/// X(exported name, signature).
#define HEALD_CUBLASLT_SYMBOLS(X)                                                                  \
    X(cublasLtCreate, Status(Handle*))                                                             \
    X(cublasLtGetVersion, std::size_t())                                                           \
    X(cublasLtMatmul,                                                                              \
      Status(Handle, MatmulDesc, const void*, const void*, MatrixLayout, const void*,              \
             MatrixLayout, const void*, const void*, MatrixLayout, void*, MatrixLayout,            \
             const MatmulAlgo*, void*, std::size_t, CudaStream))                                   \
    X(cublasLtMatmulDescCreate, Status(MatmulDesc*, ComputeType, DataType))                        \
    X(cublasLtMatmulDescDestroy, Status(MatmulDesc))                                               \
    X(cublasLtMatmulDescSetAttribute, Status(MatmulDesc, DescAttribute, const void*, std::size_t)) \
    X(cublasLtMatrixLayoutCreate,                                                                  \
      Status(MatrixLayout*, DataType, std::uint64_t, std::uint64_t, std::int64_t))                 \
    X(cublasLtMatrixLayoutDestroy, Status(MatrixLayout))                                           \
    X(cublasLtMatrixLayoutSetAttribute,                                                            \
      Status(MatrixLayout, LayoutAttribute, const void*, std::size_t))                             \
    X(cublasLtMatmulPreferenceCreate, Status(MatmulPreference*))                                   \
    X(cublasLtMatmulPreferenceDestroy, Status(MatmulPreference))                                   \
    X(cublasLtMatmulPreferenceSetAttribute,                                                        \
      Status(MatmulPreference, PreferenceAttribute, const void*, std::size_t))                     \
    X(cublasLtMatmulAlgoGetHeuristic,                                                              \
      Status(Handle, MatmulDesc, MatrixLayout, MatrixLayout, MatrixLayout, MatrixLayout,           \
             MatmulPreference, int, HeuristicResult*, int*))                                       \
    X(cublasLtMatmulAlgoCheck,                                                                     \
      Status(Handle, MatmulDesc, MatrixLayout, MatrixLayout, MatrixLayout, MatrixLayout,           \
             const MatmulAlgo*, HeuristicResult*))                                                 \
    X(cublasLtMatmulAlgoConfigGetAttribute,                                                        \
      Status(const MatmulAlgo*, ConfigAttribute, void*, std::size_t, std::size_t*))

struct Api {
#define HEALD_MEMBER(name, ...) std::add_pointer_t<__VA_ARGS__> name = nullptr;
    HEALD_CUBLASLT_SYMBOLS(HEALD_MEMBER)
#undef HEALD_MEMBER
};

[[nodiscard]] Library& library();
/// Only where library() is there and has every symbol.
[[nodiscard]] const Api& api();
/// "" if all is there.
[[nodiscard]] std::string missing();
/// "cuBLASLt 13.1.0"
[[nodiscard]] std::string version_text();
[[nodiscard]] const char* name_of(Status status) noexcept;

}  // namespace heald::cublaslt
