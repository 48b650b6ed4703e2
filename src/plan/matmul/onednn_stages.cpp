#include "src/plan/matmul/onednn_stages.hpp"

#include "src/array/shape.hpp"

#include <array>

namespace heald::plan {
namespace {

/// Members that have a post-operation which gives NaN for NaN (oneDNN's clip and its relu do not;
/// elu with a slope of 0 does as relu).
struct Row {
    EpilogueMember member;
    int kind;
};
constexpr std::array rows{
    Row{EpilogueMember::scale, heald_onednn_linear},
    Row{EpilogueMember::bias, heald_onednn_add},
    Row{EpilogueMember::residual, heald_onednn_add},
    Row{EpilogueMember::multiply, heald_onednn_multiply},
    Row{EpilogueMember::relu, heald_onednn_elu},
    Row{EpilogueMember::leaky_relu, heald_onednn_relu},
    Row{EpilogueMember::gelu, heald_onednn_gelu_tanh},
    Row{EpilogueMember::gelu_erf, heald_onednn_gelu_erf},
    Row{EpilogueMember::silu, heald_onednn_swish},
    Row{EpilogueMember::sigmoid, heald_onednn_logistic},
    Row{EpilogueMember::tanh, heald_onednn_tanh},
};
constexpr std::size_t most_stages = 12;

const Row* row_of(EpilogueMember member) {
    for (const Row& row : rows)
        if (row.member == member) return &row;
    return nullptr;
}

/// An operand of the problem's shape, one row or one column; dense in its last axis.
std::optional<OneDnnStage> with_operand(int kind, const Array& operand, std::int64_t m,
                                        std::int64_t n, DType d) {
    const Shape& shape = operand.shape();
    const Shape steps = array::element_strides(operand);
    const std::size_t axes = shape.size();
    for (std::size_t axis = 0; axis + 2 < axes; ++axis)
        if (shape[axis] != 1 && steps[axis] != 0) return std::nullopt;
    if (operand.dtype() != DType::float32 && operand.dtype() != d) return std::nullopt;
    OneDnnStage stage;
    stage.step.kind = kind;
    stage.step.type = onednn_type(operand.dtype());
    stage.item_size = static_cast<std::int64_t>(size_of(operand.dtype()));
    const bool one_row = m == 1 || steps[axes - 2] == 0;
    const bool one_column = n == 1 || steps[axes - 1] == 0;
    stage.step.rows = one_row ? 1 : m;
    stage.step.columns = one_column ? 1 : n;
    if (!one_column && steps[axes - 1] != 1) return std::nullopt;
    stage.step.row_step = one_row ? stage.step.columns : steps[axes - 2];
    if (stage.step.row_step < stage.step.columns) return std::nullopt;
    return stage;
}

OneDnnStage plain(int kind, double alpha, double beta) {
    OneDnnStage stage;
    stage.step.kind = kind;
    stage.step.alpha = static_cast<float>(alpha);
    stage.step.beta = static_cast<float>(beta);
    return stage;
}

std::optional<OneDnnStage> stage_of(const MatmulProblem& problem, std::size_t index) {
    const EpilogueStage& stage = problem.stages[index];
    const int kind = row_of(stage.member)->kind;
    switch (stage.member) {
        case EpilogueMember::bias:
        case EpilogueMember::residual:
        case EpilogueMember::multiply: {
            auto made = with_operand(kind, problem.stage_operands[index][0], problem.m, problem.n,
                                     problem.d);
            if (made) made->stage = index;
            return made;
        }
        case EpilogueMember::scale:
            return plain(kind, stage.values[0], 0);
        case EpilogueMember::relu:
            return plain(kind, 0, 0);  // -0 for what is negative: see onednn_chain
        default:
            return plain(kind, stage.values[0], stage.values[1]);
    }
}

}  // namespace

int onednn_type(DType dtype) noexcept {
    switch (dtype) {
        case DType::bfloat16:
            return heald_onednn_bf16;
        case DType::int8:
            return heald_onednn_s8;
        case DType::uint8:
            return heald_onednn_u8;
        case DType::int32:
            return heald_onednn_s32;
        default:
            return heald_onednn_f32;
    }
}

std::size_t fusible_stages(const MatmulProblem& problem) {
    if (problem.d == DType::int32) return 0;  // its sums would pass through float32
    std::size_t count = 0;
    while (count < problem.stages.size() && count < most_stages &&
           row_of(problem.stages[count].member) != nullptr)
        ++count;
    return count;
}

std::optional<std::vector<OneDnnStage>> onednn_chain(const MatmulProblem& problem,
                                                     std::size_t stages, bool& sums) {
    std::vector<OneDnnStage> chain;
    const bool plain_scalars = problem.alpha == 1.0 && !problem.has_c;
    if (problem.d == DType::int32 && !plain_scalars) return std::nullopt;
    if (problem.alpha != 1.0) chain.push_back(plain(heald_onednn_linear, problem.alpha.real(), 0));
    sums = problem.has_c;
    if (problem.has_c) chain.push_back(plain(heald_onednn_sum, problem.beta.real(), 0));
    for (std::size_t index = 0; index < stages; ++index) {
        auto stage = stage_of(problem, index);
        if (!stage) return std::nullopt;
        chain.push_back(*stage);
        if (problem.stages[index].member == EpilogueMember::relu)
            chain.push_back(plain(heald_onednn_linear, 1, 0));  // 0 for -0
    }
    return chain;
}

}  // namespace heald::plan
