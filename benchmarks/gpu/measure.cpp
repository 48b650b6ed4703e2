#include "benchmarks/gpu/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>

namespace gpu_benchmark {
namespace {

using Clock = std::chrono::steady_clock;

struct Times {
    std::vector<double> host;
    std::vector<double> whole;
};

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

void measure_once(const Row& row, int count, Times& times) {
    const auto microseconds = [count](Clock::duration time) {
        return std::chrono::duration<double, std::micro>(time).count() / count;
    };
    row.finish();
    const auto begin = Clock::now();
    row.work(count);
    const auto returned = Clock::now();
    row.finish();
    times.host.push_back(microseconds(returned - begin));
    times.whole.push_back(microseconds(Clock::now() - begin));
}

}  // namespace

void measure_rows(const std::vector<Row>& rows, int count, int repeats) {
    std::vector<Times> times(rows.size());
    // Whatever is decided by repetition is decided here.
    for (const Row& row : rows) row.work(std::max(count, 200));
    for (int repeat = 0; repeat < repeats; ++repeat)
        for (std::size_t i = 0; i < rows.size(); ++i) measure_once(rows[i], count, times[i]);
    const double host_floor = median(times[0].host);
    const double whole_floor = median(times[0].whole);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double host = median(times[i].host);
        const double whole = median(times[i].whole);
        std::printf("%-52s host %7.3f us  end-to-end %7.3f us  ratio %5.2f / %5.2f  %s\n",
                    rows[i].name.c_str(), host, whole, host / host_floor, whole / whole_floor,
                    rows[i].goal.c_str());
    }
    std::fflush(stdout);
}

void print_title(const std::string& title) {
    std::printf("\n%s\n", title.c_str());
}

}  // namespace gpu_benchmark
