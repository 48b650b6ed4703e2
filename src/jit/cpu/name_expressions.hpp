#pragma once

// Name expressions such as "scale<float, 4>": template instances are asked for in text appended to
// the source, so that clang itself looks them up; plain names are looked up among the kernels
// found.

#include "src/jit/cpu/plugin.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heald::cpu {

/// Diagnostics inside expression E are reported for a file named `name expression 'E'`.
inline constexpr std::string_view name_expression_file_prefix = "name expression '";

/// The alias declared for names[i] is this + i.
inline constexpr std::string_view name_alias_prefix = "__heald_name_";

/// "saxpy", "ns::saxpy": no template arguments, so it may name several overloads.
bool is_plain_name(std::string_view expression);

/// The expression without a leading & and surrounding blanks.
std::string trimmed_expression(std::string_view expression);

/// The source with the requests appended (unchanged when `names` has plain names only).
std::string append_name_requests(const CompileInput& input);

/// Marks the kernels that the plain names ask for. Throws CompileError for a name that no kernel,
/// or more than one, has.
void resolve_plain_names(const CompileInput& input, std::vector<KernelRecord>& kernels);

}  // namespace heald::cpu
