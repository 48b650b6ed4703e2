#include "src/plan/epilogue/members.hpp"

#include "src/array/lazy/node.hpp"
#include "src/array/ops/fold.hpp"
#include "src/array/ops/reduce.hpp"
#include "src/base/check.hpp"
#include "src/core/current.hpp"
#include "src/plan/epilogue/random.hpp"
#include "src/plan/epilogue/terms.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace heald::plan {
namespace {

using Outputs = std::vector<std::pair<std::string, Array>>;
using Operands = std::span<const Array>;
using Stage = EpilogueStage;

const double gelu_slope = std::sqrt(2 / std::numbers::pi);
constexpr double gelu_cubic = 0.044715;

Array positive_part(const Array& x) {
    return formula("maximum", {x, 0.0});
}

/// tanh(sqrt(2/pi) (x + 0.044715 x^3))
Array gelu_tanh(const Array& x) {
    const Array square = multiply(x, x);
    const Array inner = multiply(x, add(multiply(square, gelu_cubic), 1.0));
    return formula("tanh", {multiply(inner, gelu_slope)});
}

Array gelu(const Array& x) {
    return multiply(multiply(x, 0.5), add(gelu_tanh(x), 1.0));
}

/// The derivative of gelu.
Array gelu_gradient(const Array& x) {
    const Array t = gelu_tanh(x);
    const Array inner = multiply(add(multiply(multiply(x, x), 3 * gelu_cubic), 1.0), gelu_slope);
    const Array slope = formula("subtract", {1.0, multiply(t, t)});
    return add(multiply(add(t, 1.0), 0.5), multiply(multiply(multiply(x, 0.5), slope), inner));
}

Array sigmoid(const Array& x) {
    return formula("divide", {1.0, add(formula("exp", {formula("negative", {x})}), 1.0)});
}

Array dropout(const Stage& stage, const Array& x) {
    const double probability = stage.values[0];
    const Stream stream(core::current_stream(x.buffer().block()->device()));
    const auto dropped = static_cast<std::uint64_t>(std::llround(probability * 0x1p24));
    const Array kept =
        formula("greater_equal", {random_bits(x.shape(), stage.seed, stream), Term::bits(dropped)});
    const double scale = probability < 1 ? 1 / (1 - probability) : 0;
    return formula("where", {kept, multiply(x, scale), 0.0});
}

Array relu_with_mask(const Stage& stage, const Array& x, Operands, Outputs& outputs) {
    outputs.emplace_back(stage.output, formula("greater", {x, 0.0}));
    return positive_part(x);
}

Array gelu_with_input(const Stage& stage, const Array& x, Operands, Outputs& outputs) {
    outputs.emplace_back(stage.output, x);
    return gelu(x);
}

Array with_bias_gradient(const Stage& stage, const Array& x, Operands, Outputs& outputs) {
    std::vector<int> axes;
    for (int axis = 0; axis + 1 < x.ndim(); ++axis) axes.push_back(axis);
    outputs.emplace_back(stage.output, array::reduce(array::fold("add"), x, axes, false));
    return x;
}

Array with_amax(const Stage& stage, const Array& x, Operands, Outputs& outputs) {
    std::vector<int> axes;
    for (int axis = 0; axis < x.ndim(); ++axis) axes.push_back(axis);
    outputs.emplace_back(
        stage.output, array::reduce(array::fold("maximum"), formula("absolute", {x}), axes, false));
    return x;
}

using M = EpilogueMember;
constexpr std::array rows{
    EpilogueRow{M::scale, "scale", 0, false,
                [](const Stage& s, const Array& x, Operands, Outputs&) {
                    return multiply(x, s.values[0]);
                }},
    EpilogueRow{M::bias, "bias", 1, false,
                [](const Stage&, const Array& x, Operands o, Outputs&) { return add(x, o[0]); }},
    EpilogueRow{M::residual, "residual", 1, false,
                [](const Stage&, const Array& x, Operands o, Outputs&) { return add(x, o[0]); }},
    EpilogueRow{
        M::multiply, "multiply", 1, false,
        [](const Stage&, const Array& x, Operands o, Outputs&) { return multiply(x, o[0]); }},
    EpilogueRow{M::relu, "relu", 0, false,
                [](const Stage&, const Array& x, Operands, Outputs&) { return positive_part(x); }},
    EpilogueRow{M::gelu, "gelu", 0, false,
                [](const Stage&, const Array& x, Operands, Outputs&) { return gelu(x); }},
    EpilogueRow{M::gelu_erf, "gelu_erf", 0, false,
                [](const Stage&, const Array& x, Operands, Outputs&) {
                    const Array e = formula("erf", {multiply(x, std::numbers::sqrt2 / 2)});
                    return multiply(multiply(x, 0.5), add(e, 1.0));
                }},
    EpilogueRow{
        M::silu, "silu", 0, false,
        [](const Stage&, const Array& x, Operands, Outputs&) { return multiply(x, sigmoid(x)); }},
    EpilogueRow{M::sigmoid, "sigmoid", 0, false,
                [](const Stage&, const Array& x, Operands, Outputs&) { return sigmoid(x); }},
    EpilogueRow{
        M::tanh, "tanh", 0, false,
        [](const Stage&, const Array& x, Operands, Outputs&) { return formula("tanh", {x}); }},
    EpilogueRow{M::leaky_relu, "leaky_relu", 0, false,
                [](const Stage& s, const Array& x, Operands, Outputs&) {
                    return formula("where",
                                   {formula("greater", {x, 0.0}), x, multiply(x, s.values[0])});
                }},
    EpilogueRow{M::clamp, "clamp", 0, false,
                [](const Stage& s, const Array& x, Operands, Outputs&) {
                    return formula("minimum", {formula("maximum", {x, s.values[0]}), s.values[1]});
                }},
    EpilogueRow{
        M::cast, "cast", 0, false,
        [](const Stage& s, const Array& x, Operands, Outputs&) { return array::cast(x, s.dtype); }},
    EpilogueRow{M::dropout, "dropout", 0, false,
                [](const Stage& s, const Array& x, Operands, Outputs&) { return dropout(s, x); }},
    EpilogueRow{M::relu_aux, "relu_aux", 0, true, relu_with_mask},
    EpilogueRow{M::gelu_aux, "gelu_aux", 0, true, gelu_with_input},
    EpilogueRow{M::drelu, "drelu", 1, false,
                [](const Stage&, const Array& x, Operands o, Outputs&) {
                    return formula("where", {o[0], x, 0.0});
                }},
    EpilogueRow{M::dgelu, "dgelu", 1, false,
                [](const Stage&, const Array& x, Operands o, Outputs&) {
                    return multiply(x, gelu_gradient(array::cast(o[0], x.dtype())));
                }},
    EpilogueRow{M::bias_gradient, "bias_gradient", 0, true, with_bias_gradient},
    EpilogueRow{M::amax, "amax", 0, true, with_amax},
    EpilogueRow{
        M::function, "function", -1, false,
        [](const Stage& s, const Array& x, Operands o, Outputs&) { return s.function(x, o); }},
};
static_assert(rows.size() == static_cast<std::size_t>(M::count));

}  // namespace

std::span<const EpilogueRow> epilogue_rows() noexcept {
    return rows;
}

const EpilogueRow& epilogue_row(EpilogueMember member) {
    return rows[static_cast<std::size_t>(member)];
}

std::string chain_text(std::span<const EpilogueStage> stages) {
    std::string result;
    for (const EpilogueStage& stage : stages) {
        if (!result.empty()) result += " + ";
        result += epilogue_row(stage.member).name;
    }
    return result;
}

}  // namespace heald::plan
