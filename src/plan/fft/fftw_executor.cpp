#include "src/array/host_work.hpp"
#include "src/array/lazy/background.hpp"
#include "src/base/check.hpp"
#include "src/plan/fft/executor.hpp"
#include "src/plan/fft/fftw_passes.hpp"
#include "src/plan/fft/measured_plans.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace heald::fft {
namespace {

using fftw::Pass;
using fftw::Piece;
using fftw::Place;

/// Plans of one pass for one alignment.
struct PlannedPass {
    Pass pass;
    Piece part;
    Piece rest;

    void run(std::int64_t piece, std::byte* in, std::byte* out) const {
        in += piece * pass.in_step;
        out += piece * pass.out_step;
        const bool last = piece + 1 == pass.pieces && rest;
        (last ? rest : part).execute(in, out);
        const Problem& problem = last ? pass.rest : pass.part;
        if (problem.scale != 1) fftw::scale_output(problem, out);
    }
};

struct Planned {
    std::vector<PlannedPass> passes;
    bool measured = true;
};

/// A result that one transform of all threads gave is scaled by all of them afterwards.
struct ScaledParts {
    Problem problem;
    std::int64_t pieces = 1;
    std::int64_t step = 0;

    explicit ScaledParts(const Problem& whole, std::int64_t threads) : problem(whole) {
        Axis& axis = problem.axes.front();
        const std::int64_t extent = whole.out_extent(0);
        const std::int64_t length = (extent + threads * 4 - 1) / (threads * 4);
        pieces = (extent + length - 1) / length;
        step = length * axis.out * whole.out_bytes();
        // What is scaled has no halved axis.
        problem.operation = whole.real_out() ? Operation::r2r : Operation::forward;
        axis.n = length;
        rest_ = extent - (pieces - 1) * length;
    }
    void run(std::int64_t piece, std::byte* out) const {
        Problem part = problem;
        if (piece + 1 == pieces) part.axes.front().n = rest_;
        fftw::scale_output(part, out + piece * step);
    }

private:
    std::int64_t rest_ = 0;
};

class FftwExecutor final : public Executor, public std::enable_shared_from_this<FftwExecutor> {
public:
    FftwExecutor(const Problem& problem, const DeviceProperties& properties)
        : problem_(problem),
          threads_(properties.multiprocessor_count),
          machine_(properties.name),
          api_(fftw::api(problem.float64)),
          passes_(fftw::divide(problem, threads_)) {}

    void run(const Array& in, const Array& out, const Stream& stream) override {
        auto* from = static_cast<std::byte*>(in.data());
        auto* to = static_cast<std::byte*>(out.data());
        const bool aligned = api_.misalignment(from) == 0 && api_.misalignment(to) == 0;
        const std::shared_ptr<const Planned> planned = plans(aligned);
        Array scratch;
        std::byte* between = nullptr;
        if (passes_.scratch != 0) {
            const DType dtype = problem_.float64 ? DType::complex128 : DType::complex64;
            scratch = Array({passes_.scratch}, dtype, stream);
            between = static_cast<std::byte*>(scratch.data());
        }
        const auto address = [&](Place place) {
            return place == Place::in ? from : place == Place::out ? to : between;
        };
        for (std::size_t i = 0; i < planned->passes.size(); ++i) {
            const PlannedPass& one = planned->passes[i];
            array::HostWork work(stream);
            if (one.pass.from == Place::in) work.read(in);
            if (one.pass.to == Place::out) work.write(out);
            if (between != nullptr) work.write(scratch);
            const bool scaled_apart = one.pass.threads > 1 && one.pass.whole.scale != 1;
            work.run(one.pass.pieces, passes_.short_work,
                     [planned, i, scaled_apart, a = address(one.pass.from),
                      b = address(one.pass.to)](std::int64_t piece) {
                         const PlannedPass& own = planned->passes[i];
                         scaled_apart ? own.part.execute(a, b) : own.run(piece, a, b);
                     });
            if (!scaled_apart) continue;
            const ScaledParts parts(one.pass.whole, threads_);
            array::HostWork scaling(stream);
            scaling.write(out);
            scaling.run(parts.pieces, false,
                        [parts, to](std::int64_t piece) { parts.run(piece, to); });
        }
        if (!planned->measured) consider_measuring(aligned);
    }

    [[nodiscard]] std::size_t workspace_bytes() const noexcept override {
        return static_cast<std::size_t>(passes_.scratch) * (problem_.float64 ? 16 : 8);
    }

    [[nodiscard]] std::string describe() const override {
        std::string result = api_.version;
        for (const Pass& pass : passes_.list) {
            result += text("\n  pass over ", pass.whole.axes.size(),
                           pass.whole.axes.size() == 1 ? " axis: " : " axes: ", pass.pieces,
                           pass.pieces == 1 ? " piece" : " pieces");
            if (pass.threads > 1) result += text(" on ", pass.threads, " threads of the library");
            if (pass.whole.scale != 1)
                result += pass.threads > 1 ? ", scaled afterwards" : ", scaled in the cache";
        }
        return result;
    }

private:
    using Shared = std::shared_ptr<const Planned>;

    [[nodiscard]] Shared plans(bool aligned) {
        std::atomic<Shared>& kept = plans_[aligned];
        if (Shared found = kept.load(std::memory_order_acquire)) return found;
        Shared made = make(aligned, false);
        kept.store(made, std::memory_order_release);
        return made;
    }

    [[nodiscard]] Shared make(bool aligned, bool measure_now) const {
        auto planned = std::make_shared<Planned>();
        fftw::load_wisdom(problem_.float64, machine_);
        for (const Pass& pass : passes_.list) {
            const bool in_step = pass.in_step % 64 == 0 && pass.out_step % 64 == 0;
            const bool same = (aligned || pass.from == pass.to) || pass.from == Place::scratch;
            const fftw::Planning planning{
                .measured = fftw::planning() != fftw::Effort::estimate,
                .measure_now = measure_now || fftw::planning() == fftw::Effort::measure,
                .threads = pass.threads};
            const bool fits = aligned && in_step && same;
            PlannedPass& one = planned->passes.emplace_back();
            one.pass = pass;
            one.part = Piece(pass.part, fits, planning);
            if (pass.pieces > 1 && !(pass.rest.batch == pass.part.batch))
                one.rest = Piece(pass.rest, fits, planning);
            planned->measured &= one.part.measured();
        }
        return planned;
    }

    /// A plan that is used often is worth measuring, on a thread beside.
    void consider_measuring(bool aligned) {
        if (fftw::planning() != fftw::Effort::automatic) return;
        if (uses_[aligned].fetch_add(1, std::memory_order_relaxed) + 1 != fftw::uses_to_measure)
            return;
        array::run_in_background([self = shared_from_this(), aligned] {
            self->plans_[aligned].store(self->make(aligned, true), std::memory_order_release);
            fftw::save_wisdom(self->problem_.float64, self->machine_);
        });
    }

    Problem problem_;
    std::int64_t threads_;
    std::string machine_;
    const fftw::Api& api_;
    fftw::Passes passes_;
    std::atomic<Shared> plans_[2];
    std::atomic<int> uses_[2]{};
};

}  // namespace

std::shared_ptr<Executor> make_fftw_executor(core::DeviceState& device, const Problem& problem) {
    return std::make_shared<FftwExecutor>(problem, device.backend().properties());
}

}  // namespace heald::fft
