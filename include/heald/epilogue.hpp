#pragma once

#include <heald/array.hpp>
#include <heald/export.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace heald {

/// What a stage of an epilogue does with the accumulator x, (…, M, N).
enum class EpilogueMember : std::uint8_t {
    scale,          ///< x * value
    bias,           ///< x + operand, which broadcasts: (N,), (1, N), (M, 1), (M, N), (…, M, N)
    residual,       ///< x + operand of the whole shape
    multiply,       ///< x * operand, which broadcasts: a gate, a row or column scale
    relu,           ///< max(x, 0); NaN stays
    gelu,           ///< x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
    gelu_erf,       ///< x/2 (1 + erf(x / sqrt(2)))
    silu,           ///< x / (1 + exp(-x))
    sigmoid,        ///< 1 / (1 + exp(-x))
    tanh,           ///< tanh(x)
    leaky_relu,     ///< x if x > 0, else value * x
    clamp,          ///< between two values
    cast,           ///< rounded to a dtype
    dropout,        ///< x / (1 - p), or 0 with probability p
    relu_aux,       ///< relu, and x > 0 as an array of bools beside the result
    gelu_aux,       ///< gelu, and x beside the result
    drelu,          ///< x where the operand (relu_aux's) is true, else 0
    dgelu,          ///< x times the derivative of gelu at the operand (gelu_aux's)
    bias_gradient,  ///< x, and its sum over rows, (N,), beside the result
    amax,           ///< x, and the largest |x|, a scalar, beside the result
    function,       ///< a function of the user's
    count,
};

/// What a function of the user's computes from the accumulator and the operands of its names.
using EpilogueFunction =
    std::function<Array(const Array& accumulator, std::span<const Array> operands)>;

/// One stage: a member, its numbers and the names of the operands that execute() is given.
struct EpilogueStage {
    EpilogueMember member = EpilogueMember::relu;
    std::array<double, 2> values{};     ///< scale; slope; bounds; probability
    std::uint64_t seed = 0;             ///< of dropout
    DType dtype = DType::float32;       ///< of cast
    std::vector<std::string> operands;  ///< names
    std::vector<Shape> operand_shapes;  ///< as planned; an empty one of a bias means (N,)
    std::string output;                 ///< name of what it gives beside the result; "": nothing
    EpilogueFunction function{};        ///< of `function`
};

/// What becomes of a product before it is stored: stages, one after another.
class HEALD_API Epilogue {
public:
    Epilogue() = default;
    Epilogue(EpilogueStage stage);  // NOLINT(google-explicit-constructor)

    [[nodiscard]] const std::vector<EpilogueStage>& stages() const noexcept { return stages_; }
    [[nodiscard]] bool empty() const noexcept { return stages_.empty(); }

    /// This chain, then `next`.
    [[nodiscard]] Epilogue operator+(const Epilogue& next) const;

    static Epilogue scale(double value);
    /// `shape`: of the bias, (N,) if it is empty.
    static Epilogue bias(Shape shape = {}, std::string name = "bias");
    static Epilogue residual(std::string name = "residual");
    static Epilogue multiply(Shape shape, std::string name);
    static Epilogue activation(EpilogueMember member);
    static Epilogue leaky_relu(double slope = 0.01);
    static Epilogue clamp(double low, double high);
    static Epilogue cast(DType dtype);
    /// Each element is dropped with `probability`; which ones depends on `seed` and its place
    /// alone.
    static Epilogue dropout(double probability, std::uint64_t seed);
    static Epilogue relu_aux(std::string output = "relu_aux");
    static Epilogue gelu_aux(std::string output = "gelu_aux");
    static Epilogue drelu(std::string name = "relu_aux");
    static Epilogue dgelu(std::string name = "gelu_aux");
    static Epilogue bias_gradient(std::string output = "bias_gradient");
    static Epilogue amax(std::string output = "amax");
    /// `shapes` of the operands, in the order of `names`; an empty one: any that broadcasts.
    static Epilogue function(EpilogueFunction function, std::vector<std::string> names = {},
                             std::vector<Shape> shapes = {});

private:
    std::vector<EpilogueStage> stages_;
};

}  // namespace heald
