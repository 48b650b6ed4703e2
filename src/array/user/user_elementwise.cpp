#include "src/array/user/user_elementwise.hpp"

#include "src/array/lazy/kernel_text.hpp"
#include "src/array/lazy/kernels.hpp"
#include "src/array/ops/operand.hpp"
#include "src/array/ops/reduce.hpp"
#include "src/array/packed_launch.hpp"
#include "src/array/shape.hpp"
#include "src/array/user/typed_ufunc.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <variant>

namespace heald::array {
namespace {

Operand int64_operand(std::int64_t number) {
    return {DType::int64, value_of(number)};
}

/// _ind, from the element's number i and the extents e0, e1, ….
std::string coordinates_text(std::size_t axes) {
    const std::size_t room = std::max<std::size_t>(axes, 1);
    std::string text = heald::text(
        "    struct Indexer {\n        long long size_, extent_[", room, "], at_[", room,
        "];\n        enum { ndim = ", axes,
        " };\n        __device__ long long size() const { return size_; }\n"
        "        __device__ const long long* shape() const { return extent_; }\n"
        "        __device__ const long long* get() const { return at_; }\n    };\n"
        "    Indexer _ind{};\n    _ind.size_ = n;\n    {\n        long long rest_ = i;\n");
    for (std::size_t axis = axes; axis-- > 0;)
        text += heald::text("        _ind.extent_[", axis, "] = e", axis, ";\n        _ind.at_[",
                            axis, "] = rest_ % e", axis, ";\n        rest_ /= e", axis, ";\n");
    return text + "    }\n";
}

}  // namespace

UserElementwise::UserElementwise(std::string_view inputs, std::string_view outputs, UserText text)
    : inputs_(parse_parameters(inputs, text.name)),
      outputs_(parse_parameters(outputs, text.name)),
      text_(std::move(text)) {
    HEALD_EXPECTS(!outputs_.empty(), invalid_value, "[", text_.name, "] there is no output");
    std::vector<std::string> names;
    for (const auto* list : {&inputs_, &outputs_})
        for (const UserParameter& parameter : *list) {
            HEALD_EXPECTS(std::ranges::find(names, parameter.name) == names.end(), invalid_value,
                          "[", text_.name, "] two parameters are called '", parameter.name, "'");
            names.push_back(parameter.name);
            raw_ |= parameter.raw;
        }
    coordinates_ = mentions(text_.body, "_ind");
    count_ = coordinates_ || mentions(text_.body, "n");
    number_ = coordinates_ || mentions(text_.body, "i");
}

Shape UserElementwise::shape_of(std::span<const UfuncOperand> inputs, std::span<const Array> given,
                                const std::optional<Shape>& size) const {
    std::vector<const Shape*> shapes;
    bool any = false;
    for (std::size_t k = 0; k < inputs.size(); ++k)
        if (const auto* array = std::get_if<Array>(&inputs[k]); array != nullptr) {
            if (!inputs_[k].raw) shapes.push_back(&array->shape());
            any |= !inputs_[k].raw;
        }
    for (std::size_t k = 0; k < given.size(); ++k)
        if (!outputs_[k].raw) {
            shapes.push_back(&given[k].shape());
            any = true;
        }
    if (size) {
        HEALD_EXPECTS(!any, invalid_value, "[", text_.name,
                      "] size is for calls whose arrays are all raw: the others have a shape");
        return *size;
    }
    HEALD_EXPECTS(any || !raw_, invalid_value, "[", text_.name,
                  "] every array is raw: say how often to run with size=");
    Shape shape = broadcast_shapes(shapes, text_.name);
    for (std::size_t k = 0; k < given.size(); ++k)
        HEALD_EXPECTS(outputs_[k].raw || given[k].shape() == shape, invalid_value, "[", text_.name,
                      "] output '", outputs_[k].name, "' has shape ", shape_text(given[k].shape()),
                      ", the result shape ", shape_text(shape));
    return shape;
}

const Ufunc& UserElementwise::function_of(const UserDtypes& dtypes, std::size_t output,
                                          std::size_t axes) const {
    std::string parameters, before = placeholder_types(dtypes);
    std::vector<DType> operands = dtypes.inputs;
    for (std::size_t k = 0; k < inputs_.size(); ++k)
        parameters +=
            text(k > 0 ? ", const " : "const ", value_type(dtypes.inputs[k]), " ", inputs_[k].name);
    const auto add = [&](const std::string& name) {
        parameters += text(parameters.empty() ? "" : ", ", "const long long ", name);
        operands.push_back(DType::int64);
    };
    if (number_) add("i");
    if (count_) add("n");
    if (coordinates_) {
        for (std::size_t axis = 0; axis < axes; ++axis) add(text("e", axis));
        before += coordinates_text(axes);
    }
    for (std::size_t k = 0; k < outputs_.size(); ++k)
        before += text("    ", value_type(dtypes.outputs[k]), " ", outputs_[k].name, "{};\n");
    TypedFunction function = user_function(text_, parameters, std::move(operands), before,
                                           outputs_[output].name, dtypes.outputs[output]);
    const std::string key = function.symbol;
    return typed_ufunc(key, text_.name, [&] { return std::move(function); });
}

std::vector<Array> UserElementwise::record(const UserDtypes& dtypes,
                                           std::span<const UfuncOperand> inputs, const Shape& shape,
                                           const Stream& stream) const {
    std::vector<Operand> operands;
    for (std::size_t k = 0; k < inputs.size(); ++k)
        operands.push_back(bound_operand(inputs[k], dtypes.inputs[k], shape));
    if (number_) operands.emplace_back(counter(shape, stream));
    if (count_) {
        std::int64_t size = 1;
        for (const std::int64_t extent : shape) size *= extent;
        operands.push_back(int64_operand(size));
    }
    if (coordinates_)
        for (const std::int64_t extent : shape) operands.push_back(int64_operand(extent));
    std::vector<const Ufunc*> functions;
    for (std::size_t k = 0; k < outputs_.size(); ++k)
        functions.push_back(&function_of(dtypes, k, shape.size()));
    check_function(*functions.front(), stream.device());
    std::vector<Array> results;
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
        const DType dtype = dtypes.outputs[k];
        results.push_back(
            record_typed(*functions[k], operands, shape, c_strides(shape, size_of(dtype)), stream));
    }
    return results;
}

