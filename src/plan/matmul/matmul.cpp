#include <heald/matmul.hpp>

#include "src/array/ops/elementwise.hpp"
#include "src/array/ops/promotion.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"
#include "src/plan/matmul/plan.hpp"
#include "src/plan/plan_cache.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <optional>

namespace heald {
namespace {

constexpr std::size_t most_plans = 512;

std::atomic<bool> wants_same_bits{false};

plan::PlanCache<plan::MatmulPlan>& plans() {
    static auto& cache = *std::make_unique<plan::PlanCache<plan::MatmulPlan>>(most_plans).release();
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

/// nullopt if the options hold functions, which cannot be compared.
std::optional<Hash128> key_of(const Array& a, const Array& b, const MatmulOptions& options) {
    if (options.prologue_a || options.prologue_b) return std::nullopt;
    KeyBuilder key;
    key.add(key_of(a, b, a.buffer().block()->device()));
    const auto add_dtype = [&](std::optional<DType> dtype) {
        key.add(dtype ? static_cast<std::uint64_t>(*dtype) + 1 : std::uint64_t{0});
    };
    add_dtype(options.dtype);
    add_dtype(options.accumulate);
    key.add(static_cast<std::uint64_t>(options.multiply));
    key.add(std::uint64_t{options.exact} | std::uint64_t{options.conjugate_a} << 1 |
            std::uint64_t{options.conjugate_b} << 2);
    key.add(std::uint64_t{options.workspace_limit});
    for (const EpilogueStage& stage : options.epilogue.stages()) {
        if (stage.function) return std::nullopt;
        key.add(static_cast<std::uint64_t>(stage.member));
        for (const double value : stage.values) key.add(std::bit_cast<std::uint64_t>(value));
        key.add(stage.seed).add(static_cast<std::uint64_t>(stage.dtype)).add(stage.output);
        key.add_all(stage.operands);
        for (const Shape& shape : stage.operand_shapes) {
            key.add(std::uint64_t{shape.size()});
            for (const std::int64_t extent : shape) key.add(static_cast<std::uint64_t>(extent));
        }
    }
    return key.hash();
}

}  // namespace

bool set_deterministic(bool wanted) noexcept {
    return wants_same_bits.exchange(wanted);
}
bool deterministic() noexcept {
    return wants_same_bits.load(std::memory_order_relaxed);
}

Matmul::Matmul(const MatrixType& a, const MatrixType& b, MatmulOptions options,
               const Device& device)
    : plan_(std::make_shared<plan::MatmulPlan>(a, b, std::move(options), device)) {
    if (device.kind() == DeviceKind::cuda && plan_->options().tuning == Tuning::measure)
        plan_->prepare();
}

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
const Shape& Matmul::shape() const {
    return plan().shape();
}
DType Matmul::dtype() const {
    return plan().dtype();
}
double Matmul::flop() const {
    return plan().flop();
}
void Matmul::autotune(int iterations) const {
    plan().autotune(iterations);
}
std::vector<MatmulAlgorithm> Matmul::algorithms() const {
    return plan().algorithms();
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
        MatmulOptions options;
        options.tuning = Tuning::heuristic;
        return std::make_shared<plan::MatmulPlan>(MatrixType(a), MatrixType(b), options,
                                                  a.device());
    };
    static const MatmulArguments none;
    if (a.ndim() > most_axes || b.ndim() > most_axes) return make()->execute(a, b, none).result;
    return plans().find_or_make(key_of(a, b, device), make)->execute(a, b, none).result;
}

MatmulResult matmul(const Array& a, const Array& b, const MatmulOptions& options,
                    const MatmulArguments& arguments) {
    const auto make = [&] {
        MatmulOptions own = options;
        own.tuning = Tuning::heuristic;
        return std::make_shared<plan::MatmulPlan>(MatrixType(a), MatrixType(b), own, a.device());
    };
    constexpr int most_axes = 16;
    const auto key =
        a.ndim() > most_axes || b.ndim() > most_axes ? std::nullopt : key_of(a, b, options);
    if (!key) return make()->execute(a, b, arguments);
    return plans().find_or_make(*key, make)->execute(a, b, arguments);
}

}  // namespace heald
