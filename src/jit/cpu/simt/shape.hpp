#pragma once

// How a scalar value of the kernel looks across the lanes of a warp.

#include <cstdint>

namespace heald::cpu::simt {

/// The value of lane l is value(lane 0) + l * stride, modulo 2^bits of its type (stride 0:
/// uniform), or anything (varying). `unknown` is the optimistic start of the analysis.
///
/// Lane 0's value is congruent to `residue` modulo 2^`known_bits`.
///
/// A *guarded* value is strided only if a flag that is computed at run time says so: it came out of
/// an extension of a narrower value that may wrap around within the warp. Memory accesses branch on
/// the flag; every other use sees it as varying.
class Shape {
public:
    static constexpr unsigned max_known_bits = 48;

    static Shape uniform(unsigned known_bits = 0, std::uint64_t residue = 0) {
        return strided(0, known_bits, residue);
    }
    static Shape constant(std::uint64_t value) { return uniform(max_known_bits, value); }
    static Shape strided(std::int64_t stride, unsigned known_bits = 0, std::uint64_t residue = 0);
    static Shape varying();
    static Shape guarded(std::int64_t stride);

    bool known() const { return kind_ != Kind::unknown; }
    bool is_varying() const { return kind_ == Kind::varying; }
    bool is_uniform() const { return kind_ == Kind::strided && stride_ == 0 && !guarded_; }
    /// Strided without a run-time condition; uniform values are.
    bool is_strided() const { return kind_ == Kind::strided && !guarded_; }
    bool is_guarded() const { return guarded_; }
    /// Has a scalar representation: strided or guarded.
    bool has_base() const { return kind_ == Kind::strided; }

    std::int64_t stride() const { return stride_; }
    unsigned known_bits() const { return known_bits_; }
    std::uint64_t residue() const { return residue_; }

    /// Whether all lanes have the same bits above the lowest `low_bits` ones.
    bool same_above(unsigned low_bits, unsigned lanes) const;

    /// The shape that covers both.
    Shape join(const Shape& other) const;

    Shape plus(const Shape& other) const;
    Shape minus(const Shape& other) const;
    Shape times(std::int64_t factor) const;
    /// Strides and residues of a type with `bits` bits.
    Shape truncated(unsigned bits) const;

    bool operator==(const Shape&) const = default;

private:
    enum class Kind : std::uint8_t { unknown, strided, varying };

    Kind kind_ = Kind::unknown;
    bool guarded_ = false;
    std::uint8_t known_bits_ = 0;
    std::int64_t stride_ = 0;
    std::uint64_t residue_ = 0;
};

}  // namespace heald::cpu::simt
