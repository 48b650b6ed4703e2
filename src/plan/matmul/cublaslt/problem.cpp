#include "src/plan/matmul/cublaslt/problem.hpp"

#include "src/array/shape.hpp"
#include "src/base/text.hpp"

#include <array>

namespace heald::cublaslt {
namespace {

using plan::MatmulProblem;

std::optional<DataType> data_type(DType dtype) {
    switch (dtype) {
        case DType::float16:
            return DataType::f16;
        case DType::bfloat16:
            return DataType::bf16;
        case DType::float32:
            return DataType::f32;
        case DType::float64:
            return DataType::f64;
        case DType::complex64:
            return DataType::c64;
        case DType::complex128:
            return DataType::c128;
        case DType::int8:
            return DataType::i8;
        case DType::int32:
            return DataType::i32;
        default:
            return std::nullopt;
    }
}

struct Row {
    DType operands, result, accumulate;
    Multiply multiply;
    ComputeType compute;
    DataType scale;
};
constexpr Multiply own = Multiply::operands;
constexpr std::array rows{
    Row{DType::float32, DType::float32, DType::float32, own, ComputeType::f32, DataType::f32},
    Row{DType::float32, DType::float32, DType::float32, Multiply::tf32, ComputeType::f32_fast_tf32,
        DataType::f32},
    Row{DType::float16, DType::float16, DType::float32, own, ComputeType::f32, DataType::f32},
    Row{DType::float16, DType::float32, DType::float32, own, ComputeType::f32, DataType::f32},
    Row{DType::float16, DType::float16, DType::float16, own, ComputeType::f16, DataType::f16},
    Row{DType::bfloat16, DType::bfloat16, DType::float32, own, ComputeType::f32, DataType::f32},
    Row{DType::bfloat16, DType::float32, DType::float32, own, ComputeType::f32, DataType::f32},
    Row{DType::float64, DType::float64, DType::float64, own, ComputeType::f64, DataType::f64},
    Row{DType::complex64, DType::complex64, DType::complex64, own, ComputeType::f32, DataType::c64},
    Row{DType::complex128, DType::complex128, DType::complex128, own, ComputeType::f64,
        DataType::c128},
    Row{DType::int8, DType::int32, DType::int32, own, ComputeType::i32, DataType::i32},
};

bool is_column_vector(const Array& operand, const MatmulProblem& problem) {
    const Shape steps = array::element_strides(operand);
    for (std::size_t axis = 0; axis + 1 < steps.size(); ++axis)
        if (operand.shape()[axis] != 1 && steps[axis] != 0) return false;
    return problem.n == 1 || steps.back() == 1;
}

/// It lies as d does.
bool is_whole(const Array& operand, const MatmulProblem& problem) {
    return plan::steps_of(operand) == problem.d_steps;
}

}  // namespace

std::optional<Types> types_of(const MatmulProblem& problem) {
    if (problem.a != problem.b) return std::nullopt;
    for (const Row& row : rows)
        if (row.operands == problem.a && row.result == problem.d &&
            row.accumulate == problem.accumulate && row.multiply == problem.multiply)
            return Types{row.compute, row.scale, *data_type(problem.a), *data_type(problem.b),
                         *data_type(problem.d)};
    return std::nullopt;
}

Fused fused_stages(const MatmulProblem& problem, std::size_t most) {
    Fused fused;
    bool activated = false;
    for (std::size_t i = 0; i < problem.stages.size() && i < most; ++i) {
        const EpilogueStage& stage = problem.stages[i];
        if (activated) break;
        switch (stage.member) {
            case EpilogueMember::scale:
                if (problem.has_c || fused.bias || fused.addend) return fused;
                fused.scale *= stage.values[0];
                break;
            case EpilogueMember::bias:
            case EpilogueMember::residual: {
                const Array& operand = problem.stage_operands[i][0];
                if (operand.dtype() != problem.d) return fused;
                if (!fused.bias && is_column_vector(operand, problem))
                    fused.bias = i;
                else if (!fused.addend && !problem.has_c && is_whole(operand, problem))
                    fused.addend = i;
                else
                    return fused;
                break;
            }
            case EpilogueMember::relu:
                fused.epilogue = epilogue_relu;
                activated = true;
                break;
            case EpilogueMember::gelu:
                if (size_of(problem.d) > 4) return fused;  // its tanh is good for float32 alone
                fused.epilogue = epilogue_gelu;
                activated = true;
                break;
            default:
                return fused;
        }
        fused.stages = i + 1;
    }
    return fused;
}

std::optional<Layout> layout_of(const plan::MatrixSteps& steps, std::int64_t rows_count,
                                std::int64_t columns, bool conjugate) {
    const auto order = plan::order_of(steps, rows_count, columns);
    if (!order) return std::nullopt;
    Layout layout;
    layout.leading = order->leading;
    // In its eyes a row-major matrix is transposed already.
    layout.rows = static_cast<std::uint64_t>(order->by_columns ? rows_count : columns);
    layout.columns = static_cast<std::uint64_t>(order->by_columns ? columns : rows_count);
    layout.operation = order->by_columns ? (conjugate ? operation_c : operation_t) : operation_n;
    if (conjugate && !order->by_columns) return std::nullopt;
    return layout;
}

std::size_t joined_axes(const MatmulProblem& problem) {
    const std::size_t axes = problem.batch.size();
    const auto last = [&](const Shape& shape, std::size_t count) {
        return Shape(shape.end() - static_cast<std::ptrdiff_t>(count), shape.end());
    };
    const auto joined = [&](const Shape& steps, std::size_t count) {
        const auto step = plan::joined_step(last(problem.batch, count), last(steps, count));
        return step && *step >= 0;
    };
    std::size_t count = 0;
    while (count < axes && joined(problem.a_steps.batch, count + 1) &&
           joined(problem.b_steps.batch, count + 1) && joined(problem.d_steps.batch, count + 1))
        ++count;
    return count;
}

std::string tuning_key(const MatmulProblem& problem, const Fused& fused, std::uint32_t alignment,
                       const std::string& device) {
    const auto matrix = [](const plan::MatrixSteps& steps) {
        return text(steps.row, ",", steps.column);
    };
    std::int64_t products = 1;
    for (const std::int64_t extent : problem.batch) products *= extent;
    return text("matmul ", device, " ", version_text(), " ", problem.m, "x", problem.n, "x",
                problem.k, " x", products, " ", heald::name_of(problem.a), " ",
                heald::name_of(problem.d), " ", heald::name_of(problem.accumulate), " ",
                static_cast<int>(problem.multiply), " ", matrix(problem.a_steps), " ",
                matrix(problem.b_steps), " ", matrix(problem.d_steps), " e", fused.epilogue,
                fused.bias ? " bias" : "", fused.addend || problem.has_c ? " c" : "", " a",
                alignment, " w", problem.workspace_limit, problem.deterministic ? " det" : "");
}

}  // namespace heald::cublaslt
