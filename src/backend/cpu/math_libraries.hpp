#pragma once

#include <string_view>

namespace heald::cpu {

/// A function of libm ("expf") or of libmvec ("_ZGVdN8v_expf") by name, from handles of heald's
/// own; null if neither has it. Functions of other libraries are never found here.
[[nodiscard]] void* math_function(std::string_view name);

}  // namespace heald::cpu
