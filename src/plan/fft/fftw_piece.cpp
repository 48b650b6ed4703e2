#include "src/plan/fft/fftw_piece.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

namespace heald::fft::fftw {
namespace {

constexpr double most_seconds = 2;  // of measuring one plan: others wait for the planner

std::vector<Dim> dims_of(const std::vector<Axis>& axes) {
    std::vector<Dim> dims;
    for (const Axis& axis : axes) dims.push_back({axis.n, axis.in, axis.out});
    return dims;
}

/// Bytes from the first element of a side to both of its ends.
struct Span {
    std::int64_t before = 0;
    std::int64_t after = 0;
};

Span span_of(const Problem& problem, bool in) {
    const std::int64_t bytes = in ? problem.in_bytes() : problem.out_bytes();
    Span span{0, bytes};
    const auto add = [&](std::int64_t extent, std::int64_t stride) {
        const std::int64_t reach = (extent - 1) * stride * bytes;
        (reach < 0 ? span.before : span.after) += std::abs(reach);
    };
    for (std::size_t i = 0; i < problem.axes.size(); ++i)
        add(in ? problem.in_extent(i) : problem.out_extent(i),
            in ? problem.axes[i].in : problem.axes[i].out);
    for (const Axis& axis : problem.batch) add(axis.n, in ? axis.in : axis.out);
    return span;
}

/// Memory to plan with: that of the caller must stay as it is. A planner that only estimates does
/// not touch it, and gets addresses alone.
class Ground {
public:
    Ground(const Problem& problem, bool aligned, bool real) {
        const std::size_t off = aligned ? 0 : problem.float64 ? 8 : 4;
        const Span in = span_of(problem, true);
        const Span out = span_of(problem, false);
        const auto whole = [](const Span& span) {
            return static_cast<std::size_t>((span.before + span.after + 256) / 128 * 128 + 128);
        };
        const auto start = [](const Span& span) {
            return static_cast<std::size_t>((span.before + 127) / 128 * 128);
        };
        const std::size_t in_size = whole(in) + 128, out_size = whole(out) + 128;
        std::byte* memory = reinterpret_cast<std::byte*>(std::uintptr_t{1} << 40);
        if (real) {
            memory_.reset(static_cast<std::byte*>(
                std::aligned_alloc(128, in_size + (problem.in_place ? 0 : out_size))));
            if (memory_ == nullptr) throw std::bad_alloc();
            std::fill_n(memory_.get(), in_size, std::byte{0});
            memory = memory_.get();
        }
        in_ = memory + start(in) + off;
        out_ = problem.in_place ? in_ : memory + in_size + start(out) + off;
    }
    [[nodiscard]] void* in() const { return in_; }
    [[nodiscard]] void* out() const { return out_; }

private:
    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };
    std::unique_ptr<std::byte, Free> memory_;
    std::byte* in_ = nullptr;
    std::byte* out_ = nullptr;
};

Plan make(const Api& api, const Problem& problem, const Ground& ground, unsigned flags) {
    const std::vector<Dim> axes = dims_of(problem.axes), batch = dims_of(problem.batch);
    const int rank = static_cast<int>(axes.size()), many = static_cast<int>(batch.size());
    switch (problem.operation) {
        case Operation::forward:
        case Operation::inverse:
            return api.plan_guru64_dft(
                rank, axes.data(), many, batch.data(), ground.in(), ground.out(),
                problem.operation == Operation::forward ? forward_sign : backward_sign, flags);
        case Operation::r2c:
            return api.plan_guru64_dft_r2c(rank, axes.data(), many, batch.data(), ground.in(),
                                           ground.out(), flags);
        case Operation::c2r:
            return api.plan_guru64_dft_c2r(rank, axes.data(), many, batch.data(), ground.in(),
                                           ground.out(), flags);
        case Operation::r2r:
            HEALD_EXPECTS(api.plan_guru64_r2r != nullptr && api.execute_r2r != nullptr, unavailable,
                          "[fft] ", api.version, " has no sine and cosine transforms: ",
                          library(problem.float64).spec().remedy);
            return api.plan_guru64_r2r(rank, axes.data(), many, batch.data(), ground.in(),
                                       ground.out(), problem.r2r_kinds.data(), flags);
    }
    return nullptr;
}

template <class T>
void scale_rows(T* p, const std::vector<std::pair<std::int64_t, std::int64_t>>& dims,
                std::size_t depth, T factor) {
    const auto [extent, stride] = dims[depth];
    if (depth + 1 < dims.size()) {
        for (std::int64_t i = 0; i < extent; ++i)
            scale_rows(p + i * stride, dims, depth + 1, factor);
    } else if (stride == 1) {
        for (std::int64_t i = 0; i < extent; ++i) p[i] *= factor;
    } else {
        for (std::int64_t i = 0; i < extent; ++i) p[i * stride] *= factor;
    }
}

/// (extent, stride) of the reals of a result, joined where they continue each other.
std::vector<std::pair<std::int64_t, std::int64_t>> reals_of(const Problem& problem) {
    const std::int64_t parts = problem.real_out() ? 1 : 2;
    std::vector<std::pair<std::int64_t, std::int64_t>> dims;
    for (const Axis& axis : problem.batch) dims.emplace_back(axis.n, axis.out * parts);
    for (std::size_t i = 0; i < problem.axes.size(); ++i)
        dims.emplace_back(problem.out_extent(i), problem.axes[i].out * parts);
    if (parts == 2) dims.emplace_back(2, 1);
    std::erase_if(dims, [](const auto& dim) { return dim.first == 1; });
    std::stable_sort(dims.begin(), dims.end(), [](const auto& a, const auto& b) {
        return std::abs(a.second) > std::abs(b.second);
    });
    std::vector<std::pair<std::int64_t, std::int64_t>> joined;
    for (const auto& dim : dims) {
        if (!joined.empty() && joined.back().second == dim.first * dim.second)
            joined.back() = {joined.back().first * dim.first, dim.second};
        else
            joined.push_back(dim);
    }
    if (joined.empty()) joined.emplace_back(1, 1);
    return joined;
}

}  // namespace

