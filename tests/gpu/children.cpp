#include "tests/gpu/children.hpp"

#include <heald/heald.hpp>

#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>

namespace gpu_check {
namespace {

using namespace heald;

constexpr const char* source = R"(
__global__ void fine(int* x) { x[0] = 1; }
__global__ void bad_store(int* x) { x[0] = 1; }
__global__ void bad_assert(int* x) { if (x != nullptr) __trap(); }
__global__ void endless(volatile int* x) { while (x[0] == 0) { } }
)";

void report(const std::function<void()>& action) {
    try {
        action();
        std::cout << "no error\n";
    } catch (const Error& error) {
        std::cout << "kind " << static_cast<int>(error.kind()) << ": " << error.what() << "\n";
    }
}

int fault() {
    const Device device("cuda:0");
    const Stream stream(device);
    const ObjectCode code = Program(source, "fault.cu", {}, device).compile();
    const Buffer memory(4096, stream);
    code.get_kernel("fine", device)({1, 1}, stream, memory);
    stream.synchronize();
    // An address that nobody has.
    const Buffer wild = Buffer::wrap(reinterpret_cast<void*>(0x10), 4096, device, nullptr);
    code.get_kernel("fine", device)({1, 1}, stream, memory);
    const Argument arguments[] = {Argument(wild)};
    report([&] { code.get_kernel("bad_store", device).launch({1, 1}, stream, arguments); });
    report([&] { stream.synchronize(); });
    report([&] { (void)Buffer(std::size_t{300} << 20, stream); });
    report([&] { code.get_kernel("fine", device)({1, 1}, stream, memory); });
    std::cout << "still here\n";
    return 0;
}

int trap() {
    const Device device("cuda:0");
    const Stream stream(device);
    const ObjectCode code = Program(source, "fault.cu", {}, device).compile();
    code.get_kernel("bad_assert", device)({1, 1}, stream, Buffer(4096, stream));
    report([&] { stream.synchronize(); });
    return 0;
}

int after_fork() {
    const Device device("cuda:0");
    const Buffer memory(4096, device.default_stream());
    std::cout << std::flush;
    const pid_t child = fork();
    if (child == 0) {
        report([&] { (void)Buffer(4096, device.default_stream()); });
        report([&] { memory.fill(0, 1, device.default_stream()); });
        std::cout << std::flush;
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::cout << "child status " << status << "\n";
    return 0;
}

int exit_with_work() {
    const Device device("cuda:0");
    const Stream stream(device);
    const ObjectCode code = Program(source, "fault.cu", {}, device).compile();
    const Buffer memory(4096, stream);
    memory.fill(1, 1, stream);
    for (int i = 0; i < 2000; ++i) code.get_kernel("fine", device)({1, 1}, stream, memory);
    stream.host_function([] { usleep(20000); });
    std::exit(3);
}

int linker_fallback() {
    const Device device("cuda:0");
    const Stream stream(device);
    ProgramOptions options;
    options.relocatable = true;
    const auto a =
        Program("__device__ int f(int x) { return 3 * x; }", "a.cu", options, device).compile();
    const auto b = Program(
                       "__device__ int f(int x); extern \"C\" __global__ void k(int* x) "
                       "{ x[0] = f(14); }",
                       "b.cu", options, device)
                       .compile();
    const ObjectCode linked = Linker({a, b}, {}, device).link();
    const Buffer memory(4, stream);
    linked.get_kernel("k", device)({1, 1}, stream, memory);
    int value = 0;
    memory.copy_to_host(&value, 4, stream);
    std::cout << "value " << value << "\n";
    return value == 42 ? 0 : 1;
}

}  // namespace

int run_child(const std::string& name) {
    const std::map<std::string, int (*)()> children{{"fault", fault},
                                                    {"trap", trap},
                                                    {"after_fork", after_fork},
                                                    {"exit_with_work", exit_with_work},
                                                    {"linker_fallback", linker_fallback}};
    return children.at(name)();
}

}  // namespace gpu_check
