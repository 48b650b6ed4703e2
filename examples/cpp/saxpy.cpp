// A CUDA kernel from C++: on the first usable GPU, else on the CPU.

#include <heald/heald.hpp>

#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

constexpr const char* source = R"(
template <class T>
__global__ void saxpy(int n, T a, const T* x, T* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
})";

int main() try {
    const int n = 1'000'000;
    const float a = 2.0f;
    std::vector<float> x(n), y(n, 1.0f);
    std::iota(x.begin(), x.end(), 0.0f);

    const heald::Device device;
    const heald::Stream stream(device);
    const heald::Program program(source, "saxpy.cu");
    const heald::Kernel kernel = program.compile("", {"saxpy<float>"}).get_kernel("saxpy<float>");

    const auto device_x = heald::Buffer::from_host(x.data(), n * sizeof(float), stream);
    const auto device_y = heald::Buffer::from_host(y.data(), n * sizeof(float), stream);
    kernel({(n + 255) / 256, 256}, stream, n, a, device_x, device_y);
    device_y.copy_to_host(y.data(), n * sizeof(float), stream);

    for (int i = 0; i < n; ++i) {
        if (std::abs(y[i] - (2.0f * float(i) + 1.0f)) > 0.25f) {
            std::printf("element %d is %g\n", i, y[i]);
            return 1;
        }
    }
    std::printf("%s: %d elements, y[10] = %g\n", device.name().c_str(), n, y[10]);

    // An argument of the wrong type is refused before anything runs.
    try {
        kernel({1, 1}, stream, 1.5, a, device_x, device_y);
        return 1;
    } catch (const heald::Error& error) {
        std::printf("%s\n", error.what());
    }
    return 0;
} catch (const heald::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
