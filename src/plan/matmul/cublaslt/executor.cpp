#include "src/plan/matmul/cublaslt/executor.hpp"

#include "src/array/memory_use.hpp"
#include "src/base/check.hpp"
#include "src/core/ordering.hpp"
#include "src/plan/tuning_store.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <map>

namespace heald::cublaslt {
namespace {

constexpr std::uint32_t usual_alignment = 16;
constexpr int most_algorithms = 16;

void check(Status status, const char* call) {
    HEALD_EXPECTS(status == Status::success, device, "[matmul] ", call,
                  " failed: ", name_of(status), " (cublasStatus ", static_cast<int>(status), ")");
}

template <class Function>
void on_device(const Stream& stream, Function&& function) {
    stream.state().device.backend().with_library(
        [](void* data) { (*static_cast<std::remove_reference_t<Function>*>(data))(); }, &function);
}

/// One for each device, never destroyed: libraries may be gone at the end of the process.
Handle handle_of(const Stream& stream) {
    static auto& mutex = *std::make_unique<std::mutex>().release();
    static auto& handles = *std::make_unique<std::map<int, Handle>>().release();
    const std::lock_guard lock(mutex);
    Handle& handle = handles[stream.state().device.ordinal()];
    if (handle == nullptr) check(api().cublasLtCreate(&handle), "cublasLtCreate");
    return handle;
}

std::uint32_t alignment_of(const void* address) {
    const auto bits = reinterpret_cast<std::uintptr_t>(address);
    std::uint32_t alignment = usual_alignment;
    while (alignment > 1 && bits % alignment != 0) alignment /= 2;
    return alignment;
}

std::string hex(const MatmulAlgo& algo) {
    std::string digits;
    for (const std::uint64_t word : algo.data) {
        std::array<char, 17> buffer{};
        std::snprintf(buffer.data(), buffer.size(), "%016llx",
                      static_cast<unsigned long long>(word));
        digits += buffer.data();
    }
    return digits;
}

std::optional<MatmulAlgo> from_hex(std::string_view digits) {
    if (digits.size() < 128) return std::nullopt;
    MatmulAlgo algo{};
    for (std::size_t i = 0; i < 8; ++i) {
        const char* begin = digits.data() + 16 * i;
        const auto [end, error] = std::from_chars(begin, begin + 16, algo.data[i], 16);
        if (error != std::errc{} || end != begin + 16) return std::nullopt;
    }
    return algo;
}

int config(const MatmulAlgo& algo, ConfigAttribute attribute) {
    std::uint32_t value = 0;
    std::size_t written = 0;
    const Status status = api().cublasLtMatmulAlgoConfigGetAttribute(&algo, attribute, &value,
                                                                     sizeof value, &written);
    return status == Status::success ? static_cast<int>(value) : -1;
}

std::string algorithm_name(const MatmulAlgo& algo) {
    std::string name = text("algorithm ", config(algo, ConfigAttribute::id), " tile ",
                            config(algo, ConfigAttribute::tile), " stages ",
                            config(algo, ConfigAttribute::stages));
    if (const int split = config(algo, ConfigAttribute::split_k); split > 1)
        name += text(" split-k ", split);
    return name;
}

}  // namespace

Executor::Executor(const plan::MatmulProblem& problem, const Types& types, const Fused& fused,
                   const Layout& a, const Layout& b, const Stream& stream)
    : problem_(problem),
      types_(types),
      fused_(fused),
      a_layout_(a),
      b_layout_(b),
      device_(stream.device().properties().name) {
    problem_.stages = {};
    problem_.stage_operands = {};
    on_device(stream, [&] { handle_ = handle_of(stream); });
    make_descriptors();
}

Executor::~Executor() {
    if (process_exits()) return;
    if (a_ != nullptr) api().cublasLtMatrixLayoutDestroy(a_);
    if (b_ != nullptr) api().cublasLtMatrixLayoutDestroy(b_);
    if (d_ != nullptr) api().cublasLtMatrixLayoutDestroy(d_);
    if (description_ != nullptr) api().cublasLtMatmulDescDestroy(description_);
}

void Executor::make_descriptors() {
    const Api& lt = api();
    const std::size_t joined = joined_axes(problem_);
    const auto inner = static_cast<std::ptrdiff_t>(joined);
    const auto split = [&](const Shape& steps, Shape& outer) {
        outer = Shape(steps.begin(), steps.end() - inner);
        const Shape extents(problem_.batch.end() - inner, problem_.batch.end());
        return plan::joined_step(extents, Shape(steps.end() - inner, steps.end())).value_or(0);
    };
    outer_ = Shape(problem_.batch.begin(), problem_.batch.end() - inner);
    std::int32_t count = 1;
    for (auto extent = problem_.batch.end() - inner; extent != problem_.batch.end(); ++extent)
        count *= static_cast<std::int32_t>(*extent);

    check(lt.cublasLtMatmulDescCreate(&description_, types_.compute, types_.scale),
          "cublasLtMatmulDescCreate");
    const auto set = [&](DescAttribute attribute, const auto& value) {
        check(lt.cublasLtMatmulDescSetAttribute(description_, attribute, &value, sizeof value),
              "cublasLtMatmulDescSetAttribute");
    };
    // Its a is our b (problem.hpp).
    set(DescAttribute::transpose_a, b_layout_.operation);
    set(DescAttribute::transpose_b, a_layout_.operation);
    std::uint32_t epilogue = fused_.epilogue;
    if (fused_.bias) {
        epilogue = epilogue == epilogue_default ? epilogue_bias : epilogue | epilogue_bias;
        set(DescAttribute::bias_type, types_.d);
    }
    set(DescAttribute::epilogue, epilogue);

    const auto layout = [&](MatrixLayout& made, DataType type, const Layout& from,
                            std::int64_t step) {
        check(lt.cublasLtMatrixLayoutCreate(&made, type, from.rows, from.columns, from.leading),
              "cublasLtMatrixLayoutCreate");
        if (count == 1) return;
        check(lt.cublasLtMatrixLayoutSetAttribute(made, LayoutAttribute::batch_count, &count,
                                                  sizeof count),
              "cublasLtMatrixLayoutSetAttribute");
        check(lt.cublasLtMatrixLayoutSetAttribute(made, LayoutAttribute::batch_offset, &step,
                                                  sizeof step),
              "cublasLtMatrixLayoutSetAttribute");
    };
    layout(a_, types_.b, b_layout_, split(problem_.b_steps.batch, outer_b_));
    layout(b_, types_.a, a_layout_, split(problem_.a_steps.batch, outer_a_));
    const Layout d{static_cast<std::uint64_t>(problem_.n), static_cast<std::uint64_t>(problem_.m),
                   problem_.d_steps.row, operation_n, 0};
    layout(d_, types_.d, d, split(problem_.d_steps.batch, outer_d_));
}

std::vector<Algorithm> Executor::candidates(std::uint32_t alignment, int most,
                                            Status& status) const {
    const Api& lt = api();
    MatmulPreference preference = nullptr;
    check(lt.cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
    const std::uint64_t limit = problem_.workspace_limit;
    lt.cublasLtMatmulPreferenceSetAttribute(preference, PreferenceAttribute::workspace_bytes,
                                            &limit, sizeof limit);
    for (const auto attribute :
         {PreferenceAttribute::alignment_a, PreferenceAttribute::alignment_b,
          PreferenceAttribute::alignment_c, PreferenceAttribute::alignment_d})
        lt.cublasLtMatmulPreferenceSetAttribute(preference, attribute, &alignment,
                                                sizeof alignment);
    if (problem_.deterministic) {
        // Without sums in place, whose order is not fixed.
        const std::uint32_t schemes = 2 | 4;
        lt.cublasLtMatmulPreferenceSetAttribute(preference, PreferenceAttribute::reduction_schemes,
                                                &schemes, sizeof schemes);
    }
    std::vector<HeuristicResult> results(static_cast<std::size_t>(most));
    int found = 0;
    status = lt.cublasLtMatmulAlgoGetHeuristic(handle_, description_, a_, b_, d_, d_, preference,
                                               most, results.data(), &found);
    lt.cublasLtMatmulPreferenceDestroy(preference);
    std::vector<Algorithm> algorithms;
    if (status != Status::success) return algorithms;
    for (int i = 0; i < found; ++i) {
        const HeuristicResult& result = results[static_cast<std::size_t>(i)];
        if (result.state == Status::success && result.workspace <= limit)
            algorithms.push_back({result.algo, result.workspace, 0});
    }
    if (algorithms.empty()) status = Status::not_supported;
    return algorithms;
}

bool Executor::take_stored(const std::string& choice) {
    const auto algo = from_hex(choice);
    if (!algo) return false;
    HeuristicResult result{};
    const Status status =
        api().cublasLtMatmulAlgoCheck(handle_, description_, a_, b_, d_, d_, &*algo, &result);
    if (status != Status::success || result.workspace > problem_.workspace_limit) return false;
    algorithms_ = {{*algo, result.workspace, 0}};
    chosen_ = 0;
    from_store_ = true;
    return true;
}

bool Executor::prepare(const Stream& stream, std::string& why) {
    bool good = false;
    on_device(stream, [&] {
        const std::string key = tuning_key(problem_, fused_, usual_alignment, device_);
        if (const auto choice = plan::find_tuning(key); choice && take_stored(*choice)) {
            good = true;
            return;
        }
        Status status = Status::success;
        algorithms_ = candidates(usual_alignment, most_algorithms, status);
        good = !algorithms_.empty();
        if (!good) why = text("cuBLASLt has no algorithm for it (", name_of(status), ")");
    });
    return good;
}

void Executor::choose_for_alignment(std::uint32_t alignment) {
    if (!unaligned_.empty()) return;
    Status status = Status::success;
    unaligned_ = candidates(alignment, 1, status);
    HEALD_EXPECTS(!unaligned_.empty(), unavailable,
                  "[matmul] cuBLASLt has no algorithm for "
                  "operands at addresses that are multiples of ",
                  alignment, " bytes: copy them first (x.copy())");
}

void Executor::write_scalar(char* to, std::complex<double> value) const {
    const auto put = [&](auto scalar) { std::memcpy(to, &scalar, sizeof scalar); };
    switch (types_.scale) {
        case DataType::f64:
            return put(value.real());
        case DataType::c64:
            return put(std::complex<float>(value));
        case DataType::c128:
            return put(value);
        case DataType::i32:
            return put(static_cast<std::int32_t>(value.real()));
        case DataType::f16: {
            const auto half = static_cast<_Float16>(value.real());
            return put(half);
        }
        default:
            return put(static_cast<float>(value.real()));
    }
}

Status Executor::run(const Call& call, const Algorithm& algorithm, CudaStream stream) {
    if (fused_.bias) {
        const Status status = api().cublasLtMatmulDescSetAttribute(
            description_, DescAttribute::bias_pointer, &call.bias, sizeof call.bias);
        if (status != Status::success) return status;
    }
    std::int64_t calls = 1;
    for (const std::int64_t extent : outer_) calls *= extent;
    const auto a_size = static_cast<std::int64_t>(size_of(problem_.a));
    const auto b_size = static_cast<std::int64_t>(size_of(problem_.b));
    const auto d_size = static_cast<std::int64_t>(size_of(problem_.d));
    for (std::int64_t i = 0; i < calls; ++i) {
        std::int64_t a = 0;
        std::int64_t b = 0;
        std::int64_t d = 0;
        std::int64_t rest = i;
        for (std::size_t axis = outer_.size(); axis-- > 0;) {
            const std::int64_t at = rest % outer_[axis];
            rest /= outer_[axis];
            a += at * outer_a_[axis];
            b += at * outer_b_[axis];
            d += at * outer_d_[axis];
        }
        char* result = call.d + d * d_size;
        const char* added = call.c != nullptr ? call.c + d * d_size : result;
        const Status status =
            api().cublasLtMatmul(handle_, description_, call.alpha, call.b + b * b_size, a_,
                                 call.a + a * a_size, b_, call.beta, added, d_, result, d_,
                                 &algorithm.algo, call.workspace, algorithm.workspace, stream);
        if (status != Status::success) return status;
    }
    return Status::success;
}

Array Executor::workspace_for(const Stream& stream, std::size_t bytes) {
    const std::uint64_t id = stream.state().timeline->id();
    for (Workspace& workspace : workspaces_)
        if (workspace.stream == id && workspace.memory.nbytes() >= bytes) return workspace.memory;
    constexpr std::size_t most_streams = 4;
    if (workspaces_.size() >= most_streams) workspaces_.erase(workspaces_.begin());
    workspaces_.push_back({id, Array({static_cast<std::int64_t>(bytes)}, DType::uint8, stream)});
    return workspaces_.back().memory;
}

void Executor::enqueue(const plan::MatmulBuffers& buffers, const Stream& stream) {
    Call call;
    std::array<MemoryUse, 6> uses{};
    std::size_t count = 0;
    const auto read = [&](const Array& array) {
        const void* data = array.data();
        uses[count++] = array::use_of(array, false);
        return static_cast<const char*>(data);
    };
    call.a = read(buffers.a);
    call.b = read(buffers.b);
    std::complex<double> beta = 0;
    if (fused_.addend) {
        call.c = read(buffers.stage_operands[*fused_.addend][0]);
        beta = 1;
    } else if (buffers.c != nullptr) {
        call.c = read(*buffers.c);
        beta = buffers.beta;
    }
    if (fused_.bias) call.bias = read(buffers.stage_operands[*fused_.bias][0]);
    call.d = static_cast<char*>(buffers.d.data());
    uses[count++] = array::use_of(buffers.d, true);
    write_scalar(call.alpha, buffers.alpha * fused_.scale);
    write_scalar(call.beta, beta);
    std::uint32_t alignment = std::min(alignment_of(call.a), alignment_of(call.b));
    alignment = std::min(alignment, alignment_of(call.d));
    if (call.c != nullptr) alignment = std::min(alignment, alignment_of(call.c));

    const std::lock_guard lock(mutex_);
    Algorithm algorithm;
    on_device(stream, [&] {
        if (alignment < usual_alignment) {
            choose_for_alignment(static_cast<std::uint32_t>(size_of(problem_.a)));
            algorithm = unaligned_.front();
        } else {
            algorithm = algorithms_[chosen_];
        }
        Array workspace;
        if (algorithm.workspace > 0) {
            workspace = workspace_for(stream, algorithm.workspace);
            call.workspace = workspace.data();
            uses[count++] = array::use_of(workspace, true);
        }
        Status status = Status::success;
        core::enqueue(stream.state(), std::span(uses.data(), count), [&](core::QueueImpl& queue) {
            status = run(call, algorithm, reinterpret_cast<CudaStream>(queue.handle()));
        });
        check(status, "cublasLtMatmul");
    });
}

std::string Executor::describe() const {
    const std::lock_guard lock(mutex_);
    const Algorithm& algorithm = algorithms_[chosen_];
    std::string line = text(version_text(), ", ", algorithm_name(algorithm.algo));
    if (algorithm.workspace > 0) line += text(", workspace ", bytes_text(algorithm.workspace));
    line += from_store_                  ? " (measured, stored)"
            : algorithm.milliseconds > 0 ? text(" (measured, ", algorithm.milliseconds, " ms)")
                                         : text(" (the first of ", algorithms_.size(), ")");
    return line;
}

std::vector<MatmulAlgorithm> Executor::algorithms() const {
    const std::lock_guard lock(mutex_);
    std::vector<MatmulAlgorithm> list;
    for (std::size_t i = 0; i < algorithms_.size(); ++i)
        list.push_back({algorithm_name(algorithms_[i].algo), algorithms_[i].workspace,
                        algorithms_[i].milliseconds, i == chosen_});
    return list;
}

}  // namespace heald::cublaslt
