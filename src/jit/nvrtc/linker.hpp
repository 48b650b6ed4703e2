#pragma once

#include "src/core/code.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heald::nvrtc {

/// One input of a link.
struct LinkInput {
    std::string_view bytes;
    std::string format;  ///< "cubin", "ptx", "ltoir"
    std::string name;
};

/// What a linker is asked for.
struct LinkJob {
    std::vector<LinkInput> inputs;
    std::string architecture;  ///< "sm_90"
    std::string format;        ///< "cubin" or "ptx"
    const ProgramOptions* options = nullptr;
};

struct LinkResult {
    std::string bytes;
    std::string log;
};

/// Joins object codes: with nvJitLink, or with the driver's own linker (`by_driver`) where that is
/// missing or too old, which is said once. LTO-IR needs nvJitLink. Throws CompileError.
[[nodiscard]] core::CodeData link(const std::vector<const core::CodeData*>& inputs,
                                  const core::CompileRequest& request,
                                  const std::string& device_architecture,
                                  const std::function<LinkResult(const LinkJob&)>& by_driver);

}  // namespace heald::nvrtc
