#pragma once

// Kernels that are hard for the vectoriser: each one must give the same result in every variant.

#include <string>
#include <vector>

namespace heald::cpu::test {

struct StressKernel {
    enum class Kind {
        plain,      ///< threads do not communicate
        atomic,     ///< results are sums over threads
        barrier,    ///< block-wide barriers
        barrier32,  ///< whole warps of 32 meet at different barriers
        warp,       ///< warp operations
    };

    const char* name;
    Kind kind;
    const char*
        source;  ///< void name(int n, const float* in, float* out, const int* iin, int* iout)
};

/// All of them.
std::vector<StressKernel> stress_kernels();
std::vector<StressKernel> control_flow_kernels();
std::vector<StressKernel> data_kernels();
std::vector<StressKernel> block_kernels();

}  // namespace heald::cpu::test
