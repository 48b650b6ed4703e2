#include "src/array/user/user_reduction.hpp"

#include "src/array/lazy/kernel_text.hpp"
#include "src/array/ops/operand.hpp"
#include "src/array/ops/reduce.hpp"
#include "src/array/shape.hpp"
#include "src/array/user/typed_ufunc.hpp"
#include "src/base/check.hpp"
#include "src/base/fork.hpp"
#include "src/base/hash.hpp"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <variant>

namespace heald::array {
namespace {

/// Folds by their combining function; they stay for ever.
struct UserFold {
    std::string name, begin;
    Fold fold;
};
struct UserFolds {
    ForkMutex mutex;
    std::unordered_map<const Ufunc*, std::unique_ptr<UserFold>> made;
};

const Ufunc& interned(const std::string& name, TypedFunction function) {
    const std::string key = function.symbol;
    return typed_ufunc(key, name, [&] { return std::move(function); });
}

/// "y = <expression>" with the user's own line numbers.
std::string assigned(const std::string& variable, const std::string& expression) {
    return text(variable, " = (\n#line 1\n", expression, "\n)");
}

}  // namespace

UserReduction::UserReduction(std::string_view inputs, std::string_view output, ReductionText text)
    : inputs_(parse_parameters(inputs, text.name)),
      outputs_(parse_parameters(output, text.name)),
      text_(std::move(text)) {
    HEALD_EXPECTS(outputs_.size() == 1, invalid_value, "[", text_.name,
                  "] a reduction has one output, got ", outputs_.size());
    HEALD_EXPECTS(!inputs_.empty(), invalid_value, "[", text_.name, "] there is no input");
    for (const auto* list : {&inputs_, &outputs_})
        for (const UserParameter& parameter : *list) {
            HEALD_EXPECTS(!parameter.raw, invalid_value, "[", text_.name, "] parameter '",
                          parameter.name, "' is raw: reductions take none");
            HEALD_EXPECTS(parameter.name != "a" && parameter.name != "b", invalid_value, "[",
                          text_.name, "] a and b are the values that are folded: call parameter '",
                          parameter.name, "' otherwise");
        }
    HEALD_EXPECTS(!text_.identity.empty(), invalid_value, "[", text_.name,
                  "] say what a fold of no elements is: identity='0'");
}

const Ufunc& UserReduction::map_function(const UserDtypes& dtypes, DType folded) const {
    std::string parameters;
    for (std::size_t k = 0; k < inputs_.size(); ++k)
        parameters +=
            text(k > 0 ? ", const " : "const ", value_type(dtypes.inputs[k]), " ", inputs_[k].name);
    const std::string before =
        text(placeholder_types(dtypes), "    ", value_type(folded), " mapped_{};\n");
    return interned(text_.name,
                    user_function({text_.name, text_.preamble, assigned("mapped_", text_.map)},
                                  parameters, dtypes.inputs, before, "mapped_", folded));
}

const Fold& UserReduction::fold_of(const UserDtypes& dtypes, DType folded,
                                   const Device& device) const {
    const std::string type = value_type(folded);
    // The identity belongs to the function: what is kept by it must not meet another's.
    const std::string before =
        text("    // begins with ", KeyBuilder().add(text_.identity).hash().hex(), "\n",
             placeholder_types(dtypes), "    ", type, " folded_{};\n");
    TypedFunction function =
        user_function({text_.name, text_.preamble, assigned("folded_", text_.reduce)},
                      text("const ", type, " a, const ", type, " b"), {folded, folded}, before,
                      "folded_", folded);
    const Ufunc& combine = interned(text_.name, std::move(function));
    check_function(combine, device);
    static UserFolds& all = *std::make_unique<UserFolds>().release();
    const std::lock_guard lock(all.mutex);
    auto& slot = all.made[&combine];
    if (slot == nullptr) {
        slot = std::make_unique<UserFold>();
        slot->name = text_.name;
        slot->begin = text_.identity;
        slot->fold.name = slot->name;
        slot->fold.combine = &combine;
        slot->fold.begin = slot->begin;
    }
    return slot->fold;
}

const Ufunc& UserReduction::post_function(const UserDtypes& dtypes, DType folded) const {
    const DType result = dtypes.outputs.front();
    const std::string& name = outputs_.front().name;
    const std::string before =
        text(placeholder_types(dtypes), "    ", value_type(result), " ", name, "{};\n");
    return interned(text_.name, user_function({text_.name, text_.preamble, text_.post},
                                              text("const ", value_type(folded), " a"), {folded},
                                              before, name, result));
}

Array UserReduction::call(std::span<const UfuncOperand> inputs,
                          const std::function<std::vector<int>(int axes)>& axes, bool keep_axes,
                          const std::optional<Array>& given) const {
    HEALD_EXPECTS(inputs.size() == inputs_.size(), type_mismatch, "[", text_.name, "] takes ",
                  inputs_.size(), " inputs, got ", inputs.size());
    const std::span<const Array> outs =
        given ? std::span<const Array>(&*given, 1) : std::span<const Array>();
    const UserDtypes dtypes = bind_dtypes(text_.name, inputs_, inputs, outputs_, outs);
    const Stream stream = call_stream(text_.name, inputs, outs);
    DType folded = dtypes.outputs.front();
    if (text_.type.size() == 1) {
        const auto found = dtypes.placeholders.find(text_.type);
        HEALD_EXPECTS(found != dtypes.placeholders.end(), type_mismatch, "[", text_.name,
                      "] nothing says which dtype reduce_type ", text_.type, " is");
        folded = found->second;
    } else if (!text_.type.empty()) {
        folded = dtype_from_name(text_.type);
    }
    if (is_narrow(folded)) folded = DType::float32;
    std::vector<const Shape*> shapes;
    for (const UfuncOperand& input : inputs)
        if (const auto* array = std::get_if<Array>(&input)) shapes.push_back(&array->shape());
    const Shape shape = broadcast_shapes(shapes, text_.name);
    std::vector<int> over = axes(static_cast<int>(shape.size()));
    const Ufunc& map = map_function(dtypes, folded);
    check_function(map, stream.device());
    const Fold& fold = fold_of(dtypes, folded, stream.device());
    const Ufunc* post = text_.post.empty() ? nullptr : &post_function(dtypes, folded);
    if (post != nullptr) check_function(*post, stream.device());
    std::vector<Operand> operands;
    for (std::size_t k = 0; k < inputs.size(); ++k)
        operands.push_back(bound_operand(inputs[k], dtypes.inputs[k], shape));
    const Array mapped =
        record_typed(map, std::move(operands), shape, c_strides(shape, size_of(folded)), stream);
    Array result = reduce(fold, mapped, std::move(over), keep_axes, folded);
    if (post != nullptr) {
        const Shape kept = result.shape();
        const DType dtype = dtypes.outputs.front();
        result = record_typed(*post, {Operand(std::move(result))}, kept,
                              c_strides(kept, size_of(dtype)), stream);
    } else {
        result = cast(result, dtypes.outputs.front());
    }
    if (!given) return result;
    HEALD_EXPECTS(given->shape() == result.shape(), invalid_value, "[", text_.name,
                  "] the output array has shape ", shape_text(given->shape()), ", the result ",
                  shape_text(result.shape()));
    assign(*given, std::move(result));
    return *given;
}

}  // namespace heald::array

namespace heald {

ReductionFunction::ReductionFunction(std::string_view inputs, std::string_view output,
                                     std::string map, std::string reduce, std::string post,
                                     std::string identity, std::string name,
                                     std::string reduce_type, std::string preamble)
    : state_(std::make_shared<const array::UserReduction>(
          inputs, output,
          array::ReductionText{std::move(name), std::move(map), std::move(reduce), std::move(post),
                               std::move(identity), std::move(reduce_type), std::move(preamble)})) {
}

Array ReductionFunction::operator()(std::span<const Operand> inputs,
                                    std::optional<std::vector<int>> axes, bool keep_axes) const {
    std::vector<array::UfuncOperand> operands;
    for (const Operand& input : inputs) operands.push_back(array::ufunc_operand(input));
    const auto over = [&](int count) {
        std::vector<int> all;
        if (axes)
            for (const int axis : *axes)
                all.push_back(array::checked_axis("[reduction] ", axis, count));
        else
            for (int axis = 0; axis < count; ++axis) all.push_back(axis);
        return all;
    };
    return state_->call(operands, over, keep_axes, std::nullopt);
}

}  // namespace heald
