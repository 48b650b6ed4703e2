#pragma once

#include <string>
#include <string_view>

namespace heald {

/// The C++ name that an Itanium-mangled one stands for; other names as they are.
[[nodiscard]] std::string demangle(std::string_view mangled);

/// "ns::scale<float, 4>" for the demangled "void ns::scale<float, 4>(float*, int)": a function's
/// name without return type and parameter list. Other names as they are.
[[nodiscard]] std::string function_name(std::string_view demangled);

}  // namespace heald
