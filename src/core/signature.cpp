#include <heald/signature.hpp>

#include "src/base/text.hpp"

namespace heald {

std::string to_string(const Signature& signature) {
    std::string result = "(";
    for (const Parameter& parameter : signature.parameters) {
        if (result.size() > 1) result += ", ";
        if (signature.source == Signature::Source::sizes_only)
            result += text(parameter.size, " bytes");
        else
            result += parameter.type_name;
        if (!parameter.name.empty()) result += text(" ", parameter.name);
    }
    return result + ")";
}

}  // namespace heald
