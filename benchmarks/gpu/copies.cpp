// Compilation and copies from C++: compile cold, from the memory cache and from the disk cache;
// copies between host and device, and their overlap with a kernel.

#include "benchmarks/gpu/kernels.hpp"

#include <heald/heald.hpp>

#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

using namespace heald;

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(const auto& action) {
    const auto begin = Clock::now();
    action();
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double median_of(int repeats, const auto& action) {
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) times.push_back(milliseconds(action));
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

void compile_and_load(const Device& device) {
    const ObjectCode code = Program(benchmark_kernels, "bench.cu", {}, device).compile();
    (void)code.get_kernel("k3", device);
}

void transposes(const Stream& stream) {
    std::printf("\nCopies of a transposed array (ratio: to a plain copy of as many bytes)\n");
    const auto row = [&](const char* name, DType dtype, std::int64_t n) {
        const Array from({n, n}, dtype, stream), to({n, n}, dtype, stream);
        from.buffer().fill(0x0123456789ABCDEF, 8, stream);
        const Array view = from.transpose();
        constexpr int count = 20;
        const auto time = [&](const auto& copy) {
            copy();
            stream.synchronize();
            return median_of(9,
                             [&] {
                                 for (int i = 0; i < count; ++i) copy();
                                 stream.synchronize();
                             }) /
                   count;
        };
        const double plain = time([&] { to.copy_from(from, stream); });
        const double transposed = time([&] { to.copy_from(view, stream); });
        std::printf("%-52s %8.3f ms, %5.2f TB/s, plain copy %.3f ms, ratio %.2f\n", name,
                    transposed, 2e-9 * static_cast<double>(from.nbytes()) / transposed, plain,
                    transposed / plain);
    };
    row("16384 x 16384 float32 (goal: <= 0.56 ms)", DType::float32, 16384);
    row("16384 x 16384 uint8", DType::uint8, 16384);
    row("16384 x 16384 float16", DType::float16, 16384);
    row("8192 x 8192 float64", DType::float64, 8192);
    row("8192 x 8192 complex128", DType::complex128, 8192);
}

/// In a process of its own, so that only the disk can remember.
int child(const Device& device, const Stream& stream) {
    stream.synchronize();
    const double first =
        milliseconds([&] { (void)Program(benchmark_kernels, "bench.cu", {}, device).compile(); });
    const CacheStatistics statistics = compile_cache_statistics();
    std::printf("%-52s %8.3f ms (disk hits %llu, misses %llu)\n", "compile in a new process", first,
                static_cast<unsigned long long>(statistics.disk_hits),
                static_cast<unsigned long long>(statistics.misses));
    return 0;
}

void compiles(const Device& device, const char* self) {
    std::printf("\nCompilation of three small kernels (goal from the disk cache: <= 1 ms)\n");
    std::fflush(stdout);
    for (const char* note : {"cold", "from the disk cache"}) {
        std::printf("%s: ", note);
        std::fflush(stdout);
        if (std::system((std::string(self) + " --child").c_str()) != 0) return;
    }
    compile_and_load(device);
    std::printf("%-52s %8.3f ms\n", "compile + load, memory cache",
                median_of(31, [&] { compile_and_load(device); }));
    int number = 0;
    std::printf("%-52s %8.3f ms\n", "compile, a new source each time", median_of(7, [&] {
                    (void)Program(std::string(benchmark_kernels) + "// " +
                                      std::to_string(++number) + " " + std::to_string(getpid()),
                                  "bench.cu", {}, device)
                        .compile();
                }));
}

void copies(const Device& device, const Stream& stream) {
    std::printf("\nCopies of 256 MiB\n");
    constexpr std::size_t bytes = std::size_t{256} << 20;
    const Buffer on_device(bytes, stream), other(bytes, stream);
    const Buffer pinned(bytes, stream, MemoryKind::pinned);
    std::vector<char> pageable(bytes, 1);
    std::memset(pinned.data(), 1, bytes);
    const auto row = [&](const char* name, const auto& copy) {
        copy();
        stream.synchronize();
        const double ms = median_of(7, [&] {
            copy();
            stream.synchronize();
        });
        std::printf("%-52s %8.2f GB/s\n", name, static_cast<double>(bytes) / 1e6 / ms);
        return ms;
    };
    const double up = row("host to device, pinned", [&] { on_device.copy_from(pinned, stream); });
    row("device to host, pinned", [&] { pinned.copy_from(on_device, stream); });
    row("host to device, pageable",
        [&] { on_device.copy_from_host(pageable.data(), bytes, stream); });
    row("device to host, pageable",
        [&] { on_device.copy_to_host(pageable.data(), bytes, stream); });
    row("device to device (one way)", [&] { other.copy_from(on_device, stream); });

    const Stream second(device);
    const Kernel spin =
        Program(benchmark_kernels, "bench.cu", {}, device).compile().get_kernel("spin", device);
    const Buffer small(4096, second);
    const auto cycles = static_cast<long long>(up * 1e3 * 1980);
    const auto kernel = [&] { spin({1, 32}, second, small, small, 1, cycles); };
    const double alone = median_of(5, [&] {
        kernel();
        second.synchronize();
    });
    const double both = median_of(5, [&] {
        kernel();
        on_device.copy_from(pinned, stream);
        second.synchronize();
        stream.synchronize();
    });
    std::printf("%-52s copy %.2f ms, kernel %.2f ms, both %.2f ms\n",
                "pinned copy beside a kernel on another stream", up, alone, both);
}

}  // namespace

int main(int argc, char** argv) {
    const bool is_child = argc > 1 && std::strcmp(argv[1], "--child") == 0;
    const std::string folder = "/tmp/heald_bench_cache_" + std::to_string(getpid());
    if (!is_child) setenv("HEALD_CACHE_DIR", folder.c_str(), 1);
    const Device device("cuda:0");
    const Stream stream(device);
    if (is_child) return child(device, stream);
    compiles(device, argv[0]);
    copies(device, stream);
    transposes(stream);
    std::filesystem::remove_all(folder);
}