std::vector<Array> UserElementwise::launch(const UserDtypes& dtypes,
                                           std::span<const UfuncOperand> inputs,
                                           std::span<const Array> given, const Shape& shape,
                                           const Stream& stream) const {
    std::vector<Array> results(given.begin(), given.end());
    for (std::size_t k = results.size(); k < outputs_.size(); ++k) {
        HEALD_EXPECTS(!outputs_[k].raw, invalid_value, "[", text_.name, "] raw output '",
                      outputs_[k].name, "' has no shape of its own: give an array for it");
        results.emplace_back(shape, dtypes.outputs[k], stream);
    }
    std::vector<std::int64_t> layout{1};
    for (const std::int64_t extent : shape) layout[0] *= extent;
    layout.insert(layout.end(), shape.begin(), shape.end());
    RawForm form;
    form.shape_axes = shape.size();
    PackedLaunch arguments;
    std::vector<bool> is_array;
    std::string key = text("raw ", stream.device().name(), " ", shape.size());
    const auto add = [&](const Array& array, const UserParameter& parameter, bool write) {
        HEALD_EXPECTS(!parameter.raw || !is_narrow(array.dtype()), type_mismatch, "[", text_.name,
                      "] raw parameter '", parameter.name, "' cannot be of ",
                      name_of(array.dtype()), ": convert it with x.astype('float32')");
        HEALD_EXPECTS(!write || !array.read_only(), invalid_value, "[", text_.name, "] output '",
                      parameter.name, "' is read-only");
        const Array seen = parameter.raw ? array : broadcast_view(array, shape);
        const Shape steps = element_strides(seen);
        form.axes.push_back(seen.shape().size());
        form.in_order.push_back(seen.is_c_contiguous());
        key += text(" ", name_of(array.dtype()), seen.shape().size(),
                    form.in_order.back() ? "c" : "s");
        layout.push_back(seen.size());
        layout.insert(layout.end(), seen.shape().begin(), seen.shape().end());
        layout.insert(layout.end(), steps.begin(), steps.end());
        arguments.add_array(seen, write);
        is_array.push_back(true);
    };
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        if (const auto* array = std::get_if<Array>(&inputs[k])) {
            add(*array, inputs_[k], false);
            continue;
        }
        HEALD_EXPECTS(!inputs_[k].raw, type_mismatch, "[", text_.name, "] raw parameter '",
                      inputs_[k].name, "' must be an array");
        const Operand number = bound_operand(inputs[k], dtypes.inputs[k], shape);
        form.axes.push_back(0);
        form.in_order.push_back(true);
        arguments.add_value(number.value);
        is_array.push_back(false);
        key += text(" number ", name_of(dtypes.inputs[k]));
    }
    for (std::size_t k = 0; k < results.size(); ++k) add(results[k], outputs_[k], true);
    arguments.add_numbers(layout);
    const auto flags = std::make_unique<bool[]>(is_array.size());
    std::ranges::copy(is_array, flags.get());
    const std::string source =
        raw_source(text_, inputs_, outputs_, dtypes, {flags.get(), is_array.size()}, form,
                   stream.device().kind());
    core::DeviceState& device = stream.state().device;
    const Kernel kernel = generated_kernel(device, key + source, [&] { return source; });
    if (layout[0] == 0) return results;
    constexpr std::int64_t block = 256;
    HEALD_EXPECTS(layout[0] / block < std::numeric_limits<std::int32_t>::max(), invalid_value, "[",
                  text_.name, "] ", layout[0], " elements are more than a launch takes");
    arguments.launch(kernel,
                     {Dim3(static_cast<std::uint32_t>((layout[0] + block - 1) / block)),
                      Dim3(static_cast<std::uint32_t>(block))},
                     stream, text_.name.c_str());
    return results;
}

