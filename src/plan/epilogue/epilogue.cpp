#include <heald/epilogue.hpp>

#include "src/array/shape.hpp"
#include "src/base/check.hpp"
#include "src/plan/epilogue/members.hpp"

#include <utility>

namespace heald {
namespace {

EpilogueStage stage_of(EpilogueMember member) {
    EpilogueStage stage;
    stage.member = member;
    return stage;
}

EpilogueStage with_operand(EpilogueMember member, std::string name, Shape shape) {
    EpilogueStage stage = stage_of(member);
    stage.operands.push_back(std::move(name));
    stage.operand_shapes.push_back(std::move(shape));
    return stage;
}

EpilogueStage with_output(EpilogueMember member, std::string name) {
    EpilogueStage stage = stage_of(member);
    stage.output = std::move(name);
    return stage;
}

}  // namespace

Epilogue::Epilogue(EpilogueStage stage) : stages_{std::move(stage)} {}

Epilogue Epilogue::operator+(const Epilogue& next) const {
    Epilogue chain = *this;
    chain.stages_.insert(chain.stages_.end(), next.stages_.begin(), next.stages_.end());
    return chain;
}

Epilogue Epilogue::scale(double value) {
    EpilogueStage stage = stage_of(EpilogueMember::scale);
    stage.values[0] = value;
    return stage;
}
Epilogue Epilogue::bias(Shape shape, std::string name) {
    return with_operand(EpilogueMember::bias, std::move(name), std::move(shape));
}
Epilogue Epilogue::residual(std::string name) {
    return with_operand(EpilogueMember::residual, std::move(name), {});
}
Epilogue Epilogue::multiply(Shape shape, std::string name) {
    return with_operand(EpilogueMember::multiply, std::move(name), std::move(shape));
}

Epilogue Epilogue::activation(EpilogueMember member) {
    switch (member) {
        case EpilogueMember::relu:
        case EpilogueMember::gelu:
        case EpilogueMember::gelu_erf:
        case EpilogueMember::silu:
        case EpilogueMember::sigmoid:
        case EpilogueMember::tanh:
            return stage_of(member);
        default:
            fail(ErrorKind::invalid_value, "[Epilogue.activation] '",
                 plan::epilogue_row(member).name, "' is not an activation without arguments");
    }
}

Epilogue Epilogue::leaky_relu(double slope) {
    EpilogueStage stage = stage_of(EpilogueMember::leaky_relu);
    stage.values[0] = slope;
    return stage;
}

Epilogue Epilogue::clamp(double low, double high) {
    HEALD_EXPECTS(low <= high, invalid_value, "[Epilogue.clamp] low is ", low, ", high is ", high,
                  ": low must not be above high");
    EpilogueStage stage = stage_of(EpilogueMember::clamp);
    stage.values = {low, high};
    return stage;
}

Epilogue Epilogue::cast(DType dtype) {
    EpilogueStage stage = stage_of(EpilogueMember::cast);
    stage.dtype = dtype;
    return stage;
}

Epilogue Epilogue::dropout(double probability, std::uint64_t seed) {
    HEALD_EXPECTS(probability >= 0 && probability <= 1, invalid_value,
                  "[Epilogue.dropout] the probability must be between 0 and 1, got ", probability);
    EpilogueStage stage = stage_of(EpilogueMember::dropout);
    stage.values[0] = probability;
    stage.seed = seed;
    return stage;
}

Epilogue Epilogue::relu_aux(std::string output) {
    return with_output(EpilogueMember::relu_aux, std::move(output));
}
Epilogue Epilogue::gelu_aux(std::string output) {
    return with_output(EpilogueMember::gelu_aux, std::move(output));
}
Epilogue Epilogue::drelu(std::string name) {
    return with_operand(EpilogueMember::drelu, std::move(name), {});
}
Epilogue Epilogue::dgelu(std::string name) {
    return with_operand(EpilogueMember::dgelu, std::move(name), {});
}
Epilogue Epilogue::bias_gradient(std::string output) {
    return with_output(EpilogueMember::bias_gradient, std::move(output));
}
Epilogue Epilogue::amax(std::string output) {
    return with_output(EpilogueMember::amax, std::move(output));
}

Epilogue Epilogue::function(EpilogueFunction function, std::vector<std::string> names,
                            std::vector<Shape> shapes) {
    HEALD_EXPECTS(function != nullptr, invalid_value, "[Epilogue.function] there is no function");
    EpilogueStage stage = stage_of(EpilogueMember::function);
    shapes.resize(names.size());
    stage.operands = std::move(names);
    stage.operand_shapes = std::move(shapes);
    stage.function = std::move(function);
    return stage;
}

}  // namespace heald
