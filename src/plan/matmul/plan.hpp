#pragma once

#include <heald/matmul.hpp>

#include "src/base/fork.hpp"
#include "src/plan/matmul/provider.hpp"
#include "src/plan/matmul/types.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heald::plan {

/// What Matmul holds: everything that shapes and dtypes decide, and an executor for each memory
/// order that came by.
class MatmulPlan {
public:
    MatmulPlan(const MatrixType& a, const MatrixType& b, MatmulOptions options,
               const Device& device);

    [[nodiscard]] MatmulResult execute(const Array& a, const Array& b,
                                       const MatmulArguments& arguments);
    [[nodiscard]] std::string explain();
    /// Finds the library for operands in C order, and measures if the options say so.
    void prepare();
    void autotune(int iterations);
    [[nodiscard]] std::vector<MatmulAlgorithm> algorithms();

    [[nodiscard]] const Device& device() const noexcept { return device_; }
    [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
    [[nodiscard]] DType dtype() const noexcept { return dtype_; }
    [[nodiscard]] double flop() const noexcept;
    [[nodiscard]] const MatmulOptions& options() const noexcept { return options_; }

private:
    /// A way to compute the product for one memory order.
    struct Way {
        std::vector<std::int64_t> key;
        MatmulTypes types;
        std::shared_ptr<MatmulExecutor> executor;  ///< null: the plain kernel
        bool conjugates_first = false;             ///< by an operation of its own
        bool folds_rows = false;                   ///< products are joined into rows of one
        std::string notes;                         ///< why libraries did not take it
    };
    /// One execution: operands as the libraries see them, (batch…, m, k) and so on.
    struct Operation {
        Array a, b;
        const Array* c = nullptr;
        Array c_matrix;
        std::vector<std::vector<Array>> operands;  ///< of every stage
        std::complex<double> alpha = 1;
        std::complex<double> beta = 0;
        Array out;  ///< of the result's shape; without a buffer: none
    };

    [[nodiscard]] bool is_empty() const;
    /// Every way so far, at least that for operands in C order; none for an empty product.
    [[nodiscard]] std::vector<std::shared_ptr<const Way>> some_ways();
    void check_shapes(const MatrixType& a, const MatrixType& b);
    void check_stages();
    void check_operand(const char* name, const Array& array, const Shape& shape, DType dtype) const;
    [[nodiscard]] Operation operation(const Array& a, const Array& b,
                                      const MatmulArguments& arguments) const;
    [[nodiscard]] std::vector<Array> stage_operands(std::size_t stage,
                                                    const MatmulArguments& arguments) const;
    [[nodiscard]] Array core_shaped(const Array& operand, const std::string& name,
                                    const Shape& planned) const;
    [[nodiscard]] std::shared_ptr<const Way> way_for(const Operation& operation,
                                                     const Stream& stream);
    [[nodiscard]] std::shared_ptr<const Way> make_way(const Operation& operation,
                                                      std::vector<std::int64_t> key,
                                                      const Stream& stream);
    [[nodiscard]] bool try_way(Way& way, const Operation& operation, const Stream& stream) const;
    [[nodiscard]] Array multiplied(const Way& way, const Operation& operation, const Stream& stream,
                                   std::size_t& stages_done) const;
    [[nodiscard]] MatmulResult finished(Array value, std::size_t stages_done,
                                        const Operation& operation) const;
    [[nodiscard]] Array empty_sum(const Operation& operation, const Stream& stream) const;

    Device device_;
    MatmulOptions options_;
    Shape a_shape_, b_shape_;
    DType a_dtype_, b_dtype_;
    Shape shape_;       ///< of the result as the user sees it
    Shape core_shape_;  ///< with both axes of the matrices
    DType dtype_ = DType::float32;
    std::int64_t m_ = 0, n_ = 0, k_ = 0;
    Shape batch_;

    ForkMutex mutex_;
    std::vector<std::shared_ptr<const Way>> ways_;
};

}  // namespace heald::plan
