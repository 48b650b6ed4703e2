#include "src/array/random/draw.hpp"

#include "src/array/random/distribution.hpp"
#include "src/array/shape.hpp"
#include "src/array/user/typed_ufunc.hpp"
#include "src/base/check.hpp"

#include <utility>
#include <variant>
#include <vector>

namespace heald::array {
namespace {

Operand number_of(std::uint64_t number) {
    return {DType::uint64, value_of(number)};
}

void check_kind(std::string_view name, std::size_t position, DType given, DType wanted) {
    const DTypeKind kind = info(given).kind;
    const bool real = kind == DTypeKind::real;
    const bool fits = kind != DTypeKind::complex && kind != DTypeKind::opaque &&
                      (!real || info(wanted).kind == DTypeKind::real);
    HEALD_EXPECTS(fits, type_mismatch, "[random.", name, "] parameter ", position + 1, " is of ",
                  name_of(given), ", which does not convert to ", name_of(wanted));
}

Operand parameter_of(std::string_view name, std::size_t position, const UfuncOperand& given,
                     DType wanted, const Shape& shape, const Stream& stream) {
    if (const auto* array = std::get_if<Array>(&given)) {
        check_kind(name, position, array->dtype(), wanted);
        HEALD_EXPECTS(array->device() == stream.device(), invalid_value, "[random.", name,
                      "] parameter ", position + 1, " is on ", array->device().name(),
                      " and the numbers are asked for on ", stream.device().name(),
                      ": bring it there with x.to(device)");
        return Operand(broadcast_view(*array, shape));
    }
    if (const auto* typed = std::get_if<TypedScalar>(&given)) {
        check_kind(name, position, typed->dtype, wanted);
        return {typed->dtype, typed->value};
    }
    const auto& weak = std::get<WeakScalar>(given);
    const bool fits = weak.kind < WeakKind::real ||
                      (weak.kind == WeakKind::real && info(wanted).kind == DTypeKind::real);
    HEALD_EXPECTS(fits, type_mismatch, "[random.", name, "] parameter ", position + 1, " must be ",
                  info(wanted).kind == DTypeKind::real ? "a real number" : "an integer");
    return {wanted, element_of(weak, wanted)};
}

/// `asked`, to which parameters must broadcast, or what they broadcast to.
Shape shape_of(std::string_view name, const std::optional<Shape>& asked,
               std::span<const UfuncOperand> parameters) {
    std::vector<const Shape*> shapes;
    for (const UfuncOperand& parameter : parameters)
        if (const auto* array = std::get_if<Array>(&parameter)) shapes.push_back(&array->shape());
    Shape common = broadcast_shapes(shapes, name);
    if (!asked) return common;
    shapes.push_back(&*asked);
    HEALD_EXPECTS(broadcast_shapes(shapes, name) == *asked, invalid_value, "[random.", name,
                  "] parameters of shape ", shape_text(common), " do not broadcast to size ",
                  shape_text(*asked));
    return *asked;
}

}  // namespace

Array draw(const Generator& generator, std::string_view name, std::optional<Shape> asked,
           DType dtype, std::span<const UfuncOperand> parameters, const Stream& stream) {
    const Distribution& row = distribution(name, dtype);
    HEALD_EXPECTS(parameters.size() == row.parameters.size(), invalid_value, "[random.", name,
                  "] takes ", row.parameters.size(), " parameters, got ", parameters.size());
    const Shape shape = shape_of(name, asked, parameters);
    const std::int64_t size = checked_size("random", shape, size_of(dtype));
    std::vector<Operand> given;
    for (std::size_t k = 0; k < parameters.size(); ++k)
        given.push_back(parameter_of(name, k, parameters[k], row.parameters[k], shape, stream));
    // Nothing can fail any more: numbers are used up.
    const auto blocks =
        static_cast<std::uint64_t>((size + row.block_elements - 1) / row.block_elements);
    const Generator::State from = generator.take(blocks);
    std::vector<Operand> operands;
    operands.reserve(4 + given.size());
    operands.emplace_back(counter(shape, stream));
    operands.push_back(number_of(from.key));
    operands.push_back(number_of(from.position));
    operands.push_back(number_of(from.stream));
    for (Operand& parameter : given) operands.push_back(std::move(parameter));
    return record_typed(*row.ufunc, std::move(operands), shape, c_strides(shape, size_of(dtype)),
                        stream);
}

}  // namespace heald::array
