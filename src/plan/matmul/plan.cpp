#include "src/plan/matmul/plan.hpp"

#include "src/array/memory_use.hpp"
#include "src/array/ops/elementwise.hpp"
#include "src/array/ops/promotion.hpp"
#include "src/array/ops/reduce.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"
#include "src/core/current.hpp"
#include "src/plan/epilogue/members.hpp"

#include <algorithm>
#include <mutex>

namespace heald::plan {
namespace {

using array::shape_text;

Shape joined(Shape batch, std::int64_t rows, std::int64_t columns) {
    batch.push_back(rows);
    batch.push_back(columns);
    return batch;
}

/// With the axis that an operand of one axis lacks.
Array as_matrix(const Array& array, bool is_row) {
    if (array.ndim() > 1) return array;
    return array.insert_axis(is_row ? 0 : 1);
}

bool broadcasts_to(const Shape& shape, const Shape& target) {
    if (shape.size() > target.size()) return false;
    for (std::size_t i = 1; i <= shape.size(); ++i)
        if (shape[shape.size() - i] != 1 && shape[shape.size() - i] != target[target.size() - i])
            return false;
    return true;
}

}  // namespace

MatmulPlan::MatmulPlan(const MatrixType& a, const MatrixType& b, MatmulOptions options,
                       const Device& device)
    : device_(device),
      options_(std::move(options)),
      a_shape_(a.shape),
      b_shape_(b.shape),
      a_dtype_(a.dtype),
      b_dtype_(b.dtype) {
    check_shapes(a, b);
    dtype_ = options_.dtype.value_or(array::promote(a_dtype_, b_dtype_));
    // Says what has no meaning before anything is executed.
    static_cast<void>(matmul_types(a_dtype_, b_dtype_, dtype_, options_.multiply,
                                   options_.accumulate, options_.exact, device_));
    check_stages();
}

double MatmulPlan::flop() const noexcept {
    double products = 1;
    for (const std::int64_t extent : batch_) products *= static_cast<double>(extent);
    return (info(dtype_).kind == DTypeKind::complex ? 8 : 2) * products * static_cast<double>(m_) *
           static_cast<double>(n_) * static_cast<double>(k_);
}

void MatmulPlan::check_shapes(const MatrixType& a, const MatrixType& b) {
    for (const auto& [type, number] : {std::pair{&a, 0}, std::pair{&b, 1}}) {
        HEALD_EXPECTS(!type->shape.empty(), invalid_value, "[matmul] Input operand ", number,
                      " does not have enough dimensions (has 0, needs 1)");
        for (const std::int64_t extent : type->shape)
            HEALD_EXPECTS(extent >= 0, invalid_value, "[matmul] Input operand ", number,
                          " has shape ", shape_text(type->shape), ": extents must not be negative");
    }
    const std::size_t a_axes = a.shape.size();
    const std::size_t b_axes = b.shape.size();
    m_ = a_axes > 1 ? a.shape[a_axes - 2] : 1;
    k_ = a.shape.back();
    n_ = b_axes > 1 ? b.shape.back() : 1;
    const std::int64_t b_rows = b_axes > 1 ? b.shape[b_axes - 2] : b.shape.back();
    HEALD_EXPECTS(k_ == b_rows, invalid_value,
                  "[matmul] Input operand 1 has a mismatch in its core dimension 0: shapes ",
                  shape_text(a.shape), " and ", shape_text(b.shape), ", ", b_rows,
                  " is different from ", k_);
    const auto batch = [](const Shape& shape) {
        return shape.size() > 2 ? Shape(shape.begin(), shape.end() - 2) : Shape();
    };
    const Shape a_batch = batch(a.shape);
    const Shape b_batch = batch(b.shape);
    batch_ = array::broadcast_shapes(std::vector{&a_batch, &b_batch}, "matmul");
    core_shape_ = joined(batch_, m_, n_);
    shape_ = batch_;
    if (a_axes > 1) shape_.push_back(m_);
    if (b_axes > 1) shape_.push_back(n_);
}

void MatmulPlan::check_stages() {
    std::vector<std::string> names;
    for (const EpilogueStage& stage : options_.epilogue.stages()) {
        for (std::size_t i = 0; i < stage.operands.size(); ++i) {
            const std::string& name = stage.operands[i];
            HEALD_EXPECTS(std::find(names.begin(), names.end(), name) == names.end(), invalid_value,
                          "[Matmul] two epilogue operands are called '", name,
                          "': give one of them another name");
            names.push_back(name);
            const Shape& shape = stage.operand_shapes[i];
            HEALD_EXPECTS(broadcasts_to(shape, core_shape_) || shape == shape_, invalid_value,
                          "[Matmul] epilogue operand '", name, "' has shape ", shape_text(shape),
                          ", which does not broadcast to the product's ", shape_text(core_shape_));
        }
    }
}

void MatmulPlan::check_operand(const char* name, const Array& array, const Shape& shape,
                               DType dtype) const {
    HEALD_EXPECTS(array.shape() == shape, invalid_value, "[Matmul.execute] argument '", name,
                  "' has shape ", shape_text(array.shape()), ", planned was ", shape_text(shape));
    HEALD_EXPECTS(array.dtype() == dtype, type_mismatch, "[Matmul.execute] argument '", name,
                  "' is ", heald::name_of(array.dtype()), ", planned was ", heald::name_of(dtype));
    HEALD_EXPECTS(&array.buffer().block()->device() == &device_.state(), invalid_value,
                  "[Matmul.execute] argument '", name, "' is on ", array.device().name(),
                  ", the plan on ", device_.name(), ": bring it there with x.to(device)");
}

/// An operand of a stage with the axes of the product.
Array MatmulPlan::core_shaped(const Array& operand, const std::string& name,
                              const Shape& planned) const {
    HEALD_EXPECTS(&operand.buffer().block()->device() == &device_.state(), invalid_value,
                  "[Matmul.execute] epilogue operand '", name, "' is on ", operand.device().name(),
                  ", the plan on ", device_.name());
    if (operand.shape() == shape_ && shape_ != core_shape_) return operand.reshape(core_shape_);
    HEALD_EXPECTS(
        planned.empty() ? broadcasts_to(operand.shape(), core_shape_) : operand.shape() == planned,
        invalid_value, "[Matmul.execute] epilogue operand '", name, "' has shape ",
        shape_text(operand.shape()), ", expected ",
        planned.empty() ? text("one that broadcasts to ", shape_text(core_shape_))
                        : shape_text(planned));
    return array::broadcast_view(operand, core_shape_);
}

std::vector<Array> MatmulPlan::stage_operands(std::size_t index,
                                              const MatmulArguments& arguments) const {
    const EpilogueStage& stage = options_.epilogue.stages()[index];
    std::vector<Array> result;
    for (std::size_t i = 0; i < stage.operands.size(); ++i) {
        const std::string& name = stage.operands[i];
        const auto found = std::find_if(arguments.operands.begin(), arguments.operands.end(),
                                        [&](const auto& operand) { return operand.first == name; });
        HEALD_EXPECTS(found != arguments.operands.end(), invalid_value,
                      "[Matmul.execute] the epilogue needs the operand '", name,
                      "', which was not given");
        Shape planned = stage.operand_shapes[i];
        const bool whole = stage.member == EpilogueMember::residual ||
                           stage.member == EpilogueMember::drelu ||
                           stage.member == EpilogueMember::dgelu;
        if (whole) planned = core_shape_;
        if (stage.member == EpilogueMember::bias && planned.empty()) planned = {n_};
        if (stage.member == EpilogueMember::drelu)
            HEALD_EXPECTS(found->second.dtype() == DType::boolean, type_mismatch,
                          "[Matmul.execute] epilogue operand '", name,
                          "' must be the bools that relu_aux gave, got ",
                          heald::name_of(found->second.dtype()));
        result.push_back(core_shaped(found->second, name, planned));
    }
    return result;
}

MatmulPlan::Operation MatmulPlan::operation(const Array& a, const Array& b,
                                            const MatmulArguments& arguments) const {
    check_operand("a", a, a_shape_, a_dtype_);
    check_operand("b", b, b_shape_, b_dtype_);
    Operation result;
    const auto prepared = [](const Array& array, const Prologue& prologue, const char* name) {
        if (!prologue) return array;
        Array changed = prologue(array);
        HEALD_EXPECTS(changed.shape() == array.shape(), invalid_value,
                      "[Matmul.execute] the prologue of ", name, " gave shape ",
                      shape_text(changed.shape()), ", expected ", shape_text(array.shape()));
        return changed;
    };
    const Array left = as_matrix(prepared(a, options_.prologue_a, "a"), true);
    const Array right = as_matrix(prepared(b, options_.prologue_b, "b"), false);
    result.a = batch_.empty() ? left : array::broadcast_view(left, joined(batch_, m_, k_));
    result.b = batch_.empty() ? right : array::broadcast_view(right, joined(batch_, k_, n_));
    result.alpha = arguments.alpha;
    if (arguments.c && arguments.beta != 0.0) {
        result.beta = arguments.beta;
        result.c_matrix = core_shaped(*arguments.c, "c", {});
    }
    const auto& stages = options_.epilogue.stages();
    std::size_t known = 0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        result.operands.push_back(stage_operands(i, arguments));
        known += stages[i].operands.size();
    }
    if (known != arguments.operands.size())
        for (const auto& [name, array] : arguments.operands) {
            const bool wanted = std::any_of(stages.begin(), stages.end(), [&](const auto& stage) {
                return std::find(stage.operands.begin(), stage.operands.end(), name) !=
                       stage.operands.end();
            });
            HEALD_EXPECTS(wanted, invalid_value, "[Matmul.execute] the epilogue has no operand '",
                          name, "'");
        }
    if (arguments.out) {
        check_operand("out", *arguments.out, shape_, dtype_);
        HEALD_EXPECTS(!arguments.out->read_only(), invalid_value,
                      "[Matmul.execute] out is read-only");
        result.out = *arguments.out;
    }
    return result;
}

