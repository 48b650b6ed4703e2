#include "tests/cpp/cpu_compiler/compiled_program.hpp"

#include <gtest/gtest.h>

#include <malloc.h>
#include <unistd.h>
#include <cstdio>

namespace heald::test {
namespace {

double resident_mib() {
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    long total = 0, resident = 0;
    const int read = std::fscanf(file, "%ld %ld", &total, &resident);
    std::fclose(file);
    return read == 2 ? static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) /
                           (1024 * 1024)
                     : 0;
}

void compile_and_drop(int i) {
    CompiledProgram program(
        "extern \"C\" __global__ void k(int* x) { x[threadIdx.x] = " + std::to_string(i) + "; }\n");
    int x = -1;
    program.run("k", line(1, 1), &x);
    ASSERT_EQ(x, i);
}

TEST(Memory, StaysFlatOverAThousandCompiles) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "resident memory means nothing under ASan";
#endif
    for (int i = 0; i < 100; ++i) compile_and_drop(i);
    malloc_trim(0);
    const double before = resident_mib();
    for (int i = 0; i < 1000; ++i) compile_and_drop(i);
    malloc_trim(0);
    const double after = resident_mib();
    std::printf("resident: %.1f MiB, then %.1f MiB\n", before, after);
    EXPECT_LT(after - before, 8.0);
}

}  // namespace
}  // namespace heald::test
