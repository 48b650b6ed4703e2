#include "src/base/demangle.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace heald {

std::string demangle(std::string_view mangled) {
    if (!mangled.starts_with("_Z")) return std::string(mangled);  // "f" would demangle to "float"
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 ? std::string(name.get()) : std::string(mangled);
}

}  // namespace heald
