#include "src/plan/epilogue/random.hpp"

#include "src/array/ops/reduce.hpp"
#include "src/plan/epilogue/terms.hpp"

#include <cstring>

namespace heald::plan {
namespace {

/// The numbers 0, 1, … in the order of the elements.
Array places(const Shape& shape, const Stream& stream) {
    const std::uint64_t zero = 0;
    const std::uint64_t one = 1;
    array::Value start;
    array::Value step;
    std::memcpy(start.bytes.data(), &zero, sizeof zero);
    std::memcpy(step.bytes.data(), &one, sizeof one);
    std::int64_t size = 1;
    for (const std::int64_t extent : shape) size *= extent;
    return array::range(start, step, size, DType::uint64, stream).reshape(shape);
}

}  // namespace

Array random_bits(const Shape& shape, std::uint64_t seed, const Stream& stream) {
    const auto mixed = [](const Array& z, std::uint64_t shift, std::uint64_t factor) {
        const Array folded =
            formula("bitwise_xor", {z, formula("right_shift", {z, Term::bits(shift)})});
        return formula("multiply", {folded, Term::bits(factor)});
    };
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
    const Array counted = formula("multiply", {places(shape, stream), Term::bits(golden)});
    Array z = formula("add", {counted, Term::bits((seed + 1) * 0xd1342543de82ef95ULL)});
    z = mixed(z, 30, 0xbf58476d1ce4e5b9ULL);
    z = mixed(z, 27, 0x94d049bb133111ebULL);
    return formula("right_shift", {z, Term::bits(40)});
}

Array random_numbers(const Shape& shape, DType dtype, const Stream& stream) {
    const Array bits = array::cast(random_bits(shape, 0, stream), DType::float32);
    const DTypeKind kind = info(dtype).kind;
    const double scale = kind == DTypeKind::real || kind == DTypeKind::complex ? 1 : 8;
    const Array unit = add(multiply(bits, 0x1p-23), -1.0);
    return array::cast(multiply(unit, scale), dtype);
}

}  // namespace heald::plan
