#pragma once

#include <heald/array.hpp>
#include <heald/epilogue.hpp>
#include <heald/matmul.hpp>
#include <heald/stream.hpp>

#include "src/plan/matmul/layout.hpp"

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heald::plan {

/// A stack of products as a library is asked for it: d = alpha a b + beta c, then stages. Every
/// matrix has an order (order_of).
struct MatmulProblem {
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    Shape batch;  ///< extents; none for one product
    DType a = DType::float32;
    DType b = DType::float32;
    DType d = DType::float32;  ///< of c too
    MatrixSteps a_steps, b_steps, c_steps, d_steps;
    bool conjugate_a = false;
    bool conjugate_b = false;
    bool has_c = false;
    Multiply multiply = Multiply::operands;
    DType accumulate = DType::float32;
    std::span<const EpilogueStage> stages;  ///< all of the chain; a prefix may be fused
    std::span<const std::vector<Array>> stage_operands;  ///< broadcast to (…, m, n)
    std::complex<double> alpha = 1;
    std::complex<double> beta = 0;
    std::size_t workspace_limit = 0;
    bool deterministic = false;
    Tuning tuning = Tuning::heuristic;

    [[nodiscard]] std::int64_t products() const noexcept {
        std::int64_t count = 1;
        for (const std::int64_t extent : batch) count *= extent;
        return count;
    }
    /// Multiplications and additions.
    [[nodiscard]] double flop() const noexcept {
        const double steps = static_cast<double>(m) * static_cast<double>(n) *
                             static_cast<double>(k) * static_cast<double>(products());
        return (info(d).kind == DTypeKind::complex ? 8 : 2) * steps;
    }
};

/// Memory of one execution. Strides are the problem's.
struct MatmulBuffers {
    const Array& a;
    const Array& b;
    const Array* c;  ///< null without one
    const Array& d;
    std::complex<double> alpha = 1;
    std::complex<double> beta = 0;
    std::span<const std::vector<Array>> stage_operands;
};

/// A problem made ready by one library. May run from several threads at once.
class MatmulExecutor {
public:
    virtual ~MatmulExecutor() = default;
    virtual void enqueue(const MatmulBuffers& buffers, const Stream& stream) = 0;
    [[nodiscard]] virtual std::string describe() const = 0;
    /// Stages of the problem's chain that enqueue() applies, from the first.
    [[nodiscard]] virtual std::size_t fused_stages() const { return 0; }
    /// False: enqueue() can be used for the alpha and beta of the problem alone.
    [[nodiscard]] virtual bool any_scalars() const { return true; }
    /// Times what the library offers, `iterations` each, and keeps the fastest.
    virtual void autotune(const Stream& /*stream*/, int /*iterations*/) {}
    [[nodiscard]] virtual std::vector<MatmulAlgorithm> algorithms() const { return {}; }
};

/// A library that multiplies matrices on one kind of device.
struct MatmulProvider {
    const char* name;
    DeviceKind device;
    /// "" if the library is there, else why not and what to install.
    std::string (*missing)();
    /// Null if it does not do such a problem; `why` says why.
    std::unique_ptr<MatmulExecutor> (*make)(const MatmulProblem& problem, const Stream& stream,
                                            std::string& why);
};

/// Best first.
[[nodiscard]] std::span<const MatmulProvider> matmul_providers();

[[nodiscard]] const MatmulProvider& cublaslt_provider();
[[nodiscard]] const MatmulProvider& onednn_provider();
[[nodiscard]] const MatmulProvider& blas_provider();

}  // namespace heald::plan
