#pragma once

#include <heald/kernel.hpp>

#include "src/core/code.hpp"
#include "src/core/device_state.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace heald::array {

/// How generated source is compiled.
[[nodiscard]] core::CompileRequest compile_request(const core::DeviceState& device,
                                                   const std::string& source);

/// What to do about a kernel that needs the compiler.
enum class Missing : std::uint8_t {
    compile,        ///< now
    give_up,        ///< nothing
    compile_later,  ///< in the background
};

/// The kernel that is there for `key`; null if none is. Kernels stay for ever.
[[nodiscard]] const Kernel* find_kernel(const std::string& key);
/// Makes the kernel `fused` of `source`, once for a key: from code that was compiled before (when
/// heald was built, or kept in the cache), else as `missing` says.
[[nodiscard]] const Kernel* make_kernel(core::DeviceState& device, const std::string& key,
                                        const std::function<std::string()>& source,
                                        Missing missing);

/// The kernel `fused` of generated source on a device, by what its text depends on: `key` stands
/// for the device and the text that `source()` writes.
template <class Source>
[[nodiscard]] const Kernel* generated_kernel(core::DeviceState& device, const std::string& key,
                                             Source&& source, Missing missing) {
    if (const Kernel* found = find_kernel(key)) return found;
    return make_kernel(device, key, source, missing);
}

/// The same, compiled now if need be.
template <class Source>
[[nodiscard]] const Kernel& generated_kernel(core::DeviceState& device, const std::string& key,
                                             Source&& source) {
    return *generated_kernel(device, key, source, Missing::compile);
}

constexpr unsigned generated_block = 256;  ///< threads of a block, of every generated kernel

}  // namespace heald::array
