#include "src/plan/matmul/provider.hpp"
#include "src/plan/matmul/cublaslt/executor.hpp"

namespace heald::plan {
namespace {

/// Below this a difference between algorithms is lost in what a call costs.
constexpr double flop_worth_measuring = 1e9;

std::unique_ptr<MatmulExecutor> make(const MatmulProblem& problem, const Stream& stream,
                                     std::string& why) {
    const auto types = cublaslt::types_of(problem);
    if (!types) {
        why = "cuBLASLt does not multiply these dtypes";
        return nullptr;
    }
    const auto a = cublaslt::layout_of(problem.a_steps, problem.m, problem.k, problem.conjugate_a);
    const auto b = cublaslt::layout_of(problem.b_steps, problem.k, problem.n, problem.conjugate_b);
    if (!a || !b) {
        why = "cuBLASLt conjugates only what it transposes";
        return nullptr;
    }
    // As much of the chain as one call does.
    for (std::size_t most = problem.stages.size();; --most) {
        const cublaslt::Fused fused = cublaslt::fused_stages(problem, most);
        if (fused.stages == most) {
            auto executor =
                std::make_unique<cublaslt::Executor>(problem, *types, fused, *a, *b, stream);
            if (executor->prepare(stream, why)) {
                if (problem.tuning == Tuning::measure && problem.flop() >= flop_worth_measuring &&
                    executor->algorithms().size() > 1)
                    executor->measure(stream);
                return executor;
            }
        }
        if (most == 0) return nullptr;
    }
}

}  // namespace

const MatmulProvider& cublaslt_provider() {
    static const MatmulProvider provider{"cuBLASLt", DeviceKind::cuda, cublaslt::missing, make};
    return provider;
}

}  // namespace heald::plan
