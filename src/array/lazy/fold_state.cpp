#include "src/array/lazy/fold_state.hpp"

#include "src/array/ops/promotion.hpp"
#include "src/base/text.hpp"

#include <algorithm>
#include <cstdint>

namespace heald::array {
namespace {

std::string value_state(std::size_t f, const Node& fold, const std::string& function) {
    const std::string type = value_type(fold.loop);
    return text("using State", f, " = ", type, ";\n__device__ inline State", f, " begin", f,
                "() { return ", identity_text(*fold.fold, fold.loop), "; }\n",
                "__device__ inline State", f, " combine", f, "(State", f, " a, State", f,
                " b) { return ", function, "(a, b); }\n", "__device__ inline State", f, " shuffle",
                f, "(State", f, " a, unsigned d) { return heald_::shuffle_down(a, d); }\n",
                "template <class At> __device__ inline void include", f, "(State", f, "& a, ", type,
                " x, At) { a = combine", f, "(a, x); }\n", "__device__ inline ", type, " finish", f,
                "(State", f, " a) { return a; }\n");
}

std::string is_nan(DType dtype, const std::string& value) {
    switch (info(dtype).kind) {
        case DTypeKind::real:
            return text("(", value, " != ", value, ")");
        case DTypeKind::complex:
            return text("(", value, ".re != ", value, ".re || ", value, ".im != ", value, ".im)");
        default:
            return "false";
    }
}

/// Of equal extremes the first counts, and of NaN, which beats all, too. Place -1: no element beat
/// the identity, so that all are equal to it.
std::string position_state(std::size_t f, const Node& fold, const std::string& beats) {
    const std::string type = value_type(fold.loop);
    const std::string state = text("State", f);
    std::string include;
    if (info(fold.loop).kind == DTypeKind::complex)
        include = text("a = combine", f, "(a, ", state, "{x, (Place", f, ")at});");
    else
        include = text("if ((", beats, "(x, a.value) || ", is_nan(fold.loop, "x"), ") && !",
                       is_nan(fold.loop, "a.value"), ") a = ", state, "{x, (Place", f, ")at};");
    return text(
        "using Place", f, " = ", has_wide_positions(fold) ? "long long" : "int", ";\nstruct ",
        state, " { ", type, " value; Place", f, " at; };\n__device__ inline ", state, " begin", f,
        "() { return {", identity_text(*fold.fold, fold.loop), ", -1}; }\n__device__ inline ",
        state, " combine", f, "(", state, " a, ", state,
        " b) {\n    const bool a_nan = ", is_nan(fold.loop, "a.value"),
        ", b_nan = ", is_nan(fold.loop, "b.value"),
        ";\n    const bool same = a_nan ? b_nan : !b_nan && !", beats, "(a.value, b.value) && !",
        beats,
        "(b.value, a.value);\n    const bool later = same ? b.at < a.at : b_nan || (!a_nan && ",
        beats, "(b.value, a.value));\n    return b.at >= 0 && (a.at < 0 || later) ? b : a;\n}\n",
        "__device__ inline ", state, " shuffle", f, "(", state,
        " a, unsigned d) { return {heald_::shuffle_down(a.value, d), heald_::shuffle_down(a.at, "
        "d)}; }\ntemplate <class At> __device__ inline void include",
        f, "(", state, "& a, ", type, " x, At at) { ", include, " }\n",
        "__device__ inline long long finish", f, "(", state,
        " a) { return a.at < 0 ? 0 : a.at; }\n");
}

}  // namespace

std::string fold_state(std::size_t f, const Node& fold, Preamble& preamble) {
    preamble.need_dtype(fold.loop);
    preamble.need_dtype(fold.result);
    const Ufunc& row = combine_ufunc(*fold.fold);
    const std::string function =
        preamble.step_function({&row, fold.loop, result_dtype(row, fold.loop), {}, {}});
    return fold.fold->position ? position_state(f, fold, function) : value_state(f, fold, function);
}

std::size_t fold_state_size(const Node& fold) noexcept {
    const std::size_t value = is_narrow(fold.loop) ? sizeof(float) : size_of(fold.loop);
    if (!fold.fold->position) return value;
    // A structure of the value and the place.
    return 2 * std::max<std::size_t>(value, has_wide_positions(fold) ? 8 : 4);
}

bool has_wide_positions(const Node& fold) noexcept {
    std::int64_t elements = 1;
    for (const int axis : fold.axes) elements *= fold.iteration[static_cast<std::size_t>(axis)];
    return elements >= std::int64_t{1} << 31;
}

}  // namespace heald::array
