#include <heald/matmul.hpp>

#include "src/array/ops/elementwise.hpp"
#include "src/array/ops/promotion.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"
#include "src/plan/matmul/plan.hpp"
#include "src/plan/plan_cache.hpp"

namespace heald {
namespace {

constexpr std::size_t most_plans = 512;

plan::PlanCache<plan::MatmulPlan>& plans() {
    static auto& cache =
        *std::make_unique<plan::PlanCache<plan::MatmulPlan>>(most_plans).release();
    return cache;
}

/// Shapes and dtypes of a one-shot product, in few words.
Hash128 key_of(const Array& a, const Array& b, const core::DeviceState& device) {
    std::array<std::int64_t, 40> words;  // NOLINT: filled up to `count`
    std::size_t count = 0;
    words[count++] = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(&device));
    for (const Array* array : {&a, &b}) {
        words[count++] = (static_cast<std::int64_t>(array->ndim()) << 8) |
                         static_cast<std::int64_t>(array->dtype());
        for (const std::int64_t extent : array->shape()) words[count++] = extent;
    }
    return hash_bytes({reinterpret_cast<const char*>(words.data()), count * sizeof words[0]});
}

}  // namespace

Matmul::Matmul(const MatrixType& a, const MatrixType& b, MatmulOptions options,
               const Device& device)
    : plan_(std::make_shared<plan::MatmulPlan>(a, b, std::move(options), device)) {}

plan::MatmulPlan& Matmul::plan() const {
    HEALD_EXPECTS(plan_ != nullptr, closed, "[Matmul] the plan is closed");
    return *plan_;
}

Array Matmul::execute(const Array& a, const Array& b) const {
    static const MatmulArguments none;
    return plan().execute(a, b, none).result;
}

MatmulResult Matmul::execute(const Array& a, const Array& b,
                             const MatmulArguments& arguments) const {
    return plan().execute(a, b, arguments);
}

std::string Matmul::explain() const {
    return plan().explain();
}
Device Matmul::device() const {
    return plan().device();
}
const Shape& Matmul::shape() const noexcept {
    return plan_->shape();
}
DType Matmul::dtype() const noexcept {
    return plan_->dtype();
}
double Matmul::flop() const noexcept {
    return plan_->flop();
}
void Matmul::close() {
    plan_.reset();
}

Array matmul(const Array& a, const Array& b) {
    constexpr int most_axes = 16;
    HEALD_EXPECTS(a.ndim() > 0 && b.ndim() > 0, invalid_value, "[matmul] Input operand ",
                  a.ndim() > 0 ? 1 : 0, " does not have enough dimensions (has 0, needs 1)");
    const DType dtype = array::promote(a.dtype(), b.dtype());
    if (a.dtype() != dtype || b.dtype() != dtype)
        return matmul(array::cast(a, dtype), array::cast(b, dtype));
    core::DeviceState& device = a.buffer().block()->device();
    HEALD_EXPECTS(&device == &b.buffer().block()->device(), invalid_value,
                  "[matmul] the arrays are on ", a.device().name(), " and ", b.device().name(),
                  ": bring them together with x.to(device)");
    const auto make = [&] {
        return std::make_shared<plan::MatmulPlan>(MatrixType(a), MatrixType(b), MatmulOptions{},
                                                  a.device());
    };
    static const MatmulArguments none;
    if (a.ndim() > most_axes || b.ndim() > most_axes) return make()->execute(a, b, none).result;
    return plans().find_or_make(key_of(a, b, device), make)->execute(a, b, none).result;
}

}  // namespace heald
