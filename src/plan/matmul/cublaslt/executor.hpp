#pragma once

#include "src/plan/matmul/cublaslt/api.hpp"
#include "src/plan/matmul/cublaslt/problem.hpp"
#include "src/plan/matmul/provider.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace heald::cublaslt {

/// An algorithm and what it was found to be.
struct Algorithm {
    MatmulAlgo algo{};
    std::size_t workspace = 0;
    double milliseconds = 0;  ///< 0: not measured
};

/// Products of one problem through cuBLASLt.
class Executor final : public plan::MatmulExecutor {
public:
    Executor(const plan::MatmulProblem& problem, const Types& types, const Fused& fused,
             const Layout& a, const Layout& b, const Stream& stream);
    ~Executor() override;

    /// Descriptors and an algorithm. False: cuBLASLt has none; `why` says so.
    [[nodiscard]] bool prepare(const Stream& stream, std::string& why);
    /// Times the algorithms and keeps the fastest.
    void measure(const Stream& stream);

    void enqueue(const plan::MatmulBuffers& buffers, const Stream& stream) override;
    [[nodiscard]] std::string describe() const override;
    [[nodiscard]] std::size_t fused_stages() const override { return fused_.stages; }
    void autotune(const Stream& stream, int iterations) override;
    [[nodiscard]] std::vector<MatmulAlgorithm> algorithms() const override;

private:
    /// Addresses of one execution.
    struct Call {
        const char* a = nullptr;
        const char* b = nullptr;
        const char* c = nullptr;
        char* d = nullptr;
        const void* bias = nullptr;
        alignas(16) char alpha[16] = {};
        alignas(16) char beta[16] = {};
        void* workspace = nullptr;
    };

    void make_descriptors();
    [[nodiscard]] std::vector<Algorithm> candidates(std::uint32_t alignment, int most,
                                                    Status& status) const;
    [[nodiscard]] bool take_stored(const std::string& choice);
    void choose_for_alignment(std::uint32_t alignment);
    void write_scalar(char* to, std::complex<double> value) const;
    [[nodiscard]] Status run(const Call& call, const Algorithm& algorithm, CudaStream stream);
    [[nodiscard]] Array workspace_for(const Stream& stream, std::size_t bytes);

    plan::MatmulProblem problem_;
    Types types_;
    Fused fused_;
    Layout a_layout_, b_layout_;
    std::string device_;
    Handle handle_ = nullptr;
    MatmulDesc description_ = nullptr;
    MatrixLayout a_ = nullptr, b_ = nullptr, d_ = nullptr;

    Shape outer_;  ///< products that take a call each
    Shape outer_a_, outer_b_, outer_d_;

    mutable std::mutex mutex_;  ///< of the bias's address, the workspaces and the algorithms
    std::vector<Algorithm> algorithms_;
    std::size_t chosen_ = 0;
    std::vector<Algorithm> unaligned_;  ///< the choice for operands at odd addresses
    bool from_store_ = false;
    struct Workspace {
        std::uint64_t stream = 0;
        Array memory;
    };
    std::vector<Workspace> workspaces_;
};

}  // namespace heald::cublaslt
