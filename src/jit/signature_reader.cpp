#include "src/jit/signature_reader.hpp"

#include "src/base/demangle.hpp"
#include "src/base/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace heald::jit {
namespace {

struct KnownType {
    std::string_view name;  ///< as demangled
    DType dtype;
    std::size_t size;
    std::size_t alignment;
};

// Builtin types of both devices (LP64), 16-bit floats, complex numbers, and CUDA's vectors, whose
// sizes and alignments CUDA defines.
constexpr std::array known_types{
    KnownType{"bool", DType::boolean, 1, 1},
    KnownType{"char", DType::int8, 1, 1},
    KnownType{"signed char", DType::int8, 1, 1},
    KnownType{"unsigned char", DType::uint8, 1, 1},
    KnownType{"char8_t", DType::uint8, 1, 1},
    KnownType{"char16_t", DType::uint16, 2, 2},
    KnownType{"char32_t", DType::uint32, 4, 4},
    KnownType{"wchar_t", DType::int32, 4, 4},
    KnownType{"short", DType::int16, 2, 2},
    KnownType{"unsigned short", DType::uint16, 2, 2},
    KnownType{"int", DType::int32, 4, 4},
    KnownType{"unsigned int", DType::uint32, 4, 4},
    KnownType{"long", DType::int64, 8, 8},
    KnownType{"unsigned long", DType::uint64, 8, 8},
    KnownType{"long long", DType::int64, 8, 8},
    KnownType{"unsigned long long", DType::uint64, 8, 8},
    KnownType{"__half", DType::float16, 2, 2},
    KnownType{"_Float16", DType::float16, 2, 2},
    KnownType{"half", DType::float16, 2, 2},
    KnownType{"__nv_bfloat16", DType::bfloat16, 2, 2},
    KnownType{"std::bfloat16_t", DType::bfloat16, 2, 2},
    KnownType{"float", DType::float32, 4, 4},
    KnownType{"double", DType::float64, 8, 8},
    KnownType{"complex<float>", DType::complex64, 8, 8},
    KnownType{"complex<double>", DType::complex128, 16, 16},
    KnownType{"__int128", DType::opaque, 16, 16},
    KnownType{"unsigned __int128", DType::opaque, 16, 16},
    KnownType{"char1", DType::opaque, 1, 1},
    KnownType{"uchar1", DType::opaque, 1, 1},
    KnownType{"char2", DType::opaque, 2, 2},
    KnownType{"uchar2", DType::opaque, 2, 2},
    KnownType{"char3", DType::opaque, 3, 1},
    KnownType{"uchar3", DType::opaque, 3, 1},
    KnownType{"char4", DType::opaque, 4, 4},
    KnownType{"uchar4", DType::opaque, 4, 4},
    KnownType{"short1", DType::opaque, 2, 2},
    KnownType{"ushort1", DType::opaque, 2, 2},
    KnownType{"short2", DType::opaque, 4, 4},
    KnownType{"ushort2", DType::opaque, 4, 4},
    KnownType{"short3", DType::opaque, 6, 2},
    KnownType{"ushort3", DType::opaque, 6, 2},
    KnownType{"short4", DType::opaque, 8, 8},
    KnownType{"ushort4", DType::opaque, 8, 8},
    KnownType{"int1", DType::opaque, 4, 4},
    KnownType{"uint1", DType::opaque, 4, 4},
    KnownType{"int2", DType::opaque, 8, 8},
    KnownType{"uint2", DType::opaque, 8, 8},
    KnownType{"int3", DType::opaque, 12, 4},
    KnownType{"uint3", DType::opaque, 12, 4},
    KnownType{"dim3", DType::opaque, 12, 4},
    KnownType{"int4", DType::opaque, 16, 16},
    KnownType{"uint4", DType::opaque, 16, 16},
    KnownType{"longlong2", DType::opaque, 16, 16},
    KnownType{"ulonglong2", DType::opaque, 16, 16},
    KnownType{"float1", DType::opaque, 4, 4},
    KnownType{"float2", DType::opaque, 8, 8},
    KnownType{"float3", DType::opaque, 12, 4},
    KnownType{"float4", DType::opaque, 16, 16},
    KnownType{"double1", DType::opaque, 8, 8},
    KnownType{"double2", DType::opaque, 16, 16},
    KnownType{"double3", DType::opaque, 24, 8},
    KnownType{"__half2", DType::opaque, 4, 4},
    KnownType{"__nv_bfloat162", DType::opaque, 4, 4},
};

const KnownType* known(std::string_view name) {
    // complex<float> of std, thrust and cuda::std, with any inline namespace.
    if (name.ends_with(">")) {
        const auto open = name.find('<');
        const auto scope = name.rfind("::", open);
        const std::string_view bare =
            scope == std::string_view::npos ? name : name.substr(scope + 2);
        if (bare.starts_with("complex<")) name = bare;
    }
    const auto found = std::find_if(known_types.begin(), known_types.end(),
                                    [&](const KnownType& type) { return type.name == name; });
    return found == known_types.end() ? nullptr : found;
}

bool remove_suffix(std::string_view& text, std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text = trimmed(text.substr(0, text.size() - suffix.size()));
    return true;
}

/// Drops trailing qualifiers; true if const was among them.
bool remove_qualifiers(std::string_view& type) {
    bool is_const = false;
    while (true) {
        type = trimmed(type);
        if (remove_suffix(type, " const") || remove_suffix(type, "*const"))
            is_const = true;
        else if (!remove_suffix(type, " volatile") && !remove_suffix(type, " __restrict") &&
                 !remove_suffix(type, " restrict"))
            return is_const;
    }
}

/// "const float *const *" for "float const* const*", as clang writes types.
std::string written(std::string_view type) {
    type = trimmed(type);
    if (remove_suffix(type, " const"))
        return type.ends_with('*') ? text(written(type), "const") : text("const ", written(type));
    if (remove_suffix(type, " volatile"))
        return type.ends_with('*') ? text(written(type), "volatile")
                                   : text("volatile ", written(type));
    if (remove_suffix(type, "*")) {
        const std::string pointee = written(type);
        return text(pointee, pointee.ends_with('*') ? "*" : " *");
    }
    return std::string(type);
}

Parameter parameter_of(std::string_view type) {
    Parameter parameter;
    remove_qualifiers(type);
    parameter.type_name = written(type);
    const bool is_function = type.find("(*") != std::string_view::npos && type.ends_with(')');
    if (is_function || type.ends_with('*') || type.ends_with('&')) {
        parameter.kind = Parameter::Kind::pointer;
        parameter.size = sizeof(void*);
        parameter.alignment = alignof(void*);
        if (is_function) return parameter;
        std::string_view pointee = type.substr(0, type.size() - 1);
        parameter.is_const = remove_qualifiers(pointee);
        parameter.is_void = pointee == "void";
        if (const KnownType* element = known(pointee)) parameter.dtype = element->dtype;
        return parameter;
    }
    const KnownType* value = known(type);
    parameter.dtype = value != nullptr ? value->dtype : DType::opaque;
    parameter.kind =
        parameter.dtype == DType::opaque ? Parameter::Kind::record : Parameter::Kind::scalar;
    parameter.size = value != nullptr ? value->size : 0;
    parameter.alignment = value != nullptr ? value->alignment : 1;
    return parameter;
}

/// The position after the bracket that closes the one at `open`.
std::size_t after_closing(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (std::string_view("(<{[").find(text[i]) != std::string_view::npos) ++depth;
        if (std::string_view(")>}]").find(text[i]) != std::string_view::npos && --depth == 0)
            return i + 1;
    }
    return std::string_view::npos;
}

