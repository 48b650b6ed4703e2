#pragma once

#include "src/plan/matmul/cublaslt/api.hpp"
#include "src/plan/matmul/provider.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heald::cublaslt {

/// Dtypes of a product as cuBLASLt names them.
struct Types {
    ComputeType compute = ComputeType::f32;
    DataType scale = DataType::f32;
    DataType a = DataType::f32, b = DataType::f32, d = DataType::f32;
};
[[nodiscard]] std::optional<Types> types_of(const plan::MatmulProblem& problem);

/// A chain of stages as one of cuBLASLt's epilogues.
struct Fused {
    std::size_t stages = 0;  ///< of the chain, from the first
    std::uint32_t epilogue = epilogue_default;
    double scale = 1;                   ///< of alpha
    std::optional<std::size_t> bias;    ///< the stage whose operand has one number per column
    std::optional<std::size_t> addend;  ///< the stage whose operand stands for c
};
/// What of the chain one call does: scale, bias, an added matrix, relu or gelu.
[[nodiscard]] Fused fused_stages(const plan::MatmulProblem& problem, std::size_t most);

/// Row-major matrices as cuBLASLt, which reads columns, sees them: its a is our b, and every one is
/// transposed.
struct Layout {
    std::uint64_t rows = 0, columns = 0;
    std::int64_t leading = 1;
    int operation = operation_n;
    std::int64_t batch_step = 0;
};
/// nullopt: a conjugate of what is not transposed.
[[nodiscard]] std::optional<Layout> layout_of(const plan::MatrixSteps& steps, std::int64_t rows,
                                              std::int64_t columns, bool conjugate);

/// Axes of products, from the last, that lie at equal distances in every operand: one call's.
[[nodiscard]] std::size_t joined_axes(const plan::MatmulProblem& problem);

/// What a choice of algorithm depends on, on one device and version.
[[nodiscard]] std::string tuning_key(const plan::MatmulProblem& problem, const Fused& fused,
                                     std::uint32_t alignment, const std::string& device);

}  // namespace heald::cublaslt
