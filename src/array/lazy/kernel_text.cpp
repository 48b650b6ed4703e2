#include "src/array/lazy/kernel_text.hpp"

#include "src/array/ops/device_functions.hpp"
#include "src/array/ops/promotion.hpp"
#include "src/base/check.hpp"

namespace heald::array {
namespace {

std::string rounded(DType dtype, const std::string& value) {
    return text("heald_::round_", name_of(dtype), "(", value, ")");
}

}  // namespace

const char* bits_type(std::size_t size) {
    switch (size) {
        case 1:
            return "unsigned char";
        case 2:
            return "unsigned short";
        case 4:
            return "unsigned int";
        case 8:
            return "unsigned long long";
        default:
            return "uint4";
    }
}

std::string value_type(DType dtype) {
    switch (dtype) {
        case DType::boolean:
            return "bool";
        case DType::int8:
            return "signed char";
        case DType::int64:
            return "long long";
        case DType::uint8:
        case DType::uint16:
        case DType::uint32:
        case DType::uint64:
            return bits_type(size_of(dtype));
        case DType::int16:
            return "short";
        case DType::int32:
            return "int";
        case DType::float64:
            return "double";
        case DType::complex64:
            return "heald_::complex<float>";
        case DType::complex128:
            return "heald_::complex<double>";
        default:
            return "float";
    }
}

std::string memory_type(DType dtype) {
    if (dtype == DType::boolean) return "unsigned char";
    return is_narrow(dtype) ? "unsigned short" : value_type(dtype);
}

std::string load(DType dtype, const std::string& place) {
    if (dtype == DType::boolean) return place + " != 0";
    return is_narrow(dtype) ? text("heald_::from_", name_of(dtype), "(", place, ")") : place;
}

std::string stored(DType dtype, const std::string& value) {
    if (dtype == DType::boolean) return text("(unsigned char)(", value, ")");
    return is_narrow(dtype) ? text("heald_::to_", name_of(dtype), "(", value, ")") : value;
}

std::string converted(DType from, DType to, const std::string& value) {
    if (from == to) return value;
    const DTypeInfo& source = info(from);
    const DTypeInfo& target = info(to);
    const bool from_complex = source.kind == DTypeKind::complex;
    if (target.kind == DTypeKind::complex) {
        const std::string part = value_type(real_part_of(to));
        if (from_complex)
            return text(value_type(to), "{(", part, ")", value, ".re, (", part, ")", value, ".im}");
        return text(value_type(to), "{(", part, ")(", value, "), (", part, ")0}");
    }
    if (target.kind == DTypeKind::boolean)
        return from_complex ? text("heald_::is_true(", value, ")")
                            : text("(", value, " != (", value_type(from), ")0)");
    if (from_complex) return converted(real_part_of(from), to, value + ".re");
    if (is_narrow(to)) {
        // Through double where float would round first.
        const bool wide = source.size >= 4 && from != DType::float32;
        return rounded(to, wide ? text("(double)(", value, ")") : text("(float)(", value, ")"));
    }
    const bool to_integer =
        target.kind == DTypeKind::signed_int || target.kind == DTypeKind::unsigned_int;
    // Real numbers go through a wide integer, of which the low bits are kept.
    if (source.kind == DTypeKind::real && to_integer && to != DType::uint64 && to != DType::int64)
        return text("(", value_type(to), ")(long long)(", value, ")");
    return text("(", value_type(to), ")(", value, ")");
}

void Preamble::need(std::string_view functions) {
    while (!functions.empty()) {
        const std::size_t end = std::min(functions.find(' '), functions.size());
        const std::string_view name = functions.substr(0, end);
        functions.remove_prefix(std::min(end + 1, functions.size()));
        if (name.empty() || !needed_.emplace(name).second) continue;
        bool found = false;
        for (const DeviceFunctions& section : device_functions()) {
            if (section.name != name) continue;
            need(section.needs);
            sections_ += section.source;
            found = true;
        }
        HEALD_EXPECTS(found, not_found, "[ufunc] there are no device functions '", name, "'");
    }
}

void Preamble::need_dtype(DType dtype) {
    if (is_narrow(dtype)) need(name_of(dtype));
    if (info(dtype).kind == DTypeKind::complex) need("complex");
}

std::string Preamble::typed_function(const TypedFunction& function) {
    if (!defined_.insert(function.symbol).second) return function.symbol;
    need(function.functions);
    steps_ += function.definition;
    return function.symbol;
}

std::string Preamble::step_function(const Step& step) {
    if (step.ufunc->typed != nullptr) {
        need_dtype(step.result);
        return typed_function(*step.ufunc->typed);
    }
    const std::string name = text(step.ufunc->name, "_", name_of(step.loop));
    if (!defined_.insert(name).second) return name;
    need_dtype(step.loop);
    const Expression& expression = expression_of(*step.ufunc, step.loop);
    need(expression.functions);
    std::string parameters;
    for (int i = 0; i < step.ufunc->operands; ++i)
        parameters +=
            text(i > 0 ? ", " : "",
                 value_type(operand_dtype(*step.ufunc, static_cast<std::size_t>(i), step.loop)),
                 " ", static_cast<char>('a' + i));
    const DTypeKind kind = info(step.loop).kind;
    std::string types = text("using T = ", value_type(step.loop), "; ");
    if (kind == DTypeKind::signed_int || kind == DTypeKind::unsigned_int)
        types += text("using U = ", bits_type(size_of(step.loop)), "; ");
    if (kind == DTypeKind::complex)
        types += text("using R = ", value_type(real_part_of(step.loop)), "; ");
    std::string value = text("(", expression.text, ")");
    const DType result = result_dtype(*step.ufunc, step.loop);
    if (is_narrow(result))
        value = rounded(result, value);
    else if (info(result).kind != DTypeKind::complex)
        value = text("(", value_type(result), ")", value);
    steps_ += text("__device__ inline ", value_type(result), " ", name, "(", parameters,
                   ") {\n    ", types, "\n    return ", value, ";\n}\n");
    return name;
}

std::string Preamble::source(DeviceKind device) const {
    return text(device == DeviceKind::cpu ? "#define HEALD_CPU 1\n" : "", sections_, steps_);
}

std::string operand_parameters(const Lowered& lowered, Preamble& preamble) {
    std::string list;
    const char* pointer = lowered.in_place ? "* " : "* __restrict__ ";
    for (std::size_t k = 0; k < lowered.outputs.size(); ++k) {
        const DType dtype = lowered.outputs[k].node->result;
        preamble.need_dtype(dtype);
        list += text(memory_type(dtype), pointer, "o", k, ", ");
    }
    for (std::size_t k = 0; k < lowered.inputs.size(); ++k) {
        const Input& input = lowered.inputs[k];
        preamble.need_dtype(input.dtype);
        list += input.range != nullptr
                    ? text("const long long i", k, ", ")
                    : text("const ", memory_type(input.dtype), pointer, "i", k, ", ");
    }
    for (std::size_t k = 0; k < lowered.scalars.size(); ++k) {
        preamble.need_dtype(lowered.scalars[k].dtype);
        list += text("const ", memory_type(lowered.scalars[k].dtype), " p", k, ", ");
    }
    return list;
}

std::string scalar_statements(const Lowered& lowered) {
    std::string statements;
    for (std::size_t k = 0; k < lowered.scalars.size(); ++k) {
        const DType dtype = lowered.scalars[k].dtype;
        statements +=
            text("    const ", value_type(dtype), " s", k, " = ", load(dtype, text("p", k)), ";\n");
    }
    return statements;
}

std::string range_value(const Input& input, std::size_t number, const std::string& offset) {
    const std::string type = value_type(input.dtype);
    if (input.range_scalar == counted_from_zero) return text("(", type, ")(", offset, ")");
    if (input.range_scalar == counted) return text("(", type, ")(i", number, " + ", offset, ")");
    const std::string value = text("s", input.range_scalar, " + (", type, ")(i", number, " + ",
                                   offset, ") * s", input.range_scalar + 1);
    return is_narrow(input.dtype) ? rounded(input.dtype, value) : value;
}

std::string load_statement(const Lowered& lowered, std::size_t number, const std::string& offset) {
    const Input& input = lowered.inputs[number];
    const std::string value = input.range != nullptr
                                  ? range_value(input, number, offset)
                                  : load(input.dtype, text("i", number, "[", offset, "]"));
    return text("const ", value_type(input.dtype), " x", number, " = ", value, ";\n");
}

std::string stored_value(const Lowered& lowered, const Output& output) {
    const DType from = dtype_of(lowered, output.value);
    return stored(output.node->result, converted(from, output.node->result, name_of(output.value)));
}

std::string name_of(const Ref& ref) {
    const char letter = ref.kind == Ref::Kind::step    ? 'v'
                        : ref.kind == Ref::Kind::input ? 'x'
                                                       : 's';
    return text(letter, ref.index);
}

DType dtype_of(const Lowered& lowered, const Ref& ref) {
    switch (ref.kind) {
        case Ref::Kind::step:
            return lowered.steps[ref.index].result;
        case Ref::Kind::input:
            return lowered.inputs[ref.index].dtype;
        case Ref::Kind::scalar:
            break;
    }
    return lowered.scalars[ref.index].dtype;
}

std::string step_statements(const Lowered& lowered, Preamble& preamble, std::string_view indent) {
    std::string statements;
    for (std::size_t i = 0; i < lowered.steps.size(); ++i) {
        const Step& step = lowered.steps[i];
        std::string arguments;
        for (std::size_t k = 0; k < step.count(); ++k) {
            const DType wanted = operand_dtype(*step.ufunc, k, step.loop);
            preamble.need_dtype(wanted);
            preamble.need_dtype(step.operand_dtypes[k]);
            arguments += text(k > 0 ? ", " : "",
                              converted(step.operand_dtypes[k], wanted, name_of(step.operands[k])));
        }
        statements += text(indent, "const ", value_type(step.result), " v", i, " = ",
                           preamble.step_function(step), "(", arguments, ");\n");
    }
    return statements;
}

}  // namespace heald::array
