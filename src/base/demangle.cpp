#include "src/base/demangle.hpp"

#include <cxxabi.h>
#include <cstdlib>
#include <memory>

namespace heald {

std::string demangle(std::string_view mangled) {
    if (!mangled.starts_with("_Z")) return std::string(mangled);  // "f" would demangle to "float"
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 ? std::string(name.get()) : std::string(mangled);
}

std::string function_name(std::string_view demangled) {
    // The parameter list is the last parenthesis at the outermost level; the return type, which
    // templates have, ends at the last space before the name at that level.
    int depth = 0;
    std::size_t open = std::string_view::npos;
    for (std::size_t i = demangled.size(); i-- > 0;) {
        const char c = demangled[i];
        if (c == ')' || c == '>') ++depth;
        if (c == '(' || c == '<') --depth;
        if (c == '(' && depth == 0) {
            // "(anonymous namespace)::f" has no parameter list there.
            if (demangled.substr(i).starts_with("(anonymous namespace)")) continue;
            open = i;
            break;
        }
    }
    if (open == std::string_view::npos) return std::string(demangled);
    std::string_view name = demangled.substr(0, open);
    depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        const char c = name[i];
        if (c == ')' || c == '>') ++depth;
        if (c == '(' || c == '<') --depth;
        if (c == ' ' && depth == 0) return std::string(name.substr(i + 1));
    }
    return std::string(name);
}

}  // namespace heald
