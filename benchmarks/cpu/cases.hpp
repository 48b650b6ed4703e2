#pragma once

#include <heald/heald.hpp>

#include "benchmarks/cpu/loops.hpp"

#include <span>
#include <vector>

namespace bench {

/// Host and device copies of what the kernels work on.
struct Operands {
    Operands();

    /// Output memory as it was at the start, on both sides.
    void reset();

    std::vector<float> x, a, b, y, y_start, partial;
    std::vector<unsigned char> bytes;
    std::vector<int> integers, integers_out, block_sums;
    std::vector<unsigned> bins;
    Data data;

    heald::Buffer device_x, device_a, device_b, device_y, device_bytes, device_integers,
        device_integers_out, device_block_sums, device_bins;
};

/// Which output is compared after a run.
enum class Output { floats, integers, bins, total };

struct Case {
    const char* name;
    const char* source;
    const char* kernel;  ///< name expression
    const char* loop;    ///< of LoopSet
    const char* split;   ///< "" or the loop that is the same algorithm split at its barriers
    bool divergent;
    heald::LaunchConfig config;
    int (*items)(const Data&);        ///< for `loop`
    int (*split_items)(const Data&);  ///< for `split`
    int grain;                        ///< of ThreadTeam::run
    std::vector<heald::Argument> (*arguments)(const Operands&);
    Output output;
    double bound;  ///< of the difference
};

std::span<const Case> all_cases();

/// The largest relative difference between the kernel's and the loop's result.
double difference(const Case& which, Operands& operands, int workers);

extern const char* const empty_kernel;

}  // namespace bench
