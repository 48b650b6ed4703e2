#pragma once

#include "src/plan/fft/fftw_api.hpp"
#include "src/plan/fft/problem.hpp"

#include <cstdint>
#include <memory>

namespace heald::fft::fftw {

/// How much the planner tries.
struct Planning {
    bool measured = false;  ///< only with wisdom there, unless `measure_now`
    bool measure_now = false;
    int threads = 1;  ///< of FFTW's own
};

/// A plan of FFTW's for transforms between two addresses and any other addresses of the same
/// alignment. Moves; destroyed under the planner's lock.
class Piece {
public:
    Piece() = default;
    /// `aligned`: both sides are as FFTW wants them. Throws Error(device) if the library cannot
    /// plan the problem.
    Piece(const Problem& problem, bool aligned, const Planning& planning);

    void execute(void* in, void* out) const;
    [[nodiscard]] explicit operator bool() const noexcept { return plan_ != nullptr; }
    [[nodiscard]] bool measured() const noexcept { return measured_; }

private:
    const Api* api_ = nullptr;
    Operation operation_ = Operation::forward;
    bool measured_ = false;
    std::shared_ptr<PlanOpaque> plan_;
};

/// Multiplies the result of a piece.
void scale_output(const Problem& problem, void* out);

}  // namespace heald::fft::fftw