MatmulResult MatmulPlan::execute(const Array& a, const Array& b, const MatmulArguments& arguments) {
    Operation wanted = operation(a, b, arguments);
    if (wanted.c_matrix.ndim() > 0) wanted.c = &wanted.c_matrix;
    const Stream stream(core::current_stream(device_.state()));
    if (is_empty()) return finished(empty_sum(wanted, stream), 0, wanted);
    const auto way = way_for(wanted, stream);
    std::size_t stages_done = 0;
    Array value = multiplied(*way, wanted, stream, stages_done);
    return finished(std::move(value), stages_done, wanted);
}

Array MatmulPlan::empty_sum(const Operation& operation, const Stream& stream) const {
    Array zero(core_shape_, wide_dtype(dtype_), stream);
    const array::Value nothing{};
    array::assign(zero, nothing);
    if (operation.c == nullptr) return zero;
    return array::cast(*operation.c, zero.dtype());
}

MatmulResult MatmulPlan::finished(Array value, std::size_t stages_done,
                                  const Operation& operation) const {
    MatmulResult result;
    const auto& stages = options_.epilogue.stages();
    if (stages_done < stages.size() && info(value.dtype()).kind == DTypeKind::real)
        value = array::cast(value, wide_dtype(value.dtype()));
    for (std::size_t i = stages_done; i < stages.size(); ++i) {
        std::vector<Array> operands = operation.operands[i];
        for (Array& operand : operands)
            if (operand.dtype() != DType::boolean && stages[i].member != EpilogueMember::function)
                operand = array::cast(operand, array::promote(operand.dtype(), value.dtype()));
        value = epilogue_row(stages[i].member).record(stages[i], value, operands, result.outputs);
        HEALD_EXPECTS(value.shape() == core_shape_, invalid_value, "[Matmul.execute] stage ", i + 1,
                      " of the epilogue gave shape ", shape_text(value.shape()), ", expected ",
                      shape_text(core_shape_));
    }
    value = array::cast(value, dtype_);
    for (auto& [name, output] : result.outputs)
        if (info(output.dtype()).kind == DTypeKind::real && output.ndim() == value.ndim())
            output = array::cast(output, dtype_);
    if (shape_ != core_shape_) value = value.reshape(shape_);
    if (operation.out.ndim() > 0 || shape_.empty()) {
        if (operation.out.buffer().block() != nullptr) {
            const Array& out = operation.out;
            const bool in_place = value.buffer().block() == out.buffer().block();
            if (!in_place) array::assign(out, std::move(value));
            value = out;
        }
    }
    result.result = std::move(value);
    return result;
}

