#pragma once

#include "src/jit/nvrtc/tokens.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heald::nvrtc {

/// What a source seems to declare. A guess from its tokens: macros can hide declarations, and
/// inactive #if branches add some; whoever uses a name must bear that it does not exist.
struct Declarations {
    struct Kernel {
        std::string name;  ///< qualified, "ns::scale"
        bool is_template = false;
        std::vector<std::string> parameters;  ///< names, "" where there is none
    };
    struct Variable {
        std::string name;
        bool is_constant = false;  ///< __constant__
    };

    std::vector<Kernel> kernels;      ///< one per name; a definition wins over its prototype
    std::vector<Variable> variables;  ///< __device__, __constant__, __managed__; no templates
    bool has_mutable_globals = false;
    std::vector<Include> includes;
};

[[nodiscard]] Declarations find_declarations(std::string_view source);

}  // namespace heald::nvrtc
