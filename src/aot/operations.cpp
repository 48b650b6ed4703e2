#include "src/aot/operations.hpp"

#include <heald/operations.hpp>

#include "src/array/lazy/evaluate.hpp"
#include "src/array/lazy/launch_group.hpp"
#include "src/array/lazy/pending.hpp"
#include "src/array/ops/elementwise.hpp"
#include "src/array/ops/reduce.hpp"
#include "src/core/current.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace heald::aot {
namespace {

using array::Ufunc;
using array::UfuncOperand;

constexpr std::array dtypes{DType::boolean, DType::int32,   DType::int64,
                            DType::float32, DType::float64, DType::complex128};
/// What else arrays are often converted from and to.
constexpr std::array cast_dtypes{DType::boolean, DType::uint8,   DType::int32,     DType::int64,
                                 DType::float32, DType::float64, DType::complex128};

/// Dtypes of arrays without axes, as reductions give them.
bool is_usual(DType dtype) {
    return dtype == DType::int64 || dtype == DType::float32 || dtype == DType::float64;
}

class Collection {
public:
    void add_all() {
        for (const Ufunc& row : array::ufuncs())
            for (const DType dtype : dtypes) add_ufunc(row, dtype);
        for (const DType from : cast_dtypes)
            for (const DType to : cast_dtypes)
                if (from != to) note(array::cast(line(from), to));
        add_mixed();
        for (const array::Fold& row : array::folds())
            for (const DType dtype : dtypes) add_fold(row, dtype);
    }

    std::set<std::string> take() { return std::move(sources_); }

private:
    static Array of(Shape shape, DType dtype) { return Array(std::move(shape), dtype, stream()); }
    static Array line(DType dtype) { return of({1000}, dtype); }
    static Stream stream() { return Device("cpu").default_stream(); }
    static array::WeakScalar number() {
        array::WeakScalar scalar;
        scalar.kind = array::WeakKind::integer;
        scalar.integer = 1;
        return scalar;
    }

    /// The kernels that would compute an array.
    void note(const Array& result) {
        const auto& block = result.buffer().block();
        if (!block->is_pending()) return;
        const array::Evaluating scope;
        const array::Claim claim({&block, 1});
        for (const array::Group& group : array::plan_groups(claim.blocks(), {&block, 1}, true))
            for (std::string& source : array::kernel_sources(group))
                sources_.insert(std::move(source));
    }

    /// Nothing if there is no such operation.
    void note(const Ufunc& row, const std::vector<UfuncOperand>& operands) {
        try {
            note(array::elementwise(row, operands));
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::type_mismatch && error.kind() != ErrorKind::overflow)
                throw;
        }
    }

    void add_ufunc(const Ufunc& row, DType dtype) {
        const DType loop = array::loop_dtype(row, dtype).value_or(dtype);
        const auto own = [&](std::size_t k) {
            const bool fixed = row.mixed != array::Mixed::none;
            return fixed ? array::operand_dtype(row, k, loop) : dtype;
        };
        if (row.operands == 1) {
            note(row, {line(dtype)});
            if (is_usual(dtype)) note(row, {of({}, dtype)});
            return;
        }
        if (row.operands > 3) return;
        // Arrays and Python's numbers, in each combination.
        const unsigned combinations = 1u << row.operands;
        for (unsigned scalars = 0; scalars + 1 < combinations; ++scalars) {
            std::vector<UfuncOperand> operands;
            for (std::size_t k = 0; k < static_cast<std::size_t>(row.operands); ++k)
                if (scalars >> k & 1)
                    operands.emplace_back(number());
                else
                    operands.emplace_back(line(own(k)));
            note(row, operands);
        }
        if (row.operands == 2) {
            const Array same = line(dtype);
            note(row, {same, same});
            if (!is_usual(dtype)) return;
            note(row, {of({}, own(0)), of({}, own(1))});
            note(row, {of({}, own(0)), number()});
        }
    }

    /// Operands of two dtypes, rows and columns, and results that go where an operand lies.
    void add_mixed() {
        for (const char* name : {"add", "subtract", "multiply", "divide"}) {
            const Ufunc& row = array::ufunc(name);
            for (const auto& [a, b] :
                 {std::pair{DType::float64, DType::int64},
                  std::pair{DType::float64, DType::float32},
                  std::pair{DType::float32, DType::int64}, std::pair{DType::int64, DType::int32},
                  std::pair{DType::float64, DType::boolean},
                  std::pair{DType::int64, DType::boolean}}) {
                note(row, {line(a), line(b)});
                note(row, {line(b), line(a)});
            }
            for (const DType dtype : {DType::int64, DType::float32, DType::float64}) {
                const Array table = of({1000, 1000}, dtype), one = of({1000}, dtype),
                            column = of({1000, 1}, dtype);
                note(row, {table, one});
                note(row, {one, table});
                note(row, {table, column});
                note(row, {column, table});
                note(row, {column, one});
            }
        }
    }

    void add_fold(const array::Fold& row, DType dtype) {
        const auto fold = [&](Shape shape, std::vector<int> axes) {
            try {
                note(array::reduce(row, of(std::move(shape), dtype), std::move(axes), false));
            } catch (const Error& error) {
                if (error.kind() != ErrorKind::type_mismatch) throw;
            }
        };
        for (const std::int64_t length : {100, 4000, 100'000, 10'000'000}) fold({length}, {0});
        for (const auto& [rows, columns] : {std::pair{1000, 1000}, std::pair{10'000, 10},
                                            std::pair{10, 10'000}, std::pair{1000, 100}}) {
            fold({rows, columns}, {0});
            fold({rows, columns}, {1});
        }
    }

    std::set<std::string> sources_;
};

}  // namespace

std::set<std::string> common_sources() {
    Collection all;
    all.add_all();
    return all.take();
}

}  // namespace heald::aot
