#pragma once

// Warps of one lane: the kernel as the user wrote it, one thread at a time.

#include "src/jit/cpu/simt/shared_layout.hpp"

#include <string>

namespace heald::cpu::simt {

/// A warp function (warp_function.hpp) with the body of `entry`.
llvm::Function* build_scalar_warp(llvm::Function& entry, const SharedLayout& shared,
                                  const std::string& name);

}  // namespace heald::cpu::simt
