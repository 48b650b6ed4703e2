#include "benchmarks/cpu/child.hpp"

#include "benchmarks/cpu/measure.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace bench {

int be_child(const std::string& kernel, int threads) {
    try {
        // Loads the compiler before any compile is timed.
        const EmptyLaunch empty = measure_empty_launch();
        if (kernel == "empty") {
            std::printf("row 0 0 %g %g 0 none\n", empty.launch, empty.round_trip);
            return 0;
        }
        Operands operands;
        ThreadTeam team(threads);
        for (const Case& which : all_cases()) {
            if (kernel != which.name) continue;
            const Measured m = measure(which, operands, team);
            std::printf("row %g %g %g %g %g %s\n", m.loop, m.split, m.heald, m.compile,
                        m.difference, m.compiler);
            return 0;
        }
        std::printf("error no kernel named %s\n", kernel.c_str());
    } catch (const std::exception& error) {
        std::printf("error %s\n", error.what());
    }
    return 1;
}

ChildRow run_child(const std::string& kernel, int threads, const std::string& cache) {
    setenv("HEALD_DEVICE", "cpu", 1);
    setenv("HEALD_NUM_THREADS", std::to_string(threads).c_str(), 1);
    setenv("HEALD_CACHE_DIR", cache.c_str(), 1);
    const std::string command = "exec /proc/" + std::to_string(getpid()) + "/exe --child " +
                                kernel + " " + std::to_string(threads);
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    if (!pipe) throw std::runtime_error("cannot start a process");
    std::string text;
    char part[4096];
    while (std::fgets(part, sizeof part, pipe.get())) text += part;
    std::istringstream in(text);
    std::string tag;
    ChildRow row;
    if (in >> tag && tag == "row" &&
        in >> row.loop >> row.split >> row.heald >> row.compile >> row.difference >> row.compiler)
        return row;
    throw std::runtime_error(text.empty() ? kernel + ": the process ended without a result" : text);
}

}  // namespace bench
