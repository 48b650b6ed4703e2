// Kernels on the CPU device side by side with plain C++ loops, on one and on two threads.
//
//     heald_benchmarks_cpu [--threads 1,2] [KERNEL…]
//
// Ratios are C++ time / heald time: above 1, heald is quicker. Each measurement is a process of its
// own; the first of a kernel compiles it, the later ones find it in the disk cache.

#include "benchmarks/cpu/cases.hpp"
#include "benchmarks/cpu/child.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace bench;

/// A compile cache that starts empty and goes with the program.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "heald-bench-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
        path_ = pattern;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

struct Summary {
    double log_sum = 0;
    int count = 0;
    int failures = 0;
};

void print_header(const std::vector<int>& threads) {
    std::printf("%-15s", "kernel");
    for (const int t : threads)
        std::printf(" | %d thread%s: C++ ms  heald ms  ratio", t, t == 1 ? " " : "s");
    std::printf(" | split | compile ms: cold cached | difference\n");
}

void print_case(const Case& which, const std::vector<int>& threads,
                std::vector<Summary>& summaries) {
    const TemporaryFolder cache;
    double cold = 0, cached = 0, difference = 0, split_ratio = 0;
    std::string compiler;
    std::printf("%-15s", which.name);
    std::fflush(stdout);
    for (std::size_t i = 0; i < threads.size(); ++i) {
        const ChildRow row = run_child(which.name, threads[i], cache.path());
        const double ratio = row.loop / row.heald;
        std::printf(" |        %9.3f %9.3f %6.2f", row.loop, row.heald, ratio);
        std::fflush(stdout);
        if (i == 0) {
            cold = row.compile;
            split_ratio = row.split / row.heald;
        }
        cached = row.compile;
        compiler = row.compiler;
        difference = std::max(difference, row.difference);
        if (!which.divergent) {
            summaries[i].log_sum += std::log(ratio);
            ++summaries[i].count;
        }
    }
    char split[16] = "     ";
    if (split_ratio > 0) std::snprintf(split, sizeof split, "%5.2f", split_ratio);
    const bool wrong = !(difference <= which.bound);
    summaries[0].failures += wrong;
    std::printf(" | %s |           %6.1f %6.2f | %.1e%s\n", split, cold,
                threads.size() > 1 ? cached : 0.0, difference, wrong ? " WRONG" : "");
}

std::vector<int> parse_numbers(const std::string& text) {
    std::vector<int> numbers;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');)
        numbers.push_back(std::max(1, std::atoi(part.c_str())));
    return numbers;
}

int run(const std::vector<int>& threads, const std::vector<std::string>& kernels) {
    std::vector<Summary> summaries(threads.size());
    int failures = 0;
    print_header(threads);
    for (const Case& which : all_cases()) {
        if (!kernels.empty() && std::ranges::find(kernels, which.name) == kernels.end()) continue;
        try {
            print_case(which, threads, summaries);
        } catch (const std::exception& error) {
            std::printf(" failed: %s\n", error.what());
            ++failures;
        }
    }
    for (std::size_t i = 0; i < threads.size(); ++i) {
        if (summaries[i].count == 0) continue;
        std::printf("geometric mean of %d ratios without divergent kernels, %d thread(s): %.2f\n",
                    summaries[i].count, threads[i],
                    std::exp(summaries[i].log_sum / summaries[i].count));
    }
    if (kernels.empty() || std::ranges::find(kernels, "empty") != kernels.end()) {
        const TemporaryFolder cache;
        const ChildRow row = run_child("empty", 1, cache.path());
        std::printf("empty launch, one block: %.3f us, and %.3f us with a wait for it\n", row.heald,
                    row.compile);
    }
    std::printf(
        "ratio: C++ time / heald time; split: the same with the algorithm split at its barriers by "
        "hand\n");
    return failures + summaries[0].failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 3 && arguments[0] == "--child")
        return be_child(arguments[1], std::atoi(arguments[2].c_str()));
    std::vector<int> threads{1, 2};
    if (arguments.size() >= 2 && arguments[0] == "--threads") {
        threads = parse_numbers(arguments[1]);
        arguments.erase(arguments.begin(), arguments.begin() + 2);
    }
    return run(threads, arguments);
}
