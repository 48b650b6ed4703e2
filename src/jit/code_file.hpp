#pragma once

#include "src/core/code.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace heald::jit {

/// CodeData as bytes and back; nullopt for bytes that are not such.
[[nodiscard]] std::string serialize(const core::CodeData& code);
[[nodiscard]] std::optional<core::CodeData> deserialize(std::string_view bytes);

}  // namespace heald::jit
