#include "tests/gpu/check.hpp"

using gpu_check::run_self;

GPU_TEST(a_fault_lists_its_launches_and_says_what_is_lost) {
    const std::string output = run_self("--child fault");
    EXPECT_CONTAINS(output, "CUDA_ERROR_ILLEGAL_ADDRESS");
    EXPECT_CONTAINS(output, "bad_store");
    EXPECT_CONTAINS(output, "children.cpp:");
    EXPECT_CONTAINS(output, "not known to be complete");
    EXPECT_CONTAINS(output, "HEALD_LAUNCH_BLOCKING=1");
    EXPECT_CONTAINS(output, "start a new process");
    EXPECT_CONTAINS(output, "still here");
    EXPECT_CONTAINS(output, "[exit 0]");
}

GPU_TEST(launch_blocking_names_the_exact_kernel) {
    const std::string output = run_self("--child fault", "HEALD_LAUNCH_BLOCKING=1");
    EXPECT_CONTAINS(output, "The kernel that failed: 'bad_store");
    EXPECT_CONTAINS(output, "[exit 0]");
}

GPU_TEST(a_trap_is_an_error) {
    const std::string output = run_self("--child trap");
    EXPECT_CONTAINS(output, "bad_assert");
    EXPECT_CONTAINS(output, "[exit 0]");
}

GPU_TEST(use_after_fork_is_a_clear_error) {
    const std::string output = run_self("--child after_fork");
    EXPECT_CONTAINS(output, "fork");
    EXPECT_CONTAINS(output, "spawn");
    EXPECT_CONTAINS(output, "child status 0");
}

GPU_TEST(the_exit_code_is_the_asked_one_with_work_queued) {
    EXPECT_CONTAINS(run_self("--child exit_with_work"), "[exit 3]");
}

GPU_TEST(linking_falls_back_to_the_driver) {
    const std::string output =
        run_self("--child linker_fallback", "HEALD_CACHE=0 HEALD_NVJITLINK_PATH=/nonexistent");
    EXPECT_CONTAINS(output, "value 42");
    EXPECT_CONTAINS(output, "driver's own linker");
}
