#pragma once

/// The kernels of the GPU benchmarks.
inline constexpr const char* benchmark_kernels = R"(
extern "C" __global__ void k3(float* a, float* b, int n) { if (n < 0) a[0] = b[0]; }
extern "C" __global__ void other(float* a, float* b, int n) { if (n < 0) b[0] = a[0]; }
extern "C" __global__ void spin(float* a, float* b, int n, long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) { }
    if (n < 0) a[0] = b[0];
}
)";