bool MatmulPlan::is_empty() const {
    return k_ == 0 || array::checked_size("matmul", core_shape_, 1) == 0;
}

std::vector<std::shared_ptr<const MatmulPlan::Way>> MatmulPlan::some_ways() {
    std::vector<std::shared_ptr<const Way>> ways;
    {
        const std::lock_guard lock(mutex_);
        ways = ways_;
    }
    if (ways.empty() && !is_empty()) {
        // As it would be for operands in C order.
        const Stream stream(core::current_stream(device_.state()));
        const Array a(a_shape_, a_dtype_, stream);
        const Array b(b_shape_, b_dtype_, stream);
        MatmulArguments arguments;
        for (const EpilogueStage& stage : options_.epilogue.stages())
            for (std::size_t i = 0; i < stage.operands.size(); ++i) {
                const bool mask = stage.member == EpilogueMember::drelu;
                Shape shape = stage.operand_shapes[i];
                if (shape.empty())
                    shape = stage.member == EpilogueMember::bias ? Shape{n_} : core_shape_;
                arguments.operands.emplace_back(
                    stage.operands[i], Array(shape, mask ? DType::boolean : dtype_, stream));
            }
        ways.push_back(way_for(operation(a, b, arguments), stream));
    }
    return ways;
}

void MatmulPlan::prepare() {
    static_cast<void>(some_ways());
}