std::vector<Array> UserElementwise::call(std::span<const UfuncOperand> inputs,
                                         std::span<const Array> given,
                                         const std::optional<Shape>& size) const {
    HEALD_EXPECTS(inputs.size() == inputs_.size(), type_mismatch, "[", text_.name, "] takes ",
                  inputs_.size(), " inputs, got ", inputs.size());
    HEALD_EXPECTS(given.empty() || given.size() == outputs_.size(), type_mismatch, "[", text_.name,
                  "] takes none or ", outputs_.size(), " output arrays, got ", given.size());
    const UserDtypes dtypes = bind_dtypes(text_.name, inputs_, inputs, outputs_, given);
    const Stream stream = call_stream(text_.name, inputs, given);
    const Shape shape = shape_of(inputs, given, size);
    if (raw_) return launch(dtypes, inputs, given, shape, stream);
    std::vector<Array> results = record(dtypes, inputs, shape, stream);
    if (given.empty()) return results;
    for (std::size_t k = 0; k < results.size(); ++k) assign(given[k], std::move(results[k]));
    return {given.begin(), given.end()};
}

}  // namespace heald::array

namespace heald {

ElementwiseFunction::ElementwiseFunction(std::string_view inputs, std::string_view outputs,
                                         std::string operation, std::string name,
                                         std::string preamble)
    : state_(std::make_shared<const array::UserElementwise>(
          inputs, outputs,
          array::UserText{std::move(name), std::move(preamble), std::move(operation)})) {}

std::vector<Array> ElementwiseFunction::operator()(std::span<const Operand> inputs) const {
    std::vector<array::UfuncOperand> operands;
    for (const Operand& input : inputs) operands.push_back(array::ufunc_operand(input));
    return state_->call(operands, {}, std::nullopt);
}

}  // namespace heald
