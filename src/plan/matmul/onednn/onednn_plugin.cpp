// Built where oneDNN's headers are, 2.x or 3.x; opened at run time.

#include "src/plan/matmul/onednn/onednn_interface.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#if DNNL_CPU_RUNTIME == DNNL_RUNTIME_OMP
extern "C" int omp_get_max_threads(void) __attribute__((weak));
extern "C" void omp_set_num_threads(int) __attribute__((weak));
#endif

#define HEALD_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using dnnl::memory;

/// oneDNN starts no threads for what the calling thread does meanwhile; the thread's own number of
/// OpenMP threads is as before afterwards.
class OneThread {
public:
#if DNNL_CPU_RUNTIME == DNNL_RUNTIME_OMP
    OneThread() {
        if (omp_get_max_threads == nullptr || omp_set_num_threads == nullptr) return;
        before_ = omp_get_max_threads();
        if (before_ != 1) omp_set_num_threads(1);
    }
    ~OneThread() {
        if (before_ > 1) omp_set_num_threads(before_);
    }
#else
    OneThread() {}
#endif
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

private:
    int before_ = 0;
};

dnnl::engine& cpu_engine() {
    static auto& engine = *std::make_unique<dnnl::engine>(dnnl::engine::kind::cpu, 0).release();
    return engine;
}

dnnl::stream& cpu_stream() {
    thread_local dnnl::stream stream(cpu_engine());
    return stream;
}

memory::data_type type_of(int type) {
    switch (type) {
        case heald_onednn_bf16:
            return memory::data_type::bf16;
        case heald_onednn_s8:
            return memory::data_type::s8;
        case heald_onednn_u8:
            return memory::data_type::u8;
        case heald_onednn_s32:
            return memory::data_type::s32;
        default:
            return memory::data_type::f32;
    }
}

dnnl::algorithm algorithm_of(int kind) {
    using dnnl::algorithm;
    switch (kind) {
        case heald_onednn_relu:
            return algorithm::eltwise_relu;
        case heald_onednn_gelu_tanh:
            return algorithm::eltwise_gelu_tanh;
        case heald_onednn_gelu_erf:
            return algorithm::eltwise_gelu_erf;
        case heald_onednn_swish:
            return algorithm::eltwise_swish;
        case heald_onednn_logistic:
            return algorithm::eltwise_logistic;
        case heald_onednn_tanh:
            return algorithm::eltwise_tanh;
        case heald_onednn_elu:
            return algorithm::eltwise_elu;
        case heald_onednn_add:
            return algorithm::binary_add;
        case heald_onednn_multiply:
            return algorithm::binary_mul;
        default:
            return algorithm::eltwise_linear;
    }
}

bool has_operand(const heald_onednn_stage& stage) {
    return stage.kind == heald_onednn_add || stage.kind == heald_onednn_multiply;
}

memory::desc matrix(const heald_onednn_problem& p, const int64_t* steps, int64_t rows,
                    int64_t columns, int type) {
    if (p.products == 1) return {{rows, columns}, type_of(type), {steps[1], steps[2]}};
    return {{steps[0] == 0 ? 1 : p.products, rows, columns},
            type_of(type),
            {steps[0] == 0 ? rows * columns : steps[0], steps[1], steps[2]}};
}

memory::desc operand_desc(const heald_onednn_problem& p, const heald_onednn_stage& stage) {
    if (p.products == 1)
        return {{stage.rows, stage.columns}, type_of(stage.type), {stage.row_step, 1}};
    return {{1, stage.rows, stage.columns},
            type_of(stage.type),
            {stage.rows * stage.row_step, stage.row_step, 1}};
}

class Primitive {
public:
    explicit Primitive(const heald_onednn_problem& p)
        : a_(matrix(p, p.a_steps, p.m, p.k, p.a)),
          b_(matrix(p, p.b_steps, p.k, p.n, p.b)),
          d_(matrix(p, p.d_steps, p.m, p.n, p.d)) {
        dnnl::post_ops chain;
        const auto bias = std::make_unique<memory::desc>();
        for (int i = 0; i < p.stage_count; ++i) add_stage(p, i, chain, *bias);
        dnnl::primitive_attr attributes;
        attributes.set_post_ops(chain);
        attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
#if DNNL_VERSION_MAJOR >= 3
        const auto descriptor =
            bias_stage_ < 0
                ? dnnl::matmul::primitive_desc(cpu_engine(), a_, b_, d_, attributes)
                : dnnl::matmul::primitive_desc(cpu_engine(), a_, b_, *bias, d_, attributes);
#else
        const auto operation = bias_stage_ < 0 ? dnnl::matmul::desc(a_, b_, d_)
                                               : dnnl::matmul::desc(a_, b_, *bias, d_);
        const dnnl::matmul::primitive_desc descriptor(operation, attributes, cpu_engine());
#endif
        name_ = descriptor.impl_info_str();
        if (name_.rfind("ref", 0) == 0)
            throw std::runtime_error("only oneDNN's reference code does this");
        scratch_ = descriptor.scratchpad_desc();
        primitive_ = dnnl::matmul(descriptor);
    }