void MatmulPlan::autotune(int iterations) {
    HEALD_EXPECTS(iterations > 0, invalid_value,
                  "[Matmul.autotune] iterations must be positive, got ", iterations);
    const Stream stream(core::current_stream(device_.state()));
    for (const auto& way : some_ways())
        if (way->executor != nullptr) way->executor->autotune(stream, iterations);
}

std::vector<MatmulAlgorithm> MatmulPlan::algorithms() {
    for (const auto& way : some_ways())
        if (way->executor != nullptr) return way->executor->algorithms();
    return {};
}

std::string MatmulPlan::explain() {
    const auto matrix = [](const Shape& shape, DType dtype) {
        return text(shape_text(shape), " ", heald::name_of(dtype));
    };
    std::string lines =
        text("Matmul ", matrix(a_shape_, a_dtype_), " @ ", matrix(b_shape_, b_dtype_), " -> ",
             matrix(shape_, dtype_), " on ", device_.name(), "\n");
    const auto ways = some_ways();
    for (const auto& way : ways) {
        const auto& stages = options_.epilogue.stages();
        const std::size_t fused = way->executor != nullptr ? way->executor->fused_stages() : 0;
        const MatmulTypes& types = way->types;
        lines +=
            text("  product: ",
                 way->executor != nullptr ? way->executor->describe() : "heald's own kernel", "\n");
        lines += text("    types: ", heald::name_of(types.a), " @ ", heald::name_of(types.b),
                      " -> ", heald::name_of(types.d));
        if (types.multiply != Multiply::operands)
            lines += text(", multiplied in ", name_of(types.multiply));
        if (types.rounded) lines += text(", operands rounded to ", heald::name_of(*types.rounded));
        if (types.a != a_dtype_ || types.b != b_dtype_) lines += "; operands are cast first";
        if (types.d != dtype_) lines += text("; the result is cast to ", heald::name_of(dtype_));
        lines += "\n";
        if (way->folds_rows) lines += "    the products are computed as rows of one\n";
        if (way->conjugates_first) lines += "    conjugates are computed first\n";
        const std::span chain(stages);
        if (fused > 0) lines += text("    fused: ", chain_text(chain.first(fused)), "\n");
        if (fused < stages.size())
            lines +=
                text("    in one pass over the result: ", chain_text(chain.subspan(fused)), "\n");
        if (!way->notes.empty()) lines += way->notes;
    }
    return lines;
}

}  // namespace heald::plan
