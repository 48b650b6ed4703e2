#include "python/src/signature.hpp"

#include "python/src/dtype.hpp"
#include "python/src/module.hpp"
#include "python/src/text.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace heald::python {

namespace {

struct TypeName {
    std::string_view name;
    DType dtype;
};

constexpr std::array<TypeName, 46> type_names{{
    {"bool", DType::boolean},
    {"char", DType::int8},
    {"signed char", DType::int8},
    {"unsigned char", DType::uint8},
    {"short", DType::int16},
    {"unsigned short", DType::uint16},
    {"int", DType::int32},
    {"signed", DType::int32},
    {"signed int", DType::int32},
    {"unsigned", DType::uint32},
    {"unsigned int", DType::uint32},
    {"long", DType::int64},
    {"unsigned long", DType::uint64},
    {"long long", DType::int64},
    {"unsigned long long", DType::uint64},
    {"int8_t", DType::int8},
    {"int16_t", DType::int16},
    {"int32_t", DType::int32},
    {"int64_t", DType::int64},
    {"uint8_t", DType::uint8},
    {"uint16_t", DType::uint16},
    {"uint32_t", DType::uint32},
    {"uint64_t", DType::uint64},
    {"size_t", DType::uint64},
    {"ptrdiff_t", DType::int64},
    {"half", DType::float16},
    {"__half", DType::float16},
    {"__nv_bfloat16", DType::bfloat16},
    {"float", DType::float32},
    {"double", DType::float64},
    {"float2", DType::complex64},
    {"double2", DType::complex128},
    {"int8", DType::int8},
    {"int16", DType::int16},
    {"int32", DType::int32},
    {"int64", DType::int64},
    {"uint8", DType::uint8},
    {"uint16", DType::uint16},
    {"uint32", DType::uint32},
    {"uint64", DType::uint64},
    {"float16", DType::float16},
    {"bfloat16", DType::bfloat16},
    {"float32", DType::float32},
    {"float64", DType::float64},
    {"complex64", DType::complex64},
    {"complex128", DType::complex128},
}};

[[noreturn]] void refuse(std::string_view text) {
    throw Error(ErrorKind::invalid_value,
                "[Kernel] signature: '" + std::string(text) +
                    "' is not a parameter that heald knows: write C types, such as "
                    "'(const float *x, int n)'");
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

// Removes `word` where it stands alone; true if it was there.
bool remove_word(std::string& text, std::string_view word) {
    bool found = false;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
        const auto is_letter = [&](std::size_t i) {
            return i < text.size() &&
                   (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
        };
        if ((at > 0 && is_letter(at - 1)) || is_letter(at + word.size())) {
            at += word.size();
            continue;
        }
        text.replace(at, word.size(), " ");
        found = true;
    }
    return found;
}

std::string squeeze(std::string_view text) {
    std::string result;
    for (char c : trim(text))
        if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
    return result;
}

const TypeName* find_type(std::string_view name) {
    for (const TypeName& row : type_names)
        if (row.name == name) return &row;
    return nullptr;
}

// "float x" → "float", "x"; a type of several words stays whole.
const TypeName* split_name(const std::string& text, std::string& name) {
    if (const TypeName* type = find_type(text)) return type;
    const std::size_t space = text.rfind(' ');
    if (space == std::string::npos) return nullptr;
    name = text.substr(space + 1);
    return find_type(trim(std::string_view(text).substr(0, space)));
}

Parameter parse_parameter(std::string_view written) {
    std::string text(written);
    for (char& c : text)
        if (c == '\n' || c == '\t') c = ' ';
    remove_word(text, "__restrict__");
    remove_word(text, "restrict");
    Parameter parameter;
    parameter.type_name = squeeze(text);
    const std::size_t star = text.find('*');
    if (star == std::string::npos) {
        remove_word(text, "const");
        const TypeName* type = split_name(squeeze(text), parameter.name);
        if (!type) refuse(written);
        parameter.dtype = type->dtype;
        parameter.size = parameter.alignment = size_of(type->dtype);
        return parameter;
    }
    std::string pointee = text.substr(0, star);
    std::string rest = text.substr(star + 1);
    parameter.kind = Parameter::Kind::pointer;
    parameter.is_const = remove_word(pointee, "const");
    parameter.size = parameter.alignment = sizeof(void*);
    if (rest.find('*') != std::string::npos) {
        parameter.is_const = false;  // of pointers: any memory
        return parameter;
    }
    remove_word(rest, "const");
    parameter.name = squeeze(rest);
    const std::string name = squeeze(pointee);
    parameter.is_void = name == "void";
    if (const TypeName* type = find_type(name)) parameter.dtype = type->dtype;
    return parameter;
}

const char* kind_name(Parameter::Kind kind) {
    switch (kind) {
        case Parameter::Kind::scalar:
            return "scalar";
        case Parameter::Kind::pointer:
            return "pointer";
        case Parameter::Kind::record:
            return "record";
    }
    return "record";
}

}  // namespace

Signature parse_signature(std::string_view text) {
    text = trim(text);
    if (!text.empty() && text.front() == '(' && text.back() == ')')
        text = text.substr(1, text.size() - 2);
    Signature signature;
    while (!trim(text).empty()) {
        const std::size_t comma = text.find(',');
        signature.parameters.push_back(parse_parameter(trim(text.substr(0, comma))));
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    return signature;
}

Signature signature_argument(nb::handle signature) {
    if (nb::isinstance<Signature>(signature)) return nb::cast<Signature&>(signature);
    if (PyUnicode_Check(signature.ptr()))
        return parse_signature(text_argument(signature, "signature"));
    throw Error(ErrorKind::type_mismatch,
                std::string("[Kernel] signature must be a str such as '(const float *x, int n)', "
                            "got ") +
                    Py_TYPE(signature.ptr())->tp_name);
}

void init_signature(nb::module_& m) {
    nb::class_<Parameter>(m, "Parameter", "One parameter of a kernel.")
        .def_prop_ro(
            "kind", [](const Parameter& p) { return kind_name(p.kind); },
            "'scalar', 'pointer' or 'record' (a structure by value)")
        .def_prop_ro(
            "dtype",
            [](const Parameter& p) -> nb::object {
                return p.dtype == DType::opaque ? nb::none() : dtype_to_python(p.dtype);
            },
            "numpy.dtype of the scalar or of what is pointed to; None if it has none")
        .def_ro("is_const", &Parameter::is_const, "pointer to const")
        .def_ro("is_void", &Parameter::is_void)
        .def_ro("size", &Parameter::size, "bytes")
        .def_ro("type_name", &Parameter::type_name, "as in C++")
        .def_ro("name", &Parameter::name)
        .def("__repr__", [](const Parameter& p) {
            return "<Parameter " + p.type_name + (p.name.empty() ? "" : " " + p.name) + ">";
        });
    nb::class_<Signature>(m, "Signature", "What a launch is checked against.")
        .def(
            "__init__",
            [](Signature* self, const std::string& text) {
                new (self) Signature(parse_signature(text));
            },
            nb::arg("text"))
        .def_prop_ro(
            "exact", [](const Signature& s) { return s.source == Signature::Source::exact; },
            "False: only the sizes of parameters are known")
        .def_ro("parameters", &Signature::parameters)
        .def("__len__", [](const Signature& s) { return s.parameters.size(); })
        .def("__str__", [](const Signature& s) { return to_string(s); })
        .def("__repr__", [](const Signature& s) { return "Signature('" + to_string(s) + "')"; });
}

}  // namespace heald::python
