#pragma once

#include <heald/signature.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace heald::jit {

/// The signature in an Itanium-mangled name: of a kernel ("_Z3addPKfPfi"), or of the type that an
/// instance of a template carries ("_ZN6heald_9signatureIFvPKfPfiEE…", where the first function
/// type is taken). nullopt for names without parameters, such as those of extern "C" kernels.
///
/// Records, and typedef names that a mangled name keeps, have size 0 where the name does not tell:
/// the caller completes them (NVRTC: cuFuncGetParamInfo; see complete_sizes).
[[nodiscard]] std::optional<Signature> signature_from_mangled(std::string_view mangled);

/// "ns::scale<float, 4>" for a mangled kernel name: without return type and parameter list. Other
/// names as they are.
[[nodiscard]] std::string display_name(std::string_view mangled);

/// Completes a signature by the driver's parameter sizes, in order. False if they contradict it.
bool complete_sizes(Signature& signature, const std::size_t* sizes, std::size_t count);

/// A signature of which only the sizes are known.
[[nodiscard]] Signature signature_of_sizes(const std::size_t* sizes, std::size_t count);

}  // namespace heald::jit