Piece::Piece(const Problem& problem, bool aligned, const Planning& planning)
    : api_(&api(problem.float64)), operation_(problem.operation) {
    const Ground ground(problem, aligned, planning.measure_now);
    unsigned flags = aligned ? 0 : flag_unaligned;
    if (problem.operation == Operation::c2r) {
        const bool keep = problem.axes.size() == 1 && !problem.in_place;
        flags |= keep ? flag_preserve_input : flag_destroy_input;
    }
    Plan plan = nullptr;
    {
        const auto lock = planner_lock();
        if (api_->has_threads) api_->plan_with_nthreads(planning.threads);
        if (planning.measured) {
            plan = make(*api_, problem, ground, flags | flag_measure | flag_wisdom_only);
            if (plan == nullptr && planning.measure_now) {
                if (api_->set_timelimit != nullptr) api_->set_timelimit(most_seconds);
                plan = make(*api_, problem, ground, flags | flag_measure);
            }
            measured_ = plan != nullptr;
        }
        if (plan == nullptr) plan = make(*api_, problem, ground, flags | flag_estimate);
        if (api_->has_threads) api_->plan_with_nthreads(1);
    }
    HEALD_EXPECTS(plan != nullptr, device, "[fft] ", api_->version,
                  " cannot plan this transform of ", problem.axes.size(), " axes");
    plan_ = std::shared_ptr<PlanOpaque>(plan, [api = api_](Plan made) {
        const auto lock = planner_lock();
        api->destroy_plan(made);
    });
}

void Piece::execute(void* in, void* out) const {
    switch (operation_) {
        case Operation::forward:
        case Operation::inverse:
            return api_->execute_dft(plan_.get(), in, out);
        case Operation::r2c:
            return api_->execute_dft_r2c(plan_.get(), in, out);
        case Operation::c2r:
            return api_->execute_dft_c2r(plan_.get(), in, out);
        case Operation::r2r:
            return api_->execute_r2r(plan_.get(), in, out);
    }
}

void scale_output(const Problem& problem, void* out) {
    const auto dims = reals_of(problem);
    if (problem.float64)
        scale_rows(static_cast<double*>(out), dims, 0, problem.scale);
    else
        scale_rows(static_cast<float*>(out), dims, 0, static_cast<float>(problem.scale));
}

}  // namespace heald::fft::fftw
