#include <heald/random.hpp>

#include "src/array/ops/operand.hpp"
#include "src/array/random/draw.hpp"
#include "src/array/random/seed.hpp"
#include "src/base/check.hpp"
#include "src/base/fork.hpp"

#include <array>
#include <limits>
#include <mutex>
#include <vector>

namespace heald {

struct Generator::Sequence {
    ForkMutex mutex;
    State state;
};

Generator::Generator(std::uint64_t seed)
    : Generator([&] {
          const std::array<std::uint32_t, 2> words{static_cast<std::uint32_t>(seed),
                                                   static_cast<std::uint32_t>(seed >> 32)};
          return State{array::key_from_entropy(std::span(words).first(words[1] == 0 ? 1 : 2)), 0,
                       0};
      }()) {}

Generator::Generator(const State& state) : sequence_(std::make_shared<Sequence>()) {
    sequence_->state = state;
}

Generator::State Generator::state() const {
    const std::lock_guard lock(sequence_->mutex);
    return sequence_->state;
}

void Generator::set_state(const State& state) const {
    const std::lock_guard lock(sequence_->mutex);
    sequence_->state = state;
}

Generator::State Generator::take(std::uint64_t blocks) const {
    const std::lock_guard lock(sequence_->mutex);
    const State before = sequence_->state;
    sequence_->state.position += blocks;
    return before;
}

Generator Generator::jumped(std::uint64_t jumps) const {
    State there = state();
    there.stream += jumps;
    return Generator(there);
}

Array Generator::draw(std::string_view distribution, std::optional<Shape> shape, DType dtype,
                      std::span<const Operand> parameters, const Stream& stream) const {
    std::vector<array::UfuncOperand> operands;
    for (const Operand& parameter : parameters) operands.push_back(array::ufunc_operand(parameter));
    return array::draw(*this, distribution, std::move(shape), dtype, operands, stream);
}

Array Generator::random(const Shape& shape, DType dtype, const Stream& stream) const {
    return array::draw(*this, "random", shape, dtype, {}, stream);
}

Array Generator::standard_normal(const Shape& shape, DType dtype, const Stream& stream) const {
    return array::draw(*this, "standard_normal", shape, dtype, {}, stream);
}

Array Generator::standard_exponential(const Shape& shape, DType dtype, const Stream& stream) const {
    return array::draw(*this, "standard_exponential", shape, dtype, {}, stream);
}

Array Generator::integers(std::int64_t low, std::int64_t high, const Shape& shape, DType dtype,
                          const Stream& stream) const {
    HEALD_EXPECTS(low <= high, invalid_value, "[random.integers] low ", low, " is above high ",
                  high);
    const std::uint64_t last = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    const bool narrow = last <= std::numeric_limits<std::uint32_t>::max();
    const std::array<Operand, 2> parameters{Operand(last), Operand(low)};
    return draw(narrow ? "integers" : "long_integers", shape, dtype, parameters, stream);
}

}  // namespace heald
