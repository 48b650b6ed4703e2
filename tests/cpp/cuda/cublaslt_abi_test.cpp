// Compares heald's own declarations of cuBLASLt with the real header. Built where that is
// installed.

#include "src/plan/matmul/cublaslt/api.hpp"
#include "tests/cpp/cuda/abi_match.hpp"

#include <cublasLt.h>
#include <gtest/gtest.h>

#define CHECK(name, ...)                                                                    \
    static_assert(                                                                          \
        heald::cuda::SameAbi<__VA_ARGS__, std::remove_pointer_t<decltype(&::name)>>::value, \
        #name " is declared otherwise in the header");
namespace heald::cublaslt {
HEALD_CUBLASLT_SYMBOLS(CHECK)

static_assert(sizeof(MatmulAlgo) == sizeof(cublasLtMatmulAlgo_t));
static_assert(sizeof(HeuristicResult) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(HeuristicResult, workspace) ==
              offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(HeuristicResult, state) == offsetof(cublasLtMatmulHeuristicResult_t, state));

namespace {

TEST(CublasLtAbi, NumbersAreTheHeaders) {
    EXPECT_EQ(int(Status::not_supported), CUBLAS_STATUS_NOT_SUPPORTED);
    EXPECT_EQ(int(Status::alloc_failed), CUBLAS_STATUS_ALLOC_FAILED);
    EXPECT_EQ(int(Status::invalid_value), CUBLAS_STATUS_INVALID_VALUE);
    EXPECT_EQ(int(Status::arch_mismatch), CUBLAS_STATUS_ARCH_MISMATCH);
    EXPECT_EQ(int(Status::execution_failed), CUBLAS_STATUS_EXECUTION_FAILED);
    EXPECT_EQ(int(Status::internal_error), CUBLAS_STATUS_INTERNAL_ERROR);
    EXPECT_EQ(int(ComputeType::f16), CUBLAS_COMPUTE_16F);
    EXPECT_EQ(int(ComputeType::f32), CUBLAS_COMPUTE_32F);
    EXPECT_EQ(int(ComputeType::f32_fast_tf32), CUBLAS_COMPUTE_32F_FAST_TF32);
    EXPECT_EQ(int(ComputeType::f64), CUBLAS_COMPUTE_64F);
    EXPECT_EQ(int(ComputeType::i32), CUBLAS_COMPUTE_32I);
    EXPECT_EQ(int(DataType::f32), CUDA_R_32F);
    EXPECT_EQ(int(DataType::f64), CUDA_R_64F);
    EXPECT_EQ(int(DataType::f16), CUDA_R_16F);
    EXPECT_EQ(int(DataType::bf16), CUDA_R_16BF);
    EXPECT_EQ(int(DataType::i8), CUDA_R_8I);
    EXPECT_EQ(int(DataType::i32), CUDA_R_32I);
    EXPECT_EQ(int(DataType::c64), CUDA_C_32F);
    EXPECT_EQ(int(DataType::c128), CUDA_C_64F);
    EXPECT_EQ(int(DescAttribute::transpose_a), CUBLASLT_MATMUL_DESC_TRANSA);
    EXPECT_EQ(int(DescAttribute::transpose_b), CUBLASLT_MATMUL_DESC_TRANSB);
    EXPECT_EQ(int(DescAttribute::epilogue), CUBLASLT_MATMUL_DESC_EPILOGUE);
    EXPECT_EQ(int(DescAttribute::bias_pointer), CUBLASLT_MATMUL_DESC_BIAS_POINTER);
    EXPECT_EQ(int(DescAttribute::bias_type), CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE);
    EXPECT_EQ(int(LayoutAttribute::batch_count), CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
    EXPECT_EQ(int(LayoutAttribute::batch_offset), CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
    EXPECT_EQ(int(PreferenceAttribute::workspace_bytes), CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
    EXPECT_EQ(int(PreferenceAttribute::reduction_schemes),
              CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK);
    EXPECT_EQ(int(PreferenceAttribute::alignment_a), CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
    EXPECT_EQ(int(PreferenceAttribute::alignment_d), CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
    EXPECT_EQ(int(ConfigAttribute::id), CUBLASLT_ALGO_CONFIG_ID);
    EXPECT_EQ(int(ConfigAttribute::tile), CUBLASLT_ALGO_CONFIG_TILE_ID);
    EXPECT_EQ(int(ConfigAttribute::split_k), CUBLASLT_ALGO_CONFIG_SPLITK_NUM);
    EXPECT_EQ(int(ConfigAttribute::stages), CUBLASLT_ALGO_CONFIG_STAGES_ID);
    EXPECT_EQ(int(ConfigAttribute::cluster), CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID);
    EXPECT_EQ(operation_n, CUBLAS_OP_N);
    EXPECT_EQ(operation_t, CUBLAS_OP_T);
    EXPECT_EQ(operation_c, CUBLAS_OP_C);
    EXPECT_EQ(epilogue_default, CUBLASLT_EPILOGUE_DEFAULT);
    EXPECT_EQ(epilogue_relu, CUBLASLT_EPILOGUE_RELU);
    EXPECT_EQ(epilogue_bias, CUBLASLT_EPILOGUE_BIAS);
    EXPECT_EQ(epilogue_gelu, CUBLASLT_EPILOGUE_GELU);
    EXPECT_EQ(epilogue_relu | epilogue_bias, CUBLASLT_EPILOGUE_RELU_BIAS);
    EXPECT_EQ(epilogue_gelu | epilogue_bias, CUBLASLT_EPILOGUE_GELU_BIAS);
}

}  // namespace
}  // namespace heald::cublaslt
