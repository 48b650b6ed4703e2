#include "src/array/host_work.hpp"
#include "src/array/ops/elementwise.hpp"
#include "src/array/scan/scan_operations.hpp"
#include "src/array/scan/scan_plan.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace heald::array {
namespace {

// What the order of the operations is made of: changing these changes results.
constexpr std::int64_t block_length = 8192;
constexpr std::int64_t strands = 8;
constexpr std::int64_t least_divided = 512;

constexpr std::int64_t short_size = 16384;  ///< some ten microseconds on one thread

/// A block is divided into strands that are accumulated side by side, so that operations of one do
/// not wait for each other: first the strands' totals, then their elements.
template <class In, class Acc, class Op>
struct BlockScan {
    using Totals = std::array<Acc, strands>;

    static Acc at(const In* x, std::int64_t i) noexcept { return Acc(x[i]); }

    static Totals totals(const In* x, std::int64_t n) noexcept {
        const std::int64_t length = (n + strands - 1) / strands;
        const std::int64_t last = n - (strands - 1) * length;
        Totals sums;
        for (std::int64_t k = 0; k < strands; ++k)
            sums[static_cast<std::size_t>(k)] = at(x, k * length);
        for (std::int64_t i = 1; i < last; ++i)
            for (std::int64_t k = 0; k < strands; ++k) {
                Acc& sum = sums[static_cast<std::size_t>(k)];
                sum = Op::apply(sum, at(x, k * length + i));
            }
        for (std::int64_t i = std::max<std::int64_t>(last, 1); i < length; ++i)
            for (std::int64_t k = 0; k + 1 < strands; ++k) {
                Acc& sum = sums[static_cast<std::size_t>(k)];
                sum = Op::apply(sum, at(x, k * length + i));
            }
        return sums;
    }

    static Acc total(const In* x, std::int64_t n) noexcept {
        if (n < least_divided) {
            Acc sum = at(x, 0);
            for (std::int64_t i = 1; i < n; ++i) sum = Op::apply(sum, at(x, i));
            return sum;
        }
        const Totals sums = totals(x, n);
        Acc sum = sums[0];
        for (std::size_t k = 1; k < strands; ++k) sum = Op::apply(sum, sums[k]);
        return sum;
    }

    /// With `before`, what comes before the block. Its own total.
    static Acc scan(const In* x, Acc* y, std::int64_t n, const Acc* before) noexcept {
        if (n < least_divided) {
            Acc sum = at(x, 0);
            y[0] = before != nullptr ? Op::apply(*before, sum) : sum;
            for (std::int64_t i = 1; i < n; ++i) {
                sum = Op::apply(sum, at(x, i));
                y[i] = before != nullptr ? Op::apply(*before, sum) : sum;
            }
            return sum;
        }
        const Totals sums = totals(x, n);
        Totals prefix{};
        Acc all = sums[0];
        for (std::size_t k = 1; k < strands; ++k) {
            prefix[k] = before != nullptr ? Op::apply(*before, all) : all;
            all = Op::apply(all, sums[k]);
        }
        if (before != nullptr) prefix[0] = *before;
        const std::int64_t length = (n + strands - 1) / strands;
        const std::int64_t last = n - (strands - 1) * length;
        Totals running;
        const auto step = [&](std::int64_t k, std::int64_t i) {
            const auto s = static_cast<std::size_t>(k);
            running[s] = i == 0 ? at(x, k * length) : Op::apply(running[s], at(x, k * length + i));
            y[k * length + i] =
                k > 0 || before != nullptr ? Op::apply(prefix[s], running[s]) : running[s];
        };
        for (std::int64_t k = 0; k < strands; ++k) step(k, 0);
        for (std::int64_t i = 1; i < last; ++i)
            for (std::int64_t k = 0; k < strands; ++k) step(k, i);
        for (std::int64_t i = std::max<std::int64_t>(last, 1); i < length; ++i)
            for (std::int64_t k = 0; k + 1 < strands; ++k) step(k, i);
        return all;
    }

