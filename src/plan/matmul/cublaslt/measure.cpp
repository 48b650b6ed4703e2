// Which of cuBLASLt's algorithms is fastest.

#include "src/array/ops/elementwise.hpp"
#include "src/array/ops/reduce.hpp"
#include "src/plan/epilogue/random.hpp"
#include "src/plan/matmul/cublaslt/executor.hpp"
#include "src/plan/tuning_store.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

namespace heald::cublaslt {
namespace {

constexpr std::uint32_t usual_alignment = 16;

/// Elements that a span of such memory needs, filled with numbers as products have them: a GPU
/// draws less power, and so runs faster, on zeros.
Array filled(std::int64_t elements, DType dtype, const Stream& stream) {
    Array array({std::max<std::int64_t>(elements, 1)}, dtype, stream);
    array::assign(array, plan::random_numbers(array.shape(), dtype, stream));
    return array;
}

std::int64_t span(const plan::MatrixSteps& steps, const Shape& batch, std::int64_t rows,
                  std::int64_t columns) {
    std::int64_t last = (rows - 1) * steps.row + (columns - 1) * steps.column;
    for (std::size_t axis = 0; axis < batch.size(); ++axis)
        last += (batch[axis] - 1) * steps.batch[axis];
    return last + 1;
}

}  // namespace

void Executor::measure(const Stream& stream) {
    autotune(stream, 5);
}

void Executor::autotune(const Stream& stream, int iterations) {
    const plan::MatmulProblem& p = problem_;
    const Array a = filled(span(p.a_steps, p.batch, p.m, p.k), p.a, stream);
    const Array b = filled(span(p.b_steps, p.batch, p.k, p.n), p.b, stream);
    const Array d = filled(span(p.d_steps, p.batch, p.m, p.n), p.d, stream);
    const Array bias = filled(p.n, p.d, stream);
    const auto flush_bytes =
        static_cast<std::int64_t>(2 * stream.device().properties().l2_cache) + (1 << 20);
    const Array flush({flush_bytes}, DType::uint8, stream);
    Call call;
    call.a = static_cast<const char*>(a.data());
    call.b = static_cast<const char*>(b.data());
    call.d = static_cast<char*>(d.data());
    call.bias = bias.data();
    write_scalar(call.alpha, 1);
    const bool adds = fused_.addend || p.has_c;
    write_scalar(call.beta, adds ? 1 : 0);
    if (adds) call.c = call.d;

    const std::lock_guard lock(mutex_);
    std::vector<Algorithm> found;
    stream.state().device.backend().with_library(
        [](void* data) {
            auto& [self, list] = *static_cast<std::pair<Executor*, std::vector<Algorithm>*>*>(data);
            Status status = Status::success;
            *list = self->candidates(usual_alignment, 16, status);
        },
        std::make_unique<std::pair<Executor*, std::vector<Algorithm>*>>(this, &found).get());
    if (found.empty()) return;
    for (Algorithm& algorithm : found) {
        std::vector<double> times;
        for (int i = 0; i <= iterations; ++i) {
            const std::uint8_t zero = 0;
            flush.fill(&zero, stream);
            Array workspace;
            if (algorithm.workspace > 0) {
                workspace = workspace_for(stream, algorithm.workspace);
                call.workspace = workspace.data();
            }
            Event start(stream.device(), true);
            Event stop(stream.device(), true);
            start.record(stream);
            struct Job {
                Executor* self;
                Call* call;
                Algorithm* algorithm;
                CudaStream stream;
                Status status;
            } job{this, &call, &algorithm,
                  reinterpret_cast<CudaStream>(stream.state().queue->handle()), Status::success};
            stream.state().device.backend().with_library(
                [](void* data) {
                    auto& j = *static_cast<Job*>(data);
                    j.status = j.self->run(*j.call, *j.algorithm, j.stream);
                },
                &job);
            stream.state().timeline->count();
            stop.record(stream);
            stop.synchronize();
            if (job.status != Status::success) {
                times = {std::numeric_limits<double>::infinity()};
                break;
            }
            if (i > 0) times.push_back(stop.elapsed_since(start));  // the first one loads code
        }
        std::sort(times.begin(), times.end());
        algorithm.milliseconds = times[times.size() / 2];
    }
    const auto best = std::min_element(
        found.begin(), found.end(),
        [](const auto& x, const auto& y) { return x.milliseconds < y.milliseconds; });
    chosen_ = static_cast<std::size_t>(best - found.begin());
    algorithms_ = std::move(found);
    from_store_ = false;
    std::string choice;
    for (const std::uint64_t word : algorithms_[chosen_].algo.data) {
        std::array<char, 17> digits{};
        std::snprintf(digits.data(), digits.size(), "%016llx",
                      static_cast<unsigned long long>(word));
        choice += digits.data();
    }
    plan::store_tuning(tuning_key(problem_, fused_, usual_alignment, device_), choice);
}

}  // namespace heald::cublaslt
