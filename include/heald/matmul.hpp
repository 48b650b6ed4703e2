#pragma once

#include <heald/array.hpp>
#include <heald/epilogue.hpp>
#include <heald/export.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heald {

namespace plan {
class MatmulPlan;
}

/// The type in which products of elements are taken.
enum class Multiply : std::uint8_t {
    operands,  ///< the operands' own
    tf32,      ///< float32 rounded to 10 bits of mantissa
    float16,
    bfloat16,
};

/// How an algorithm is chosen where a library offers several.
enum class Tuning : std::uint8_t {
    heuristic,  ///< the stored choice if there is one, else the library's first
    measure,    ///< the stored choice, else the fastest, which is then stored
};

/// Shape, dtype and memory order of a matrix operand, (…, rows, columns) or (length,).
struct MatrixType {
    Shape shape;
    DType dtype = DType::float32;
    Shape strides = {};  ///< bytes; empty: C order

    MatrixType(Shape extents, DType type, Shape steps = {})
        : shape(std::move(extents)), dtype(type), strides(std::move(steps)) {}
    MatrixType(const Array& array)  // NOLINT(google-explicit-constructor)
        : shape(array.shape()), dtype(array.dtype()), strides(array.strides()) {}
};

/// What becomes of an operand before it is multiplied.
using Prologue = std::function<Array(const Array&)>;

struct MatmulOptions {
    std::optional<DType> dtype;  ///< of the result; default: the operands' promoted one
    Multiply multiply = Multiply::operands;
    std::optional<DType> accumulate;  ///< default: float32 for 16 bits, else the operands' own
    Epilogue epilogue;
    bool exact = false;  ///< all of the epilogue sees the sum before it is rounded
    Prologue prologue_a{};
    Prologue prologue_b{};
    bool conjugate_a = false;
    bool conjugate_b = false;
    Tuning tuning = Tuning::measure;  ///< matmul() takes heuristic whatever this says
    std::size_t workspace_limit = std::size_t{32} << 20;  ///< bytes of GPU memory for scratch
};

/// An algorithm that a library offers for a plan.
struct MatmulAlgorithm {
    std::string name;
    std::size_t workspace = 0;  ///< bytes
    double milliseconds = 0;    ///< as measured; 0: not measured
    bool chosen = false;
};

/// What execute() takes beside a and b.
struct MatmulArguments {
    std::optional<Array> c;  ///< beta * c is added; with beta = 0 it is not read
    std::complex<double> alpha = 1;
    std::complex<double> beta = 1;
    std::optional<Array> out;
    std::vector<std::pair<std::string, Array>> operands;  ///< of the epilogue, by name
};

/// The product, and what stages of the epilogue gave beside it, in their order.
struct MatmulResult {
    Array result;
    std::vector<std::pair<std::string, Array>> outputs;
};

/// A product of matrices planned for shapes and dtypes: alpha * (a @ b) + beta * c, then an
/// epilogue. A cheap handle that holds no operands and may be used from any thread.
class HEALD_API Matmul {
public:
    /// Throws Error(invalid_value) for shapes that do not fit, Error(type_mismatch) for dtypes that
    /// cannot be multiplied, Error(unavailable) for what the device lacks.
    Matmul(const MatrixType& a, const MatrixType& b, MatmulOptions options = {},
           const Device& device = Device());

    /// Enqueued on the current stream if that is one of the device, else on the default one.
    [[nodiscard]] Array execute(const Array& a, const Array& b) const;
    [[nodiscard]] MatmulResult execute(const Array& a, const Array& b,
                                       const MatmulArguments& arguments) const;

    /// What runs: library, algorithm, what is fused, what is copied or cast, with a line for each.
    [[nodiscard]] std::string explain() const;
    [[nodiscard]] Device device() const;
    [[nodiscard]] const Shape& shape() const;  ///< of the result
    [[nodiscard]] DType dtype() const;         ///< of the result
    [[nodiscard]] double flop() const;         ///< of one product, 2 M N K and so on

    /// Times every algorithm that the library offers, the median of `iterations` runs with the L2
    /// cache flushed before each, keeps the fastest and stores the choice. Waits for the device.
    void autotune(int iterations = 10) const;
    /// For operands in C order; empty where a library chooses by itself.
    [[nodiscard]] std::vector<MatmulAlgorithm> algorithms() const;

    void close();
    [[nodiscard]] bool closed() const noexcept { return plan_ == nullptr; }

private:
    [[nodiscard]] plan::MatmulPlan& plan() const;  ///< throws Error(closed)

    std::shared_ptr<plan::MatmulPlan> plan_;
};

/// From now on products give the same bits at each call, whatever other work runs; returns what
/// held before. On the CPU they always do.
HEALD_API bool set_deterministic(bool wanted) noexcept;
[[nodiscard]] HEALD_API bool deterministic() noexcept;

/// NumPy's matmul, (…, M, K) @ (…, K, N); an operand with one axis is a row or a column, whose axis
/// the result does not have. Operands are promoted; plans come from a cache.
[[nodiscard]] HEALD_API Array matmul(const Array& a, const Array& b);
/// With options and everything that execute() takes. A plan with functions of the user's is made
/// for each call: hold a Matmul instead.
[[nodiscard]] HEALD_API MatmulResult matmul(const Array& a, const Array& b,
                                            const MatmulOptions& options,
                                            const MatmulArguments& arguments = {});

}  // namespace heald
