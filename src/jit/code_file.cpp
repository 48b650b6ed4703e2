#include "src/jit/code_file.hpp"

#include "src/jit/byte_stream.hpp"

#include <exception>

namespace heald::jit {
namespace {

constexpr std::uint32_t format_version = 1;

void put_parameter(ByteWriter& out, const Parameter& parameter) {
    out.put(parameter.kind);
    out.put(parameter.dtype);
    out.put(parameter.is_const);
    out.put(parameter.is_void);
    out.put<std::uint64_t>(parameter.size);
    out.put<std::uint64_t>(parameter.alignment);
    out.put(parameter.type_name);
    out.put(parameter.name);
}

Parameter get_parameter(ByteReader& in) {
    Parameter parameter;
    parameter.kind = in.get_enum(Parameter::Kind::record);
    parameter.dtype = in.get_enum(DType::opaque);
    parameter.is_const = in.get_bool();
    parameter.is_void = in.get_bool();
    parameter.size = in.get<std::uint64_t>();
    parameter.alignment = in.get<std::uint64_t>();
    parameter.type_name = in.get_string();
    parameter.name = in.get_string();
    return parameter;
}

void put_kernel(ByteWriter& out, const core::KernelSymbol& kernel) {
    out.put(kernel.lowered);
    out.put(kernel.display);
    out.put(kernel.expression);
    out.put(kernel.has_signature);
    out.put(kernel.signature.source);
    out.put_all(kernel.signature.parameters,
                [&](const Parameter& parameter) { put_parameter(out, parameter); });
}

core::KernelSymbol get_kernel(ByteReader& in) {
    core::KernelSymbol kernel;
    kernel.lowered = in.get_string();
    kernel.display = in.get_string();
    kernel.expression = in.get_string();
    kernel.has_signature = in.get_bool();
    kernel.signature.source = in.get_enum(Signature::Source::sizes_only);
    kernel.signature.parameters = in.get_all<Parameter>([&] { return get_parameter(in); });
    return kernel;
}

void put_diagnostic(ByteWriter& out, const Diagnostic& diagnostic) {
    out.put(diagnostic.severity);
    out.put(diagnostic.file);
    out.put(diagnostic.line);
    out.put(diagnostic.column);
    out.put(diagnostic.message);
}

Diagnostic get_diagnostic(ByteReader& in) {
    Diagnostic diagnostic;
    diagnostic.severity = in.get_enum(Diagnostic::Severity::error);
    diagnostic.file = in.get_string();
    diagnostic.line = in.get<int>();
    diagnostic.column = in.get<int>();
    diagnostic.message = in.get_string();
    return diagnostic;
}

}  // namespace

std::string serialize(const core::CodeData& code) {
    ByteWriter out;
    out.put(format_version);
    out.put(code.kind);
    out.put(code.format);
    out.put(code.name);
    out.put(code.bytes);
    out.put_all(code.kernels, [&](const core::KernelSymbol& kernel) { put_kernel(out, kernel); });
    out.put_all(code.variables, [&](const core::VariableSymbol& variable) {
        out.put(variable.lowered);
        out.put(variable.display);
        out.put(variable.is_constant);
    });
    out.put_all(code.dependencies, [&](const std::string& path) { out.put(path); });
    out.put_all(code.warnings, [&](const Diagnostic& warning) { put_diagnostic(out, warning); });
    out.put(code.log);
    out.put(code.symbols_complete);
    out.put(code.has_mutable_globals);
    return out.take();
}

std::optional<core::CodeData> deserialize(std::string_view bytes) {
    try {
        ByteReader in(bytes);
        if (in.get<std::uint32_t>() != format_version) return std::nullopt;
        core::CodeData code;
        code.kind = in.get_enum(DeviceKind::cuda);
        code.format = in.get_string();
        code.name = in.get_string();
        code.bytes = in.get_string();
        code.kernels = in.get_all<core::KernelSymbol>([&] { return get_kernel(in); });
        code.variables = in.get_all<core::VariableSymbol>([&] {
            core::VariableSymbol variable;
            variable.lowered = in.get_string();
            variable.display = in.get_string();
            variable.is_constant = in.get_bool();
            return variable;
        });
        code.dependencies = in.get_all<std::string>([&] { return in.get_string(); });
        code.warnings = in.get_all<Diagnostic>([&] { return get_diagnostic(in); });
        code.log = in.get_string();
        code.symbols_complete = in.get_bool();
        code.has_mutable_globals = in.get_bool();
        if (!in.at_end()) return std::nullopt;
        return code;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace heald::jit
