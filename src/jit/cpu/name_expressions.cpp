#include "src/jit/cpu/name_expressions.hpp"

#include "src/jit/cpu/diagnostics.hpp"

#include <algorithm>
#include <cctype>

namespace heald::cpu {
namespace {

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result + '"';
}

std::string_view without_global_scope(std::string_view name) {
    if (name.substr(0, 2) == "::") name.remove_prefix(2);
    return name;
}

/// "ns::scale<float, 4>" -> "ns::scale"
std::string_view without_template_arguments(std::string_view name) {
    return name.substr(0, name.find('<'));
}

std::string_view unqualified(std::string_view name) {
    name = without_template_arguments(name);
    const auto at = name.rfind("::");
    return at == std::string_view::npos ? name : name.substr(at + 2);
}

std::string listed(const std::vector<const KernelRecord*>& kernels) {
    std::string text;
    for (const KernelRecord* kernel : kernels) {
        if (!text.empty()) text += ", ";
        std::string parameters;
        for (const Parameter& parameter : kernel->signature.parameters) {
            if (!parameters.empty()) parameters += ", ";
            parameters += parameter.type_name;
        }
        text += kernel->display_name + "(" + parameters + ")";
    }
    return text;
}

[[noreturn]] void throw_unknown(const CompileInput& input, const std::string& name,
                                const std::vector<KernelRecord>& kernels) {
    std::string message = "there is no kernel '" + name + "' in the source";
    std::vector<const KernelRecord*> others;
    for (const KernelRecord& kernel : kernels) others.push_back(&kernel);
    message += others.empty()
                   ? ", which has no kernels; a kernel is a __global__ function (name the "
                     "instances of a template: \"" +
                         name + "<float>\")"
                   : "; its kernels are " + listed(others);
    throw_compile_error(input.name, message);
}

}  // namespace

bool is_plain_name(std::string_view expression) {
    return !expression.empty() &&
           std::all_of(expression.begin(), expression.end(), [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '_' || c == ':' || c == '$' || c >= 0x80;
           });
}

std::string trimmed_expression(std::string_view expression) {
    const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!expression.empty() && (blank(expression.front()) || expression.front() == '&')) {
        expression.remove_prefix(1);
    }
    while (!expression.empty() && blank(expression.back())) expression.remove_suffix(1);
    return std::string(expression);
}

std::string append_name_requests(const CompileInput& input) {
    const bool needed = std::any_of(input.names.begin(), input.names.end(), [](const auto& name) {
        return !is_plain_name(trimmed_expression(name));
    });
    if (!needed) return input.source;
    const auto lines = 1 + std::count(input.source.begin(), input.source.end(), '\n');
    const std::string own_line =
        "\n#line " + std::to_string(lines) + " " + quoted(input.name) + "\n";
    // Two line ends: the source may end in a backslash.
    std::string text = input.source + "\n" + own_line + "template <auto> struct __heald_name;";
    for (std::size_t i = 0; i < input.names.size(); ++i) {
        const std::string expression = trimmed_expression(input.names[i]);
        if (is_plain_name(expression)) continue;
        std::string flat = expression;
        std::replace(flat.begin(), flat.end(), '\n', ' ');
        text += own_line + "using " + std::string(name_alias_prefix) + std::to_string(i) +
                " = __heald_name<\n#line 1 " +
                quoted(std::string(name_expression_file_prefix) + flat + "'") + "\n" + flat +
                own_line + ">;";
    }
    return text + "\n";
}

void resolve_plain_names(const CompileInput& input, std::vector<KernelRecord>& kernels) {
    const std::vector<KernelRecord> found = kernels;
    for (const std::string& asked : input.names) {
        const std::string trimmed = trimmed_expression(asked);
        if (!is_plain_name(trimmed)) continue;
        const std::string_view name = without_global_scope(trimmed);
        const auto matching = [&](auto same) {
            std::vector<const KernelRecord*> result;
            for (const KernelRecord& kernel : found) {
                const bool seen = std::any_of(result.begin(), result.end(), [&](const auto* other) {
                    return other->name == kernel.name;
                });
                if (!seen && same(kernel)) result.push_back(&kernel);
            }
            return result;
        };
        auto matches = matching([&](const KernelRecord& kernel) {
            return kernel.name == name || kernel.display_name == name;
        });
        if (matches.empty()) {
            matches = matching([&](const KernelRecord& kernel) {
                return without_template_arguments(kernel.display_name) == name ||
                       unqualified(kernel.display_name) == name;
            });
        }
        if (matches.empty()) throw_unknown(input, trimmed, found);
        if (matches.size() > 1) {
            throw_compile_error(input.name, "the name '" + trimmed +
                                                "' is ambiguous: " + listed(matches) +
                                                "; name one of them by its mangled name or make "
                                                "it extern \"C\"");
        }
        const auto record = std::find_if(kernels.begin(), kernels.end(), [&](const auto& kernel) {
            return kernel.name == matches.front()->name && kernel.expression.empty();
        });
        if (record != kernels.end()) {
            record->expression = asked;
        } else {
            KernelRecord again = *matches.front();
            again.expression = asked;
            kernels.push_back(std::move(again));
        }
    }
}

}  // namespace heald::cpu