/// Items of "a, b<c, d>, e" separated by commas at the outermost level.
std::vector<std::string_view> split(std::string_view list) {
    std::vector<std::string_view> items;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (std::string_view("(<{[").find(list[i]) != std::string_view::npos) ++depth;
        if (std::string_view(")>}]").find(list[i]) != std::string_view::npos) --depth;
        if (list[i] != ',' || depth != 0) continue;
        items.push_back(trimmed(list.substr(begin, i - begin)));
        begin = i + 1;
    }
    if (const auto last = trimmed(list.substr(begin)); !last.empty()) items.push_back(last);
    return items;
}

/// What is between the parentheses of the first function type among the arguments of heald's own
/// template: "void (float*, int)" or "void (*)(float*, int)".
std::optional<std::string_view> list_of_carried_type(std::string_view demangled) {
    const auto scope = demangled.find("heald_::");
    if (scope == std::string_view::npos) return std::nullopt;
    const auto arguments = demangled.find('<', scope);
    if (arguments == std::string_view::npos) return std::nullopt;
    auto open = demangled.find('(', arguments);
    if (open == std::string_view::npos) return std::nullopt;
    if (demangled.substr(open).starts_with("(*)(")) open += 3;
    const auto end = after_closing(demangled, open);
    if (end == std::string_view::npos) return std::nullopt;
    return demangled.substr(open + 1, end - open - 2);
}

/// What is between the parentheses at the end of a function's declaration.
std::optional<std::string_view> list_of_function(std::string_view demangled) {
    if (!demangled.ends_with(')')) return std::nullopt;
    int depth = 0;
    for (std::size_t i = demangled.size(); i-- > 0;) {
        if (std::string_view(")>}]").find(demangled[i]) != std::string_view::npos) ++depth;
        if (std::string_view("(<{[").find(demangled[i]) != std::string_view::npos && --depth == 0)
            return demangled.substr(i + 1, demangled.size() - i - 2);
    }
    return std::nullopt;
}

}  // namespace

std::optional<Signature> signature_from_mangled(std::string_view mangled) {
    const std::string demangled = demangle(mangled);
    if (demangled == mangled) return std::nullopt;
    auto list = list_of_carried_type(demangled);
    if (!list) list = list_of_function(demangled);
    if (!list) return std::nullopt;
    Signature signature;
    if (trimmed(*list) == "void") return signature;
    for (const std::string_view type : split(*list))
        signature.parameters.push_back(parameter_of(type));
    return signature;
}

std::string display_name(std::string_view mangled) {
    return function_name(demangle(mangled));
}

bool complete_sizes(Signature& signature, const std::size_t* sizes, std::size_t count) {
    if (signature.parameters.size() != count) return false;
    for (std::size_t i = 0; i < count; ++i) {
        Parameter& parameter = signature.parameters[i];
        if (parameter.size == 0) {
            parameter.size = sizes[i];
            parameter.alignment = signature_of_sizes(&sizes[i], 1).parameters[0].alignment;
        } else if (parameter.size != sizes[i]) {
            return false;
        }
    }
    return true;
}

Signature signature_of_sizes(const std::size_t* sizes, std::size_t count) {
    Signature signature;
    signature.source = Signature::Source::sizes_only;
    for (std::size_t i = 0; i < count; ++i) {
        Parameter parameter;
        parameter.kind = Parameter::Kind::record;
        parameter.size = sizes[i];
        // The largest alignment that the size allows: it is only where the value is put aside.
        const std::size_t lowest = sizes[i] & (~sizes[i] + 1);
        parameter.alignment = std::clamp<std::size_t>(lowest, 1, 16);
        signature.parameters.push_back(std::move(parameter));
    }
    return signature;
}

}  // namespace heald::jit
