#pragma once

#include "src/array/lazy/iteration.hpp"
#include "src/array/lazy/node.hpp"
#include "src/array/lazy/plan.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heald::array {

/// A value in a kernel: of a step, or loaded, or an argument.
struct Ref {
    enum class Kind : std::uint8_t { step, input, scalar };
    Kind kind = Kind::step;
    std::uint16_t index = 0;

    bool operator==(const Ref&) const = default;
};

constexpr std::size_t most_operands = 16;  ///< of an elementwise operation

/// One operation of a kernel.
struct Step {
    const Ufunc* ufunc = nullptr;
    DType loop = DType::float32;
    DType result = DType::float32;
    std::array<Ref, most_operands> operands{};  ///< as many as the ufunc has
    std::array<DType, most_operands> operand_dtypes{};

    [[nodiscard]] std::size_t count() const noexcept {
        return static_cast<std::size_t>(ufunc->operands);
    }
    bool operator==(const Step&) const = default;
};

// Instead of the number of a range's scalars: element i, or i + first, is i itself.
constexpr std::uint16_t counted_from_zero = 0xFFFF, counted = 0xFFFE;

/// Elements that a kernel reads: memory, or a range that is computed.
struct Input {
    Array array;
    DType dtype = DType::float32;
    const Node* range = nullptr;  ///< start and step are scalars range_scalars, …+1
    std::uint16_t range_scalar = 0;
};

struct ScalarInput {
    DType dtype = DType::float32;
    Value value;
};

struct Output {
    const Node* node = nullptr;
    Ref value;
    Shape strides = {};  ///< bytes
    Array target = {};   ///< where it goes if that is not memory of its own
};

/// A group as a list of steps without repetitions: the kernel's text depends on this and on the
/// iteration, not on addresses, extents or values.
struct Lowered {
    std::vector<Input> inputs;
    std::vector<ScalarInput> scalars;
    std::vector<Step> steps;
    std::vector<Output> outputs;  ///< elementwise ones
    std::vector<Output> folded;   ///< reductions: the value that is folded
    bool in_place = false;        ///< an output goes where an input lies
};

[[nodiscard]] Lowered lower(const Group& group);

/// Strides in elements of what the kernel reads and writes: outputs first, then inputs.
[[nodiscard]] std::vector<Shape> operand_strides(const Lowered& lowered);

}  // namespace heald::array
