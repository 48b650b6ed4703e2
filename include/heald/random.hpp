#pragma once

// Random numbers on a device: recorded like other operations on arrays, and computed in the kernel
// that reads them.

#include <heald/array.hpp>
#include <heald/export.hpp>
#include <heald/operations.hpp>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace heald {

/// A sequence of random numbers: Philox 4x32-10, whose words are a function of a key and a counter.
/// Element i of an array depends on the state before the call and on i, not on the device, threads
/// or other operations. Copies are handles of one sequence, which threads may share: each call
/// takes numbers of its own.
class HEALD_API Generator {
public:
    struct State {
        std::uint64_t key = 0;
        std::uint64_t stream = 0;    ///< high half of the counter
        std::uint64_t position = 0;  ///< low half: blocks of four words

        bool operator==(const State&) const = default;
    };

    /// The key is mixed from the seed as NumPy's SeedSequence does.
    explicit Generator(std::uint64_t seed);
    explicit Generator(const State& state);

    [[nodiscard]] State state() const;
    void set_state(const State& state) const;
    /// Another sequence that overlaps this one only after 2^64 blocks: `jumps` streams further.
    [[nodiscard]] Generator jumped(std::uint64_t jumps = 1) const;

    /// In [0, 1): multiples of 2^-53 (float64), 2^-24 (float32), 2^-11 (float16), 2^-8 (bfloat16).
    [[nodiscard]] Array random(const Shape& shape, DType dtype = DType::float64,
                               const Stream& stream = Stream::current()) const;
    /// Mean 0, variance 1, by Box and Muller's method.
    [[nodiscard]] Array standard_normal(const Shape& shape, DType dtype = DType::float64,
                                        const Stream& stream = Stream::current()) const;
    /// Mean 1.
    [[nodiscard]] Array standard_exponential(const Shape& shape, DType dtype = DType::float64,
                                             const Stream& stream = Stream::current()) const;
    /// From `low` to `high`, both included, each equally often. Of 32-bit words if the range is
    /// below 2^32, else of 64-bit ones.
    [[nodiscard]] Array integers(std::int64_t low, std::int64_t high, const Shape& shape,
                                 DType dtype = DType::int64,
                                 const Stream& stream = Stream::current()) const;
    /// By name: random, standard_normal, standard_exponential, words, integers, long_integers
    /// (parameters high - low and low), standard_gamma (shape), beta (a, b), poisson (mean),
    /// binomial (n, p). Parameters broadcast to `shape`, or without one to the result's.
    [[nodiscard]] Array draw(std::string_view distribution, std::optional<Shape> shape, DType dtype,
                             std::span<const Operand> parameters,
                             const Stream& stream = Stream::current()) const;

    /// The state before the next `blocks` counters, which are used up.
    [[nodiscard]] State take(std::uint64_t blocks) const;

private:
    struct Sequence;
    std::shared_ptr<Sequence> sequence_;
};

}  // namespace heald
