#pragma once

#include <heald/array.hpp>

#include "src/array/ops/elementwise.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace heald::plan {

/// An operand of a formula: an array or a number. Operators record operations.
class Term {
public:
    Term(Array array) : operand_(std::move(array)) {}  // NOLINT(google-explicit-constructor)
    Term(double number)                                // NOLINT(google-explicit-constructor)
        : operand_(array::WeakScalar{.real = number}) {}
    /// An unsigned integer.
    static Term bits(std::uint64_t number) {
        array::WeakScalar scalar;
        scalar.kind = array::WeakKind::integer;
        scalar.integer = static_cast<std::int64_t>(number);
        scalar.is_unsigned = scalar.integer < 0;
        return Term(array::UfuncOperand(scalar));
    }

    [[nodiscard]] const array::UfuncOperand& operand() const noexcept { return operand_; }

private:
    explicit Term(array::UfuncOperand operand) : operand_(std::move(operand)) {}
    array::UfuncOperand operand_;
};

[[nodiscard]] inline Array formula(std::string_view ufunc, std::initializer_list<Term> terms) {
    std::vector<array::UfuncOperand> operands;
    operands.reserve(terms.size());
    for (const Term& term : terms) operands.push_back(term.operand());
    return array::elementwise(array::ufunc(ufunc), operands);
}

[[nodiscard]] inline Array add(const Term& a, const Term& b) {
    return formula("add", {a, b});
}
[[nodiscard]] inline Array multiply(const Term& a, const Term& b) {
    return formula("multiply", {a, b});
}

}  // namespace heald::plan
