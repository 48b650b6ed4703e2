#include "benchmarks/gpu/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace gpu_benchmark {
namespace {

double median(std::vector<double> values) {
    std::nth_element(values.begin(),
                     values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

}  // namespace

Cost measure(const std::function<void(int)>& work, const std::function<void()>& finish, int count,
             int repeats) {
    using Clock = std::chrono::steady_clock;
    const auto microseconds = [count](Clock::duration time) {
        return std::chrono::duration<double, std::micro>(time).count() / count;
    };
    work(std::max(count, 200));  // whatever is decided by repetition is decided here
    std::vector<double> host, whole;
    for (int i = 0; i < repeats; ++i) {
        finish();
        const auto begin = Clock::now();
        work(count);
        const auto returned = Clock::now();
        finish();
        const auto done = Clock::now();
        host.push_back(microseconds(returned - begin));
        whole.push_back(microseconds(done - begin));
    }
    return {median(host), median(whole)};
}

void print_row(const std::string& name, const Cost& cost, const Cost* floor, const char* goal) {
    std::printf("%-52s host %7.3f us  end-to-end %7.3f us", name.c_str(), cost.host,
                cost.end_to_end);
    if (floor != nullptr)
        std::printf("  ratio %5.2f / %5.2f", cost.host / floor->host,
                    cost.end_to_end / floor->end_to_end);
    std::printf("  %s\n", goal);
    std::fflush(stdout);
}

void print_title(const std::string& title) {
    std::printf("\n%s\n", title.c_str());
}

}  // namespace gpu_benchmark
