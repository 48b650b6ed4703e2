#pragma once

// The plain C++ that kernels are compared with: straightforward loops over a part of the work,
// and, for algorithms made of barriers, the same algorithm split at its barriers by hand.

#include <cstddef>
#include <span>

namespace bench {

/// Operands of every loop. Sizes are elements.
struct Data {
    int n = 0;      ///< of the one-dimensional loops
    int side = 0;   ///< of the matrices, and of the image that is computed
    int width = 0;  ///< of the stencil's image, as high as wide
    int bodies = 0;
    int iterations = 0;  ///< at most, per pixel
    const float* x = nullptr;
    const float* a = nullptr;
    const float* b = nullptr;
    const unsigned char* bytes = nullptr;
    const int* integers = nullptr;
    float* y = nullptr;
    unsigned* bins = nullptr;  ///< 256
    int* integers_out = nullptr;
    int* block_sums = nullptr;
    float* partial = nullptr;  ///< 16 per worker: one cache line each
};

/// Does items [begin, end) as worker number `worker`.
using Loop = void (*)(const Data&, int begin, int end, int worker);

struct NamedLoop {
    const char* name;
    Loop loop;
};

struct LoopSet {
    const char* compiler;
    std::span<const NamedLoop> loops;
};

const LoopSet& loops_of_this_compiler();
const LoopSet& loops_of_clang();

}  // namespace bench
