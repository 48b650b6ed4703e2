#include "src/backend/cpu/processor.hpp"
#include "src/backend/cpu/properties.hpp"
#include "src/backend/cpu/system_memory.hpp"

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace heald::cpu {
namespace {

TEST(Processor, IsNamedAndHasALevel) {
    EXPECT_FALSE(processor().model.empty());
    EXPECT_EQ(processor().features, processor().features);
#if defined(__x86_64__)
    EXPECT_EQ(processor().level.rfind("x86-64", 0), 0u);
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        EXPECT_EQ(processor().level, "x86-64-v4");
    } else if (__builtin_cpu_supports("avx2")) {
        EXPECT_EQ(processor().level, "x86-64-v3");
    }
#endif
}

/// Workers in a process with this setting, limited to one processor if `narrow`.
int workers_with(const char* setting, bool narrow) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        if (setting != nullptr)
            setenv("HEALD_NUM_THREADS", setting, 1);
        else
            unsetenv("HEALD_NUM_THREADS");
        if (narrow) {
            cpu_set_t all, one;
            sched_getaffinity(0, sizeof all, &all);
            CPU_ZERO(&one);
            for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
                if (CPU_ISSET(cpu, &all)) {
                    CPU_SET(cpu, &one);
                    break;
                }
            sched_setaffinity(0, sizeof one, &one);
        }
        _exit(allowance().workers);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

TEST(Allowance, FollowsAffinityAndSetting) {
    const int all = workers_with(nullptr, false);
    EXPECT_GE(all, 1);
    EXPECT_EQ(workers_with(nullptr, true), 1);
    EXPECT_EQ(workers_with("1", false), 1);
    EXPECT_EQ(workers_with("3", false), 3);
    EXPECT_EQ(workers_with("many", false), all);
    EXPECT_EQ(workers_with("0", false), all);
}

TEST(Properties, AreThoseOfTheH200WhereProgramsDependOnThem) {
    const DeviceProperties properties = device_properties();
    EXPECT_EQ(properties.kind, DeviceKind::cpu);
    EXPECT_EQ(properties.warp_size, 32);
    EXPECT_EQ(properties.max_threads_per_block, 1024);
    EXPECT_EQ(properties.max_grid[0], 0x7fffffffu);
    EXPECT_EQ(properties.max_grid[1], 65535u);
    EXPECT_EQ(properties.shared_memory_per_block, 49152u);
    EXPECT_EQ(properties.shared_memory_per_block_optin, 232448u);
    EXPECT_EQ(properties.multiprocessor_count, allowance().workers);
    EXPECT_GT(properties.total_memory, 0u);
    EXPECT_LE(system_memory().available, system_memory().total);
}

}  // namespace
}  // namespace heald::cpu
