// Tests of the CUDA backend on a real GPU, without any test framework.
//   heald_gpu_test [part of a name]     runs the tests
//   heald_gpu_test --child NAME         one of the processes that end badly on purpose

#include "tests/gpu/check.hpp"
#include "tests/gpu/children.hpp"

#include <heald/heald.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>

namespace gpu_check {
namespace {

int failures_of_test = 0;
std::string own_path;

}  // namespace

std::vector<Test>& tests() {
    static std::vector<Test> list;
    return list;
}

void fail(const char* file, int line, const std::string& what) {
    ++failures_of_test;
    if (failures_of_test <= 10) std::cout << "    " << file << ":" << line << ": " << what << "\n";
}

std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

std::string run_self(const std::string& arguments, const std::string& environment) {
    const std::string command = environment + " " + own_path + " " + arguments + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return "popen failed";
    std::string output;
    std::array<char, 4096> part{};
    while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe))
        output.append(part.data(), n);
    const int status = pclose(pipe);
    return output + "[exit " + std::to_string(WEXITSTATUS(status)) + "]";
}

}  // namespace gpu_check

int main(int argc, char** argv) {
    using namespace gpu_check;
    own_path = argv[0];
    if (argc >= 3 && std::strcmp(argv[1], "--child") == 0) return run_child(argv[2]);
    const std::string wanted = argc >= 2 ? argv[1] : "";
    int passed = 0, failed = 0, skipped = 0;
    std::cout << heald::Device("cuda:0").properties().name << std::endl;
    for (const Test& test : tests()) {
        if (std::string(test.name).find(wanted) == std::string::npos) continue;
        failures_of_test = 0;
        const auto begin = std::chrono::steady_clock::now();
        std::string note;
        try {
            test.body();
        } catch (const Skipped& reason) {
            note = " skipped: " + reason.reason;
            ++skipped;
        } catch (const std::exception& error) {
            fail(test.name, 0, std::string("threw ") + error.what());
        }
        const double ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                .count();
        (failures_of_test == 0 ? passed : failed) += note.empty() || failures_of_test > 0;
        std::printf("%-4s %-52s %8.1f ms%s\n", failures_of_test == 0 ? "ok" : "FAIL", test.name, ms,
                    note.c_str());
        std::fflush(stdout);
    }
    std::printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    std::fflush(stdout);
    return failed == 0 && passed > 0 ? 0 : 1;
}
