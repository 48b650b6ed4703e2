#pragma once

// A large structure that a kernel takes by value is copied into private memory of each thread, for
// the kernel may change it. Most only read it.

namespace llvm {
class Function;
}

namespace heald::cpu {

/// Lets the entry read such structures where the launch put them, when nothing writes the copy.
/// True if anything changed.
bool remove_parameter_copies(llvm::Function& entry);

}  // namespace heald::cpu
