#pragma once

namespace llvm {
class Module;
}

namespace heald::cpu {

/// Keeps loops that contain a barrier from being unrolled, unless the source asks for it: every
/// barrier becomes a region of its own, and each region costs as much to compile as a small kernel.
void keep_barrier_loops(llvm::Module& module);

}  // namespace heald::cpu
