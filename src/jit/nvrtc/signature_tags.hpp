#pragma once

#include <heald/signature.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace heald::nvrtc {

/// How NVRTC tells a kernel's exact signature: an instance of a variable template over the
/// kernel's type is named as well, and its mangled name spells the parameter types, with sizes and
/// alignments, through typedefs, macros and templates, also for extern "C" kernels.

/// Text to append to a source, on lines of its own file name.
[[nodiscard]] std::string_view tag_definitions() noexcept;

/// The file name that diagnostics of that text have.
[[nodiscard]] std::string_view tag_file() noexcept;

/// The name expression whose lowered name tells the signature of `kernel` (an expression too).
[[nodiscard]] std::string tag_of(std::string_view kernel);

/// Reads the lowered name of such an expression.
[[nodiscard]] std::optional<Signature> signature_from_tag(std::string_view lowered);

}  // namespace heald::nvrtc
