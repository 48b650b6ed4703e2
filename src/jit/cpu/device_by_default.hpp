#pragma once

#include <clang/AST/ASTConsumer.h>

#include <memory>
#include <string_view>

namespace heald::cpu {

/// Text in front of a source: from here on, functions without __host__ or __device__ are both.
inline constexpr std::string_view functions_by_default =
    "#pragma clang force_cuda_host_device begin\n";

/// Makes variables without a memory space device variables, before anything refers to them. To be
/// put before the code generator.
std::unique_ptr<clang::ASTConsumer> variables_by_default();

}  // namespace heald::cpu