    [[nodiscard]] const char* name() const { return name_.c_str(); }

    void run(const void* a, const void* b, void* d, const void* const* operands) {
        std::unique_ptr<Context> context = take();
        context->a.set_data_handle(const_cast<void*>(a));
        context->b.set_data_handle(const_cast<void*>(b));
        context->d.set_data_handle(d);
        for (auto& [stage, place] : context->operands)
            place.set_data_handle(const_cast<void*>(operands[stage]));
        primitive_.execute(cpu_stream(), context->arguments);
        give(std::move(context));
    }

private:
    /// Memory objects of one execution.
    struct Context {
        memory a, b, d, scratch;
        std::vector<std::pair<int, memory>> operands;
        std::unordered_map<int, memory> arguments;
    };

    void add_stage(const heald_onednn_problem& p, int i, dnnl::post_ops& chain,
                   memory::desc& bias) {
        const heald_onednn_stage& stage = p.stages[i];
        if (stage.kind == heald_onednn_sum) {
            chain.append_sum(stage.alpha);
            return;
        }
        if (has_operand(stage)) {
            const memory::desc operand = operand_desc(p, stage);
            if (stage.kind == heald_onednn_add && stage.rows == 1 && i == 0) {
                bias = operand;
                bias_stage_ = i;
                operands_.push_back({i, DNNL_ARG_BIAS, operand});
                return;
            }
            const int position = chain.len();
            chain.append_binary(algorithm_of(stage.kind), operand);
            operands_.push_back(
                {i, DNNL_ARG_ATTR_MULTIPLE_POST_OP(position) | DNNL_ARG_SRC_1, operand});
            return;
        }
        const float alpha = stage.kind == heald_onednn_swish ? 1.0F : stage.alpha;
#if DNNL_VERSION_MAJOR >= 3
        chain.append_eltwise(algorithm_of(stage.kind), alpha, stage.beta);
#else
        chain.append_eltwise(1.0F, algorithm_of(stage.kind), alpha, stage.beta);
#endif
    }

    std::unique_ptr<Context> take() {
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                auto context = std::move(idle_.back());
                idle_.pop_back();
                return context;
            }
        }
        auto context = std::make_unique<Context>();
        dnnl::engine& engine = cpu_engine();
        context->a = memory(a_, engine, nullptr);
        context->b = memory(b_, engine, nullptr);
        context->d = memory(d_, engine, nullptr);
        context->scratch = memory(scratch_, engine);
        context->arguments = {{DNNL_ARG_SRC, context->a},
                              {DNNL_ARG_WEIGHTS, context->b},
                              {DNNL_ARG_DST, context->d},
                              {DNNL_ARG_SCRATCHPAD, context->scratch}};
        for (const OperandPlace& place : operands_) {
            context->operands.emplace_back(place.stage, memory(place.desc, engine, nullptr));
            context->arguments.insert({place.argument, context->operands.back().second});
        }
        return context;
    }
    void give(std::unique_ptr<Context> context) {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(context));
    }

    struct OperandPlace {
        int stage;
        int argument;
        memory::desc desc;
    };

    memory::desc a_, b_, d_, scratch_;
    std::vector<OperandPlace> operands_;
    int bias_stage_ = -1;
    std::string name_;
    dnnl::matmul primitive_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Context>> idle_;
};

}  // namespace

HEALD_EXPORT int heald_onednn_get_version(void) {
    return heald_onednn_version;
}

HEALD_EXPORT const char* heald_onednn_name(void) {
    static const std::string name = [] {
        const dnnl_version_t* version = dnnl_version();
        return "oneDNN " + std::to_string(version->major) + "." + std::to_string(version->minor) +
               "." + std::to_string(version->patch);
    }();
    return name.c_str();
}

HEALD_EXPORT void* heald_onednn_make(const heald_onednn_problem* problem, char* message,
                                     size_t size) {
    const OneThread one;
    try {
        return new Primitive(*problem);  // given back to heald_onednn_destroy
    } catch (const std::exception& error) {
        std::snprintf(message, size, "%s", error.what());
    }
    return nullptr;
}

HEALD_EXPORT void heald_onednn_destroy(void* primitive) {
    delete static_cast<Primitive*>(primitive);
}

HEALD_EXPORT const char* heald_onednn_describe(void* primitive) {
    return static_cast<Primitive*>(primitive)->name();
}

HEALD_EXPORT int heald_onednn_run(void* primitive, const void* a, const void* b, void* d,
                                  const void* const* operands) {
    const OneThread one;
    try {
        static_cast<Primitive*>(primitive)->run(a, b, d, operands);
        return 0;
    } catch (const dnnl::error& error) {
        return static_cast<int>(error.status);
    } catch (const std::exception&) {
        return dnnl_runtime_error;
    }
}
