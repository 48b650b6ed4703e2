// How a plan finds the library and the dtypes for operands in some memory order.

#include "src/array/memory_use.hpp"
#include "src/array/ops/elementwise.hpp"
#include "src/array/product/product.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"
#include "src/plan/epilogue/members.hpp"
#include "src/plan/epilogue/terms.hpp"
#include "src/plan/matmul/plan.hpp"

#include <algorithm>
#include <mutex>

namespace heald::plan {
namespace {

constexpr std::size_t most_ways = 16;

void add_steps(std::vector<std::int64_t>& key, const Array& array) {
    const Shape& strides = array.strides();
    const Shape& shape = array.shape();
    for (std::size_t axis = 0; axis < strides.size(); ++axis)
        key.push_back(shape[axis] == 1 ? 0 : strides[axis]);
    key.push_back(static_cast<std::int64_t>(array.dtype()));
}

/// An operand as the library takes it: of that dtype, in an order that it reads.
Array taken(const Array& array, const MatmulTypes& types, DType dtype, bool conjugate) {
    Array result = array;
    if (types.rounded && *types.rounded != dtype) result = array::cast(result, *types.rounded);
    result = array::cast(result, dtype);
    if (conjugate) result = formula("conjugate", {result});
    if (needs_copy(result)) result = result.copy();
    return result;
}

bool same_memory(const Array& a, const Array& b) {
    return array::overlap(array::use_of(a, false), array::use_of(b, false));
}

/// One product with all rows of a, if b is the same for all.
bool can_fold(const Array& a, const Array& b, const std::vector<std::vector<Array>>& operands) {
    if (a.ndim() <= 2) return false;
    for (int axis = 0; axis + 2 < b.ndim(); ++axis)
        if (b.shape()[static_cast<std::size_t>(axis)] != 1 &&
            b.strides()[static_cast<std::size_t>(axis)] != 0)
            return false;
    if (!a.is_c_contiguous()) return false;
    for (const auto& stage : operands)
        for (const Array& operand : stage) {
            if (operand.is_c_contiguous()) continue;
            for (int axis = 0; axis + 1 < operand.ndim(); ++axis)
                if (operand.shape()[static_cast<std::size_t>(axis)] != 1 &&
                    operand.strides()[static_cast<std::size_t>(axis)] != 0)
                    return false;
        }
    return true;
}

/// (batch…, rows, columns) as (batch * rows, columns).
Array folded(const Array& array, const Shape& shape) {
    if (array.is_c_contiguous()) return array.reshape(shape);
    Array one = array;  // the same for all rows
    while (one.ndim() > 1) one = one.index(0, 0);
    return array::broadcast_view(one, shape);
}

}  // namespace

std::shared_ptr<const MatmulPlan::Way> MatmulPlan::way_for(const Operation& operation,
                                                           const Stream& stream) {
    std::vector<std::int64_t> key;
    key.reserve(24);
    key.push_back(deterministic() ? 1 : 0);
    add_steps(key, operation.a);
    add_steps(key, operation.b);
    if (operation.c != nullptr) add_steps(key, *operation.c);
    if (operation.out.ndim() > 0) add_steps(key, operation.out);
    for (const auto& stage : operation.operands)
        for (const Array& operand : stage) add_steps(key, operand);
    {
        const std::lock_guard lock(mutex_);
        for (const auto& way : ways_)
            if (way->key == key) return way;
    }
    auto made = make_way(operation, key, stream);
    if (made->executor != nullptr && !made->executor->any_scalars() &&
        (operation.alpha != 1.0 || operation.beta != 0.0))
        return made;  // of these scalars alone: not kept
    std::shared_ptr<const Way> dropped;
    const std::lock_guard lock(mutex_);
    if (ways_.size() >= most_ways) {
        dropped = ways_.front();
        ways_.erase(ways_.begin());
    }
    ways_.push_back(made);
    return made;
}

std::shared_ptr<const MatmulPlan::Way> MatmulPlan::make_way(const Operation& operation,
                                                            std::vector<std::int64_t> key,
                                                            const Stream& stream) {
    auto way = std::make_shared<Way>();
    way->key = std::move(key);
    way->folds_rows =
        operation.c == nullptr && can_fold(operation.a, operation.b, operation.operands);
    const auto types = matmul_types(a_dtype_, b_dtype_, dtype_, options_.multiply,
                                    options_.accumulate, options_.exact, device_);
    const bool conjugates = options_.conjugate_a || options_.conjugate_b;
    for (const MatmulTypes& candidate : types) {
        way->types = candidate;
        for (const bool first : {false, true}) {
            if (first && !conjugates) continue;
            way->conjugates_first = first;
            if (try_way(*way, operation, stream)) return way;
        }
    }
    const bool plain =
        options_.multiply != Multiply::tf32 && types.back().accumulate != DType::float16;
    HEALD_EXPECTS(plain, unavailable, "[Matmul] ", device_.name(), " cannot do this product:\n",
                  way->notes);
    // The plain kernel has one dtype for all.
    way->types = types.back();
    way->conjugates_first = conjugates;
    way->folds_rows = false;
    return way;
}

bool MatmulPlan::try_way(Way& way, const Operation& operation, const Stream& stream) const {
    const bool conjugate = way.conjugates_first;
    Array a = taken(operation.a, way.types, way.types.a, conjugate && options_.conjugate_a);
    Array b = taken(operation.b, way.types, way.types.b, conjugate && options_.conjugate_b);
    MatmulProblem problem;
    problem.m = m_;
    problem.n = n_;
    problem.k = k_;
    problem.batch = batch_;
    Shape shape = core_shape_;
    std::vector<std::vector<Array>> operands = operation.operands;
    if (way.folds_rows && a.is_c_contiguous()) {
        problem.m = a.size() / k_;
        problem.batch = {};
        a = a.reshape({problem.m, k_});
        while (b.ndim() > 2) b = b.index(0, 0);
        shape = {problem.m, n_};
        for (auto& stage : operands)
            for (Array& operand : stage) operand = folded(operand, shape);
    } else {
        way.folds_rows = false;
    }
    problem.a = way.types.a;
    problem.b = way.types.b;
    problem.d = way.types.d;
    problem.multiply = way.types.multiply;
    problem.accumulate = way.types.accumulate;
    problem.a_steps = steps_of(a);
    problem.b_steps = steps_of(b);
    problem.conjugate_a = options_.conjugate_a && !conjugate;
    problem.conjugate_b = options_.conjugate_b && !conjugate;
    const Array pattern(shape, way.types.d, stream);
    problem.d_steps = steps_of(pattern);
    problem.c_steps = problem.d_steps;
    problem.has_c = operation.c != nullptr;
    problem.stages = options_.epilogue.stages();
    problem.stage_operands = operands;
    problem.alpha = operation.alpha;
    problem.beta = operation.beta;
    problem.workspace_limit = options_.workspace_limit;
    problem.deterministic = deterministic();
    problem.tuning = options_.tuning;
    for (const MatmulProvider& provider : matmul_providers()) {
        if (provider.device != device_.kind()) continue;
        std::string why = provider.missing();
        if (why.empty()) {
            auto executor = provider.make(problem, stream, why);
            const std::size_t stages = options_.epilogue.stages().size();
            const bool rounds_early = options_.exact && executor != nullptr &&
                                      executor->fused_stages() < stages &&
                                      way.types.d != wide_dtype(way.types.d);
            if (executor != nullptr && !rounds_early) {
                way.executor = std::move(executor);
                return true;
            }
        }
        std::string note = text("    not ", provider.name, ": ", why, "\n");
        if (!why.empty() && way.notes.find(note) == std::string::npos) way.notes += note;
    }
    return false;
}

Array MatmulPlan::multiplied(const Way& way, const Operation& operation, const Stream& stream,
                             std::size_t& stages_done) const {
    const bool conjugate = way.conjugates_first;
    Array a = taken(operation.a, way.types, way.types.a, conjugate && options_.conjugate_a);
    Array b = taken(operation.b, way.types, way.types.b, conjugate && options_.conjugate_b);
    if (way.executor == nullptr) {
        stages_done = 0;
        Array value = array::matrix_product(a, b);
        if (operation.alpha != 1.0) {
            const bool is_complex = info(value.dtype()).kind == DTypeKind::complex;
            array::WeakScalar alpha;
            alpha.kind = is_complex ? array::WeakKind::complex : array::WeakKind::real;
            alpha.real = operation.alpha.real();
            alpha.imaginary = operation.alpha.imag();
            const std::array<array::UfuncOperand, 2> factors{value, alpha};
            value = array::elementwise(array::ufunc("multiply"), factors);
        }
        if (operation.c != nullptr) {
            array::WeakScalar beta;
            beta.kind =
                operation.beta.imag() != 0 ? array::WeakKind::complex : array::WeakKind::real;
            beta.real = operation.beta.real();
            beta.imaginary = operation.beta.imag();
            const std::array<array::UfuncOperand, 2> factors{*operation.c, beta};
            value = add(value, array::elementwise(array::ufunc("multiply"), factors));
        }
        return value;
    }
    const std::size_t fused = way.executor->fused_stages();
    const bool all_fused = fused == options_.epilogue.stages().size();
    std::vector<std::vector<Array>> operands = operation.operands;
    Shape shape = core_shape_;
    if (way.folds_rows) {
        shape = {a.size() / k_, n_};
        a = a.reshape({shape[0], k_});
        while (b.ndim() > 2) b = b.index(0, 0);
        for (auto& stage : operands)
            for (Array& operand : stage) operand = folded(operand, shape);
    }
    // The user's own array, where the library can write it.
    const Array& out = operation.out;
    bool into_out = all_fused && out.buffer().block() != nullptr && way.types.d == dtype_ &&
                    out.is_c_contiguous() && !same_memory(out, a) && !same_memory(out, b);
    for (std::size_t i = 0; into_out && i < fused; ++i)
        for (const Array& operand : operands[i])
            if (same_memory(out, operand)) into_out = false;
    if (into_out && operation.c != nullptr && same_memory(out, *operation.c) &&
        !(operation.c->data() == out.data() && operation.c->is_c_contiguous()))
        into_out = false;
    const Array d = into_out ? out.reshape(shape) : Array(shape, way.types.d, stream);
    Array c;
    if (operation.c != nullptr) {
        c = array::cast(*operation.c, way.types.d);
        if (!c.is_c_contiguous()) c = c.copy(stream);
        c = c.reshape(shape);
    }
    const MatmulBuffers buffers{
        a, b, operation.c != nullptr ? &c : nullptr, d, operation.alpha, operation.beta, operands};
    way.executor->enqueue(buffers, stream);
    stages_done = fused;
    return d.reshape(core_shape_);
}

}  // namespace heald::plan
