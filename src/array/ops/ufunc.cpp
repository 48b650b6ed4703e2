#include "src/array/ops/ufunc.hpp"

#include "src/array/ops/promotion.hpp"
#include "src/base/check.hpp"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace heald::array {
namespace {

std::vector<Ufunc> joined() {
    std::vector<Ufunc> all;
    for (const auto family : {arithmetic_ufuncs(), comparison_ufuncs(), bitwise_ufuncs(),
                              exponential_ufuncs(), trigonometric_ufuncs(), rounding_ufuncs(),
                              complex_part_ufuncs(), floating_ufuncs(), selection_ufuncs()})
        for (const Ufunc& row : family) {
            all.push_back(row);
            all.back().id = static_cast<std::uint16_t>(all.size() - 1);
        }
    return all;
}

const std::vector<Ufunc>& table() {
    static const auto& all = *std::make_unique<std::vector<Ufunc>>(joined()).release();
    return all;
}

}  // namespace

std::span<const Ufunc> ufuncs() noexcept {
    return table();
}

const Ufunc& ufunc(std::string_view name) {
    static const auto& by_name = *[] {
        auto map = std::make_unique<std::unordered_map<std::string_view, const Ufunc*>>();
        for (const Ufunc& row : table()) map->emplace(row.name, &row);
        return map.release();
    }();
    const auto found = by_name.find(name);
    HEALD_EXPECTS(found != by_name.end(), not_found, "[ufunc] there is no operation '", name, "'");
    return *found->second;
}

const Ufunc& cast_ufunc() {
    static const Ufunc& row = ufunc("cast");
    return row;
}

DType operand_dtype(const Ufunc& ufunc, std::size_t operand, DType loop) noexcept {
    if (ufunc.typed != nullptr) return ufunc.typed->operands[operand];
    if (ufunc.mixed == Mixed::boolean_first && operand == 0) return DType::boolean;
    if (ufunc.mixed == Mixed::int64_second && operand == 1) return DType::int64;
    if (ufunc.mixed == Mixed::uint64_second && operand == 1) return DType::uint64;
    return loop;
}

DType result_dtype(const Ufunc& ufunc, DType loop) noexcept {
    switch (ufunc.result) {
        case Result::loop:
            return loop;
        case Result::boolean:
            return DType::boolean;
        case Result::real_part:
            return real_part_of(loop);
        case Result::uint8:
            return DType::uint8;
        case Result::int32:
            return DType::int32;
    }
    return loop;
}

std::optional<DType> loop_dtype(const Ufunc& ufunc, DType promoted) noexcept {
    DType loop = promoted;
    const DTypeKind kind = info(promoted).kind;
    const bool exact = kind == DTypeKind::boolean || kind == DTypeKind::signed_int ||
                       kind == DTypeKind::unsigned_int;
    switch (ufunc.loop) {
        case Loop::common:
            break;
        case Loop::no_boolean:
            if (kind == DTypeKind::boolean) loop = DType::int8;
            break;
        case Loop::floating:
            loop = floating_for(promoted);
            break;
        case Loop::float64:
            if (exact) loop = DType::float64;
            break;
        case Loop::only_float64:
            loop = kind == DTypeKind::complex ? DType::complex128 : DType::float64;
            break;
    }
    if (expression_of(ufunc, loop).text.empty()) return std::nullopt;
    return loop;
}

const Expression& expression_of(const Ufunc& ufunc, DType loop) noexcept {
    static constexpr Expression none;
    if (ufunc.formats != nullptr) {
        if (loop == DType::float16) return ufunc.formats->float16;
        if (loop == DType::bfloat16) return ufunc.formats->bfloat16;
        if (loop == DType::float32) return ufunc.formats->float32;
        if (loop == DType::float64) return ufunc.formats->float64;
    }
    switch (info(loop).kind) {
        case DTypeKind::boolean:
            return ufunc.boolean;
        case DTypeKind::signed_int:
        case DTypeKind::unsigned_int:
            return ufunc.integer;
        case DTypeKind::real:
            return ufunc.real;
        case DTypeKind::complex:
            return ufunc.complex;
        case DTypeKind::opaque:
            break;
    }
    return none;
}

}  // namespace heald::array
