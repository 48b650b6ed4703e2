#include "src/jit/cpu/unit.hpp"

#include "src/jit/cpu/byte_stream.hpp"

namespace heald::cpu {
namespace {

constexpr std::uint32_t unit_magic = 0x55444c48;    // "HLDU"
constexpr std::uint32_t object_magic = 0x4f444c48;  // "HLDO"

void write(ByteWriter& out, const Parameter& parameter) {
    out.value(parameter.kind);
    out.value(parameter.dtype);
    out.value(parameter.is_const);
    out.value(parameter.is_void);
    out.value(static_cast<std::uint64_t>(parameter.size));
    out.value(static_cast<std::uint64_t>(parameter.alignment));
    out.text(parameter.type_name);
    out.text(parameter.name);
}

Parameter read_parameter(ByteReader& in) {
    Parameter parameter;
    parameter.kind = in.value<Parameter::Kind>();
    parameter.dtype = in.value<DType>();
    parameter.is_const = in.value<bool>();
    parameter.is_void = in.value<bool>();
    parameter.size = in.value<std::uint64_t>();
    parameter.alignment = in.value<std::uint64_t>();
    parameter.type_name = in.text();
    parameter.name = in.text();
    return parameter;
}

void write(ByteWriter& out, const KernelRecord& kernel) {
    out.text(kernel.name);
    out.text(kernel.display_name);
    out.text(kernel.expression);
    out.value(kernel.signature.source);
    out.list(kernel.signature.parameters, [&](const Parameter& p) { write(out, p); });
    out.value(static_cast<std::uint64_t>(kernel.static_shared_bytes));
    out.value(kernel.max_threads_per_block);
    out.value(kernel.has_barrier);
    out.value(kernel.uses_warp);
    out.value(kernel.has_unbounded_loop);
    out.value(kernel.has_dynamic_shared);
    out.value(kernel.has_yield_loop);
    out.value(kernel.has_lane_yield);
    out.value(kernel.calls_out_of_line);
    out.value(kernel.flush_denormals);
    out.value(kernel.work);
}

KernelRecord read_kernel(ByteReader& in) {
    KernelRecord kernel;
    kernel.name = in.text();
    kernel.display_name = in.text();
    kernel.expression = in.text();
    kernel.signature.source = in.value<Signature::Source>();
    kernel.signature.parameters = in.list([&] { return read_parameter(in); });
    kernel.static_shared_bytes = in.value<std::uint64_t>();
    kernel.max_threads_per_block = in.value<std::uint32_t>();
    kernel.has_barrier = in.value<bool>();
    kernel.uses_warp = in.value<bool>();
    kernel.has_unbounded_loop = in.value<bool>();
    kernel.has_dynamic_shared = in.value<bool>();
    kernel.has_yield_loop = in.value<bool>();
    kernel.has_lane_yield = in.value<bool>();
    kernel.calls_out_of_line = in.value<bool>();
    kernel.flush_denormals = in.value<bool>();
    kernel.work = in.value<std::uint64_t>();
    return kernel;
}

void write(ByteWriter& out, const GlobalRecord& global) {
    out.text(global.name);
    out.text(global.display_name);
    out.text(global.type_name);
    out.value(static_cast<std::uint64_t>(global.size));
    out.value(global.is_constant);
}

GlobalRecord read_global(ByteReader& in) {
    GlobalRecord global;
    global.name = in.text();
    global.display_name = in.text();
    global.type_name = in.text();
    global.size = in.value<std::uint64_t>();
    global.is_constant = in.value<bool>();
    return global;
}

void write(ByteWriter& out, const Diagnostic& diagnostic) {
    out.value(diagnostic.severity);
    out.text(diagnostic.file);
    out.value(static_cast<std::int32_t>(diagnostic.line));
    out.value(static_cast<std::int32_t>(diagnostic.column));
    out.text(diagnostic.message);
}

Diagnostic read_diagnostic(ByteReader& in) {
    Diagnostic diagnostic;
    diagnostic.severity = in.value<Diagnostic::Severity>();
    diagnostic.file = in.text();
    diagnostic.line = in.value<std::int32_t>();
    diagnostic.column = in.value<std::int32_t>();
    diagnostic.message = in.text();
    return diagnostic;
}

void write(ByteWriter& out, const KernelObject& object) {
    out.text(object.elf);
    out.value(static_cast<std::uint64_t>(object.static_shared_bytes));
    out.value(static_cast<std::uint64_t>(object.frame_bytes_per_warp));
    out.value(object.variant.lanes);
    out.value(object.variant.contiguous);
    out.value(object.variant.full);
}

KernelObject read_object(ByteReader& in) {
    KernelObject object;
    object.elf = in.text();
    object.static_shared_bytes = in.value<std::uint64_t>();
    object.frame_bytes_per_warp = in.value<std::uint64_t>();
    object.variant.lanes = in.value<std::uint8_t>();
    object.variant.contiguous = in.value<bool>();
    object.variant.full = in.value<bool>();
    return object;
}

}  // namespace

std::string serialize(const CompiledUnit& unit) {
    ByteWriter out(unit_magic, unit_format_version);
    out.text(unit.bitcode);
    out.list(unit.ready, [&](const ReadyKernel& ready) {
        out.text(ready.kernel);
        write(out, ready.object);
    });
    out.text(unit.ready_globals);
    out.list(unit.kernels, [&](const KernelRecord& kernel) { write(out, kernel); });
    out.list(unit.globals, [&](const GlobalRecord& global) { write(out, global); });
    out.list(unit.dependencies, [&](const std::string& file) { out.text(file); });
    out.list(unit.warnings, [&](const Diagnostic& warning) { write(out, warning); });
    out.text(unit.log);
    return std::move(out).finish();
}

std::string serialize(const KernelObject& object) {
    ByteWriter out(object_magic, unit_format_version);
    write(out, object);
    return std::move(out).finish();
}

CompiledUnit deserialize_unit(std::string_view bytes) {
    ByteReader in(bytes, unit_magic, unit_format_version);
    CompiledUnit unit;
    unit.bitcode = in.text();
    unit.ready = in.list([&] {
        std::string kernel = in.text();
        return ReadyKernel{std::move(kernel), read_object(in)};
    });
    unit.ready_globals = in.text();
    unit.kernels = in.list([&] { return read_kernel(in); });
    unit.globals = in.list([&] { return read_global(in); });
    unit.dependencies = in.list([&] { return in.text(); });
    unit.warnings = in.list([&] { return read_diagnostic(in); });
    unit.log = in.text();
    in.finish();
    return unit;
}

KernelObject deserialize_object(std::string_view bytes) {
    ByteReader in(bytes, object_magic, unit_format_version);
    KernelObject object = read_object(in);
    in.finish();
    return object;
}

}  // namespace heald::cpu
