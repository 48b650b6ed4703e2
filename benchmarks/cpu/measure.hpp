#pragma once

#include "benchmarks/cpu/cases.hpp"
#include "benchmarks/cpu/thread_team.hpp"

namespace bench {

/// Milliseconds, each the best of many runs that alternate with the others.
struct Measured {
    double loop = 0;  ///< the better compiler's plain loop
    const char* compiler = "";
    double split = 0;  ///< the algorithm split at its barriers; 0: none
    double heald = 0;
    double compile = 0;  ///< from source to the end of the first launch, the launch's time aside
    double difference = 0;
};

Measured measure(const Case& which, Operands& operands, ThreadTeam& team);

/// Microseconds of a launch of one empty block: enqueued, and enqueued and waited for.
struct EmptyLaunch {
    double launch = 0;
    double round_trip = 0;
};
EmptyLaunch measure_empty_launch();

}  // namespace bench
