#include "src/array/user/parameter.hpp"

#include "src/base/check.hpp"
#include "src/core/current.hpp"
#include "src/core/device_state.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <variant>

namespace heald::array {
namespace {

bool is_letter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (const char c : text) {
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            if (!words.empty() && !words.back().empty()) words.emplace_back();
        } else {
            if (words.empty()) words.emplace_back();
            words.back() += c;
        }
    }
    if (!words.empty() && words.back().empty()) words.pop_back();
    return words;
}

bool is_identifier(const std::string& word) {
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
           std::ranges::all_of(word, is_letter);
}

UserParameter parse_one(std::string_view part, std::string_view kernel) {
    std::vector<std::string> words = words_of(part);
    UserParameter result;
    if (!words.empty() && words.front() == "raw") {
        result.raw = true;
        words.erase(words.begin());
    }
    HEALD_EXPECTS(words.size() == 2 && is_identifier(words[1]), invalid_value, "[", kernel,
                  "] parameter '", part, "' is not a dtype and a name: write 'float32 x' or 'T x'");
    result.type = words[0];
    result.name = words[1];
    HEALD_EXPECTS(!result.name.starts_with('_') && result.name != "i" && result.name != "n",
                  invalid_value, "[", kernel, "] a parameter cannot be called '", result.name,
                  "': i, n and names that begin with _ have meanings of their own");
    if (result.is_placeholder()) {
        HEALD_EXPECTS(std::isalpha(static_cast<unsigned char>(result.type[0])) != 0, invalid_value,
                      "[", kernel, "] '", result.type, "' is neither a dtype nor a letter");
    } else {
        try {
            (void)dtype_from_name(result.type);
        } catch (const Error&) {
            fail(ErrorKind::invalid_value, "[", kernel, "] parameter '", result.name,
                 "': there is no dtype '", result.type,
                 "'; a letter, as T, stands for the dtype of the argument");
        }
    }
    return result;
}

DType weak_dtype(WeakKind kind) {
    switch (kind) {
        case WeakKind::boolean:
            return DType::boolean;
        case WeakKind::integer:
            return DType::int64;
        case WeakKind::complex:
            return DType::complex128;
        case WeakKind::real:
            break;
    }
    return DType::float64;
}

class Binding {
public:
    explicit Binding(std::string_view kernel) : kernel_(kernel) {}

    /// What a letter stands for: the first argument with a dtype says so.
    void see(const UserParameter& parameter, std::size_t position, DType dtype) {
        if (!parameter.is_placeholder()) {
            const DType wanted = dtype_from_name(parameter.type);
            HEALD_EXPECTS(dtype == wanted, type_mismatch, "[", kernel_, "] argument ", position,
                          " '", parameter.name, "' is of ", name_of(dtype), ", expected ",
                          name_of(wanted), ": convert it with x.astype");
            return;
        }
        const auto [found, is_new] = dtypes.placeholders.emplace(parameter.type, dtype);
        HEALD_EXPECTS(is_new || found->second == dtype, type_mismatch, "[", kernel_, "] argument ",
                      position, " '", parameter.name, "' is of ", name_of(dtype), ", but ",
                      parameter.type, " is ", name_of(found->second),
                      " by an earlier one: convert it with x.astype");
    }

    DType dtype_of(const UserParameter& parameter) const {
        if (!parameter.is_placeholder()) return dtype_from_name(parameter.type);
        const auto found = dtypes.placeholders.find(parameter.type);
        HEALD_EXPECTS(found != dtypes.placeholders.end(), type_mismatch, "[", kernel_,
                      "] nothing says which dtype ", parameter.type, " of '", parameter.name,
                      "' is: give an output array, or write a dtype");
        return found->second;
    }

    UserDtypes dtypes;

private:
    std::string_view kernel_;
};

}  // namespace

std::vector<UserParameter> parse_parameters(std::string_view list, std::string_view kernel) {
    std::vector<UserParameter> all;
    if (words_of(list).empty()) return all;
    for (;;) {
        const std::size_t comma = list.find(',');
        all.push_back(parse_one(list.substr(0, comma), kernel));
        if (comma == std::string_view::npos) break;
        list.remove_prefix(comma + 1);
    }
    return all;
}

UserDtypes bind_dtypes(std::string_view kernel, std::span<const UserParameter> inputs,
                       std::span<const UfuncOperand> operands,
                       std::span<const UserParameter> outputs, std::span<const Array> given) {
    Binding binding(kernel);
    for (std::size_t k = 0; k < operands.size(); ++k) {
        if (const auto* array = std::get_if<Array>(&operands[k]))
            binding.see(inputs[k], k + 1, array->dtype());
        else if (const auto* typed = std::get_if<TypedScalar>(&operands[k]))
            binding.see(inputs[k], k + 1, typed->dtype);
    }
    for (std::size_t k = 0; k < given.size(); ++k)
        binding.see(outputs[k], operands.size() + k + 1, given[k].dtype());
    // Letters that only Python's numbers know.
    std::map<std::string, WeakKind> weak;
    for (std::size_t k = 0; k < operands.size(); ++k)
        if (const auto* number = std::get_if<WeakScalar>(&operands[k]))
            if (inputs[k].is_placeholder() &&
                !binding.dtypes.placeholders.contains(inputs[k].type)) {
                const auto found = weak.emplace(inputs[k].type, number->kind).first;
                found->second = std::max(found->second, number->kind);
            }
    for (const auto& [letter, kind] : weak)
        binding.dtypes.placeholders.emplace(letter, weak_dtype(kind));
    for (const UserParameter& input : inputs)
        binding.dtypes.inputs.push_back(binding.dtype_of(input));
    for (const UserParameter& output : outputs)
        binding.dtypes.outputs.push_back(binding.dtype_of(output));
    return std::move(binding.dtypes);
}

Operand bound_operand(const UfuncOperand& operand, DType dtype, const Shape& shape) {
    if (const auto* array = std::get_if<Array>(&operand))
        return Operand(broadcast_view(*array, shape));
    if (const auto* typed = std::get_if<TypedScalar>(&operand)) return {typed->dtype, typed->value};
    return {dtype, element_of(std::get<WeakScalar>(operand), dtype)};
}

Stream call_stream(std::string_view kernel, std::span<const UfuncOperand> operands,
                   std::span<const Array> given) {
    core::DeviceState* device = nullptr;
    const auto see = [&](const Array& array) {
        core::DeviceState& own = array.buffer().block()->device();
        HEALD_EXPECTS(device == nullptr || device == &own, invalid_value, "[", kernel,
                      "] the arrays are on ", device->name(), " and ", own.name(),
                      ": bring them together with x.to(device)");
        device = &own;
    };
    for (const UfuncOperand& operand : operands)
        if (const auto* array = std::get_if<Array>(&operand)) see(*array);
    for (const Array& array : given) see(array);
    return Stream(core::current_stream(device != nullptr ? *device : *core::current_device()));
}

bool mentions(std::string_view text, std::string_view identifier) noexcept {
    for (std::size_t at = text.find(identifier); at != std::string_view::npos;
         at = text.find(identifier, at + 1)) {
        const std::size_t end = at + identifier.size();
        const bool begins = at == 0 || (!is_letter(text[at - 1]) && text[at - 1] != '.');
        if (begins && (end == text.size() || !is_letter(text[end]))) return true;
    }
    return false;
}

}  // namespace heald::array
