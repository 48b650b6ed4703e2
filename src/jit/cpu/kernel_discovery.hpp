#pragma once

// Finds the kernels of a source while clang parses it.

#include "src/jit/cpu/plugin.hpp"

#include <clang/AST/ASTConsumer.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace clang {
class CodeGenerator;
class CompilerInstance;
class FunctionDecl;
class VarDecl;
}  // namespace clang

namespace heald::cpu {

struct Discovered {
    std::vector<KernelRecord> kernels;
    std::vector<GlobalRecord> globals;
};

/// An AST consumer that goes behind `generator` in a MultiplexConsumer. At the end of the source it
/// builds the kernels' entries, tags shared variables and fills `result`.
std::unique_ptr<clang::ASTConsumer> make_discovery(clang::CompilerInstance& instance,
                                                   clang::CodeGenerator& generator,
                                                   const CompileInput& input, Discovered& result);

}  // namespace heald::cpu
