#pragma once

// Kernels of one's own on arrays, written as an expression of an element.

#include <heald/array.hpp>
#include <heald/export.hpp>
#include <heald/operations.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heald {

namespace array {
class UserElementwise;
class UserReduction;
}  // namespace array

/// CUDA C++ for each element, as CuPy's ElementwiseKernel: parameters "T x, float32 y, raw T table"
/// (a letter stands for the dtype of its argument), outputs "T z", and statements "z = x * y + 1".
/// A call records the operation, and it is fused with others; with a raw parameter it is enqueued
/// at once. `i` is the element's number in C order, `n` their count, `_ind` its coordinates.
class HEALD_API ElementwiseFunction {
public:
    /// Throws Error(invalid_value) for parameters that cannot be read.
    ElementwiseFunction(std::string_view inputs, std::string_view outputs, std::string operation,
                        std::string name = "elementwise", std::string preamble = "");

    /// One array for each output. Throws CompileError with the lines of `operation`.
    [[nodiscard]] std::vector<Array> operator()(std::span<const Operand> inputs) const;
    [[nodiscard]] const std::shared_ptr<const array::UserElementwise>& state() const noexcept {
        return state_;
    }

private:
    std::shared_ptr<const array::UserElementwise> state_;
};

/// A reduction as CuPy's ReductionKernel: `map` is an expression of the inputs, `reduce` one of two
/// values `a` and `b` (which must not depend on their order), `post` statements that give the
/// output from `a`, `identity` what a fold of nothing is.
class HEALD_API ReductionFunction {
public:
    ReductionFunction(std::string_view inputs, std::string_view output, std::string map,
                      std::string reduce, std::string post, std::string identity,
                      std::string name = "reduction", std::string reduce_type = "",
                      std::string preamble = "");

    /// Over `axes`, or all.
    [[nodiscard]] Array operator()(std::span<const Operand> inputs,
                                   std::optional<std::vector<int>> axes = std::nullopt,
                                   bool keep_axes = false) const;
    [[nodiscard]] const std::shared_ptr<const array::UserReduction>& state() const noexcept {
        return state_;
    }

private:
    std::shared_ptr<const array::UserReduction> state_;
};

}  // namespace heald
