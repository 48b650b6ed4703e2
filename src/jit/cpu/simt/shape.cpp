#include "src/jit/cpu/simt/shape.hpp"

#include <algorithm>
#include <bit>

namespace heald::cpu::simt {
namespace {

std::uint64_t low_mask(unsigned bits) {
    return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

std::int64_t wrapping(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

}  // namespace

Shape Shape::strided(std::int64_t stride, unsigned known_bits, std::uint64_t residue) {
    Shape shape;
    shape.kind_ = Kind::strided;
    shape.stride_ = stride;
    shape.known_bits_ = static_cast<std::uint8_t>(std::min(known_bits, max_known_bits));
    shape.residue_ = residue & low_mask(shape.known_bits_);
    return shape;
}

Shape Shape::varying() {
    Shape shape;
    shape.kind_ = Kind::varying;
    return shape;
}

Shape Shape::guarded(std::int64_t stride) {
    Shape shape = strided(stride);
    shape.guarded_ = true;
    return shape;
}

bool Shape::same_above(unsigned low_bits, unsigned lanes) const {
    if (!is_strided()) return false;
    if (stride_ == 0) return true;
    // Lanes that agree above fewer bits agree above these as well.
    low_bits = std::min<unsigned>({low_bits, known_bits_, 40});
    if (stride_ > (1LL << 40) || stride_ < -(1LL << 40)) return false;
    const auto first = static_cast<std::int64_t>(residue_ & low_mask(low_bits));
    const std::int64_t last = first + stride_ * static_cast<std::int64_t>(lanes - 1);
    return last >= 0 && last <= static_cast<std::int64_t>(low_mask(low_bits));
}

Shape Shape::join(const Shape& other) const {
    if (!known()) return other;
    if (!other.known()) return *this;
    if (is_varying() || other.is_varying() || stride_ != other.stride_) return varying();
    if (guarded_ || other.guarded_) return guarded(stride_);
    const unsigned common = std::min(known_bits_, other.known_bits_);
    const std::uint64_t differing = (residue_ ^ other.residue_) & low_mask(common);
    const unsigned agreeing =
        differing == 0 ? common : static_cast<unsigned>(std::countr_zero(differing));
    return strided(stride_, agreeing, residue_);
}

Shape Shape::plus(const Shape& other) const {
    if (is_varying() || other.is_varying()) return varying();
    const std::int64_t stride =
        wrapping(static_cast<std::uint64_t>(stride_) + static_cast<std::uint64_t>(other.stride_));
    if (guarded_ || other.guarded_) return guarded(stride);
    return strided(stride, std::min(known_bits_, other.known_bits_), residue_ + other.residue_);
}

Shape Shape::minus(const Shape& other) const {
    if (is_varying() || other.is_varying()) return varying();
    const std::int64_t stride =
        wrapping(static_cast<std::uint64_t>(stride_) - static_cast<std::uint64_t>(other.stride_));
    if (guarded_ || other.guarded_) return guarded(stride);
    return strided(stride, std::min(known_bits_, other.known_bits_), residue_ - other.residue_);
}

Shape Shape::times(std::int64_t factor) const {
    if (is_varying()) return varying();
    const auto unsigned_factor = static_cast<std::uint64_t>(factor);
    const std::int64_t stride = wrapping(static_cast<std::uint64_t>(stride_) * unsigned_factor);
    if (guarded_) return guarded(stride);
    if (factor == 0) return constant(0);
    return strided(stride, known_bits_ + std::countr_zero(unsigned_factor),
                   residue_ * unsigned_factor);
}

Shape Shape::truncated(unsigned bits) const {
    if (!has_base() || bits >= 64) return *this;
    // The sign-extended low bits: -1 stays -1.
    const unsigned unused = 64 - bits;
    const std::int64_t stride = wrapping(static_cast<std::uint64_t>(stride_) << unused) >> unused;
    if (guarded_) return guarded(stride);
    return strided(stride, std::min<unsigned>(known_bits_, bits), residue_);
}

}  // namespace heald::cpu::simt