    /// A row, block by block.
    static void row(const In* x, Acc* y, std::int64_t n) noexcept {
        Acc sum{};
        for (std::int64_t first = 0; first < n; first += block_length) {
            const std::int64_t count = std::min(block_length, n - first);
            const Acc own = scan(x + first, y + first, count, first > 0 ? &sum : nullptr);
            sum = first > 0 ? Op::apply(sum, own) : own;
        }
    }
};

template <class In, class Acc, class Op>
void scan_rows(const Scan& scan, const Stream& stream) {
    using Block = BlockScan<In, Acc, Op>;
    HostWork work(stream);
    const In* x = work.read<In>(scan.from);
    Acc* y = work.write<Acc>(scan.to);
    const std::int64_t n = scan.length, rows = scan.outer;
    const std::int64_t blocks = (n + block_length - 1) / block_length;
    if (rows >= 4 * work.threads() || blocks <= 4) {
        const Parts parts{rows, std::clamp<std::int64_t>(rows * n / short_size, 1, rows)};
        work.run(parts.count, rows * n <= short_size, [=](std::int64_t part) {
            for (std::int64_t row = parts.begin(part); row < parts.end(part); ++row)
                Block::row(x + row * n, y + row * n, n);
        });
        return;
    }
    // The totals of all blocks, then what comes before each, then the blocks.
    auto sums = std::make_shared<std::vector<Acc>>(static_cast<std::size_t>(rows * blocks));
    const auto for_blocks = [=, &work](auto function) {
        const Parts parts{rows * blocks,
                          std::min<std::int64_t>(rows * blocks, 64 * work.threads())};
        work.run(parts.count, false, [=](std::int64_t part) {
            for (std::int64_t i = parts.begin(part); i < parts.end(part); ++i) {
                const std::int64_t first = i % blocks * block_length;
                function(i, i / blocks * n + first, std::min(block_length, n - first));
            }
        });
    };
    for_blocks([=](std::int64_t i, std::int64_t first, std::int64_t count) {
        (*sums)[static_cast<std::size_t>(i)] = Block::total(x + first, count);
    });
    work.run(1, true, [=](std::int64_t) {
        for (std::int64_t row = 0; row < rows; ++row) {
            Acc* list = sums->data() + row * blocks;
            for (std::int64_t b = 1; b < blocks; ++b) list[b] = Op::apply(list[b - 1], list[b]);
        }
    });
    for_blocks([=](std::int64_t i, std::int64_t first, std::int64_t count) {
        const Acc* before = i % blocks > 0 ? sums->data() + i - 1 : nullptr;
        Block::scan(x + first, y + first, count, before);
    });
}

/// Columns side by side, one element of each after the other.
template <class In, class Acc, class Op>
void scan_columns(const Scan& scan, const Stream& stream) {
    HostWork work(stream);
    const In* x = work.read<In>(scan.from);
    Acc* y = work.write<Acc>(scan.to);
    const std::int64_t n = scan.length, inner = scan.inner;
    const std::int64_t wanted = std::max<std::int64_t>(4 * work.threads() / scan.outer, 1);
    const std::int64_t divisions =
        std::clamp<std::int64_t>(inner / 64, 1, std::max(wanted, inner / 2048));
    const Parts columns{inner, divisions};
    const bool is_short = scan.outer * n * inner <= short_size;
    work.run(scan.outer * divisions, is_short, [=](std::int64_t part) {
        const std::int64_t base = part / divisions * n * inner;
        const std::int64_t first = columns.begin(part % divisions);
        const std::int64_t count = columns.end(part % divisions) - first;
        const In* from = x + base + first;
        Acc* to = y + base + first;
        for (std::int64_t j = 0; j < count; ++j) to[j] = Acc(from[j]);
        for (std::int64_t i = 1; i < n; ++i) {
            from += inner;
            to += inner;
            const Acc* previous = to - inner;
            for (std::int64_t j = 0; j < count; ++j) to[j] = Op::apply(previous[j], Acc(from[j]));
        }
    });
}

template <class In, class Acc, class Op>
bool scan_as(const Scan& scan, const Stream& stream) {
    scan.inner == 1 ? scan_rows<In, Acc, Op>(scan, stream)
                    : scan_columns<In, Acc, Op>(scan, stream);
    return true;
}

/// Sums and products of integers: unsigned, so that they wrap.
template <class Op>
bool scan_integers(const Scan& scan, const Stream& stream) {
    using std::int16_t, std::int32_t, std::int64_t, std::int8_t;
    using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;
    switch (size_of(scan.loop)) {
        case 1:
            return scan_as<uint8_t, uint8_t, Op>(scan, stream);
        case 2:
            return scan_as<uint16_t, uint16_t, Op>(scan, stream);
        case 4:
            return scan_as<uint32_t, uint32_t, Op>(scan, stream);
        default:
            break;
    }
    switch (scan.from.dtype()) {
        case DType::boolean:
        case DType::uint8:
            return scan_as<uint8_t, uint64_t, Op>(scan, stream);
        case DType::uint16:
            return scan_as<uint16_t, uint64_t, Op>(scan, stream);
        case DType::uint32:
            return scan_as<uint32_t, uint64_t, Op>(scan, stream);
        case DType::int8:
            return scan_as<int8_t, uint64_t, Op>(scan, stream);
        case DType::int16:
            return scan_as<int16_t, uint64_t, Op>(scan, stream);
        case DType::int32:
            return scan_as<int32_t, uint64_t, Op>(scan, stream);
        default:
            return scan_as<uint64_t, uint64_t, Op>(scan, stream);
    }
}

template <class Op>
bool scan_arithmetic(const Scan& scan, const Stream& stream) {
    switch (scan.loop) {
        case DType::float32:
            return scan_as<float, float, Op>(scan, stream);
        case DType::float64:
            return scan_as<double, double, Op>(scan, stream);
        case DType::complex64:
            return scan_as<ComplexNumber<float>, ComplexNumber<float>, Op>(scan, stream);
        case DType::complex128:
            return scan_as<ComplexNumber<double>, ComplexNumber<double>, Op>(scan, stream);
        default:
            return scan_integers<Op>(scan, stream);
    }
}

template <class Op>
bool scan_order(const Scan& scan, const Stream& stream) {
    switch (scan.loop) {
        case DType::int8:
            return scan_as<std::int8_t, std::int8_t, Op>(scan, stream);
        case DType::int16:
            return scan_as<std::int16_t, std::int16_t, Op>(scan, stream);
        case DType::int32:
            return scan_as<std::int32_t, std::int32_t, Op>(scan, stream);
        case DType::int64:
            return scan_as<std::int64_t, std::int64_t, Op>(scan, stream);
        case DType::uint8:
            return scan_as<std::uint8_t, std::uint8_t, Op>(scan, stream);
        case DType::uint16:
            return scan_as<std::uint16_t, std::uint16_t, Op>(scan, stream);
        case DType::uint32:
            return scan_as<std::uint32_t, std::uint32_t, Op>(scan, stream);
        case DType::uint64:
            return scan_as<std::uint64_t, std::uint64_t, Op>(scan, stream);
        case DType::float32:
            return scan_as<float, float, Op>(scan, stream);
        case DType::float64:
            return scan_as<double, double, Op>(scan, stream);
        default:
            return false;
    }
}

bool scan_booleans(const Scan& scan, const Stream& stream) {
    const std::string_view name = scan.ufunc->name;
    if (name == "add" || name == "maximum" || name == "logical_or" || name == "bitwise_or")
        return scan_as<std::uint8_t, std::uint8_t, Or>(scan, stream);
    if (name == "multiply" || name == "minimum" || name == "logical_and" || name == "bitwise_and")
        return scan_as<std::uint8_t, std::uint8_t, And>(scan, stream);
    if (name == "logical_xor" || name == "bitwise_xor")
        return scan_as<std::uint8_t, std::uint8_t, ExclusiveOr>(scan, stream);
    return false;
}

bool widens(const Scan& scan) {
    const DTypeKind from = info(scan.from.dtype()).kind;
    return (scan.loop == DType::int64 || scan.loop == DType::uint64) &&
           (from == DTypeKind::boolean || from == DTypeKind::signed_int ||
            from == DTypeKind::unsigned_int);
}

bool dispatch(const Scan& scan, const Stream& stream) {
    if (scan.loop == DType::boolean) return scan_booleans(scan, stream);
    const std::string_view name = scan.ufunc->name;
    if (name == "add") return scan_arithmetic<Add>(scan, stream);
    if (name == "multiply") return scan_arithmetic<Multiply>(scan, stream);
    if (name == "maximum") return scan_order<Maximum>(scan, stream);
    if (name == "minimum") return scan_order<Minimum>(scan, stream);
    return false;
}

bool has_code(const Scan& scan) {
    const std::string_view name = scan.ufunc->name;
    if (name == "add" || name == "multiply" || scan.loop == DType::boolean)
        return is_associative(name) && name != "fmax" && name != "fmin";
    return (name == "maximum" || name == "minimum") && info(scan.loop).kind != DTypeKind::complex;
}

}  // namespace

bool scan_on_cpu(const Scan& scan, const Stream& stream) {
    if (!has_code(scan)) return false;
    // 16-bit floating-point types are seen as float32, whose values hold theirs.
    Scan own = scan;
    if (scan.loop == DType::float16 || scan.loop == DType::bfloat16) own.loop = DType::float32;
    const bool widening =
        widens(own) && (own.ufunc->name == "add" || own.ufunc->name == "multiply");
    if (own.from.dtype() != own.loop && !widening) own.from = cast(own.from, own.loop);
    if (own.to.dtype() == own.loop) return dispatch(own, stream);
    own.to = Array(scan.to.shape(), own.loop, stream);
    if (!dispatch(own, stream)) return false;
    scan.to.copy_from(cast(own.to, scan.to.dtype()), stream);
    return true;
}

}  // namespace heald::array
