#pragma once

#include "src/core/code.hpp"
#include "src/core/device_state.hpp"

#include <memory>

namespace heald::core {

/// The code of a request, from the cache if it has it (src/jit/compile_cache.cpp). Throws
/// CompileError.
std::shared_ptr<const CodeData> compile(DeviceState& device, const CompileRequest& request);

/// The code of a request if the cache has it; else null, and nothing is compiled.
std::shared_ptr<const CodeData> find_compiled(DeviceState& device, const CompileRequest& request);

/// The same for a link of several codes; `request` holds the options and the target.
std::shared_ptr<const CodeData> link(DeviceState& device,
                                     const std::vector<std::shared_ptr<const CodeData>>& inputs,
                                     const CompileRequest& request);

}  // namespace heald::core
