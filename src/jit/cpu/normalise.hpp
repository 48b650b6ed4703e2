#pragma once

// From clang's IR to what the SIMT passes take: every call inlined that can be, scalars only,
// reducible control flow with one return and one exit per loop.

#include "src/jit/cpu/plugin.hpp"

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace heald::cpu {

/// Target attributes, GPU semantics and everything else that must come before any optimisation.
/// The result can be stored, and linked with other such modules.
void prepare(llvm::Module& module);

/// `module` has been prepared. Afterwards it holds the entries of `kernels`, functions that stay
/// out of line and global variables with external linkage. Fills the facts in `kernels` and the
/// names of `globals`.
void normalise(llvm::Module& module, std::vector<KernelRecord>& kernels,
               std::vector<GlobalRecord>& globals);

}  // namespace heald::cpu
