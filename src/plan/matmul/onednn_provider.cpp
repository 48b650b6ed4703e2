#include "src/array/host_work.hpp"
#include "src/base/check.hpp"
#include "src/base/library.hpp"
#include "src/plan/matmul/onednn/onednn_interface.h"
#include "src/plan/matmul/onednn_stages.hpp"
#include "src/plan/matmul/provider.hpp"
#include "src/plan/matmul/tiles.hpp"

#include <array>
#include <map>
#include <memory>

namespace heald::plan {
namespace {

struct Api {
    decltype(&heald_onednn_get_version) get_version = nullptr;
    decltype(&heald_onednn_name) name = nullptr;
    decltype(&heald_onednn_make) make = nullptr;
    decltype(&heald_onednn_destroy) destroy = nullptr;
    decltype(&heald_onednn_describe) describe = nullptr;
    decltype(&heald_onednn_run) run = nullptr;
};

Library& library() {
    static Library& onednn = *std::make_unique<Library>([] {
                                  LibrarySpec spec;
                                  spec.name = "libheald_onednn";
                                  spec.purpose = "products of matrices on the CPU";
                                  spec.sonames = {"libheald_onednn.so"};
                                  spec.path_setting = Setting::onednn_path;
                                  spec.remedy =
                                      "install oneDNN (Debian: libdnnl-dev) and build "
                                      "heald again";
                                  spec.beside_heald = true;
                                  spec.must_define = "heald_onednn_run";
                                  return spec;
                              }())
                                  .release();
    return onednn;
}

const Api& api() {
    static const Api functions = [] {
        Library& from = library();
        Api found;
        found.get_version = from.function<decltype(found.get_version)>("heald_onednn_get_version");
        found.name = from.function<decltype(found.name)>("heald_onednn_name");
        found.make = from.function<decltype(found.make)>("heald_onednn_make");
        found.destroy = from.function<decltype(found.destroy)>("heald_onednn_destroy");
        found.describe = from.function<decltype(found.describe)>("heald_onednn_describe");
        found.run = from.function<decltype(found.run)>("heald_onednn_run");
        return found;
    }();
    return functions;
}

std::string missing() {
    if (!library().available()) return library().why_missing();
    if (api().get_version == nullptr || api().get_version() != heald_onednn_version)
        return text(library().path(), " belongs to another version of heald: build it again");
    return {};
}

struct TypeRow {
    DType a, b, d;
};
constexpr std::array types{
    TypeRow{DType::float32, DType::float32, DType::float32},
    TypeRow{DType::bfloat16, DType::bfloat16, DType::bfloat16},
    TypeRow{DType::bfloat16, DType::bfloat16, DType::float32},
    TypeRow{DType::int8, DType::int8, DType::int32},
    TypeRow{DType::uint8, DType::int8, DType::int32},
};

bool takes_types(const MatmulProblem& problem) {
    for (const TypeRow& row : types)
        if (row.a == problem.a && row.b == problem.b && row.d == problem.d) return true;
    return false;
}

class Primitive {
public:
    explicit Primitive(void* handle) : handle_(handle) {}
    ~Primitive() { api().destroy(handle_); }
    Primitive(const Primitive&) = delete;
    Primitive& operator=(const Primitive&) = delete;
    [[nodiscard]] void* get() const noexcept { return handle_; }

private:
    void* handle_;
};

class Executor final : public MatmulExecutor {
public:
    Executor(const MatmulProblem& problem, Shape product_steps, TileGrid grid, std::size_t stages,
             std::vector<OneDnnStage> chain)
        : problem_(problem),
          product_steps_(std::move(product_steps)),
          grid_(grid),
          fused_(stages),
          chain_(std::move(chain)) {
        problem_.stages = {};
        problem_.stage_operands = {};
        a_size_ = static_cast<std::int64_t>(size_of(problem.a));
        b_size_ = static_cast<std::int64_t>(size_of(problem.b));
        d_size_ = static_cast<std::int64_t>(size_of(problem.d));
    }

    /// Primitives for every size of tile. False: oneDNN has no fast code for it.
    bool prepare(std::string& why) {
        for (std::int64_t piece = 0; piece < grid_.pieces(); ++piece) {
            const Tile tile = grid_.tile(piece);
            auto& primitive = primitives_[{tile.products, tile.rows, tile.columns}];
            if (primitive != nullptr) continue;
            primitive = make(tile, why);
            if (primitive == nullptr) return false;
        }
        by_piece_.reserve(static_cast<std::size_t>(grid_.pieces()));
        for (std::int64_t piece = 0; piece < grid_.pieces(); ++piece) {
            const Tile tile = grid_.tile(piece);
            by_piece_.push_back(primitives_[{tile.products, tile.rows, tile.columns}]->get());
        }
        return true;
    }

    void enqueue(const MatmulBuffers& buffers, const Stream& stream) override {
        array::HostWork work(stream);
        Run run;
        run.executor = this;
        run.a = work.read<char>(buffers.a);
        run.b = work.read<char>(buffers.b);
        for (std::size_t i = 0; i < chain_.size(); ++i) {
            const OneDnnStage& stage = chain_[i];
            run.operands[i] = stage.is_c ? work.read<char>(*buffers.c)
                              : stage.has_operand()
                                  ? work.read<char>(buffers.stage_operands[stage.stage][0])
                                  : nullptr;
        }
        run.d = work.write<char>(buffers.d);
        if (problem_.has_c && sums_into_d_) buffers.d.copy_from(*buffers.c, stream);
        const bool short_work = problem_.flop() < 8e6;
        work.run(grid_.pieces(), short_work, run);
    }

    [[nodiscard]] std::string describe() const override {
        return text(api().name(), " ", api().describe(primitives_.begin()->second->get()), ", ",
                    grid_.pieces(), grid_.pieces() == 1 ? " piece" : " pieces");
    }
    [[nodiscard]] std::size_t fused_stages() const override { return fused_; }
    [[nodiscard]] bool any_scalars() const override { return false; }
    void sum_into_d() { sums_into_d_ = true; }

private:
    static constexpr std::size_t most_stages = 16;

    struct Run {
        Executor* executor = nullptr;
        const char* a = nullptr;
        const char* b = nullptr;
        char* d = nullptr;
        std::array<const char*, most_stages> operands{};

        void operator()(std::int64_t piece) const { executor->run_piece(*this, piece); }
    };

    void run_piece(const Run& run, std::int64_t piece) const {
        const Tile tile = grid_.tile(piece);
        const MatmulProblem& p = problem_;
        const char* a =
            run.a + (tile.product * product_steps_[0] + tile.row * p.a_steps.row) * a_size_;
        const char* b =
            run.b + (tile.product * product_steps_[1] + tile.column * p.b_steps.column) * b_size_;
        char* d = run.d + (tile.product * product_steps_[2] + tile.row * p.d_steps.row +
                           tile.column * p.d_steps.column) *
                              d_size_;
        std::array<const void*, most_stages> operands{};
        for (std::size_t i = 0; i < chain_.size(); ++i)
            if (run.operands[i] != nullptr)
                operands[i] = run.operands[i] + chain_[i].offset(tile.row, tile.column);
        const int status =
            api().run(by_piece_[static_cast<std::size_t>(piece)], a, b, d, operands.data());
        HEALD_EXPECTS(status == 0, device, "[matmul] oneDNN failed with status ", status);
    }

    std::unique_ptr<Primitive> make(const Tile& tile, std::string& why) const {
        heald_onednn_problem wanted{};
        const MatmulProblem& p = problem_;
        wanted.products = tile.products;
        wanted.m = tile.rows;
        wanted.n = tile.columns;
        wanted.k = p.k;
        wanted.a = onednn_type(p.a);
        wanted.b = onednn_type(p.b);
        wanted.d = onednn_type(p.d);
        const auto steps = [](std::int64_t* into, std::int64_t product, const MatrixSteps& from,
                              std::int64_t rows, std::int64_t columns) {
            const auto order = order_of(from, rows, columns);
            into[0] = product;
            into[1] = order->by_columns ? 1 : order->leading;
            into[2] = order->by_columns ? order->leading : 1;
        };
        steps(wanted.a_steps, product_steps_[0], p.a_steps, p.m, p.k);
        steps(wanted.b_steps, product_steps_[1], p.b_steps, p.k, p.n);
        steps(wanted.d_steps, product_steps_[2], p.d_steps, p.m, p.n);
        std::vector<heald_onednn_stage> stages;
        for (const OneDnnStage& stage : chain_)
            stages.push_back(stage.for_tile(tile.rows, tile.columns));
        wanted.stage_count = static_cast<int>(stages.size());
        wanted.stages = stages.data();
        std::array<char, 512> message{};
        void* handle = api().make(&wanted, message.data(), message.size());
        if (handle != nullptr) return std::make_unique<Primitive>(handle);
        why = message.data();
        return nullptr;
    }

    MatmulProblem problem_;
    Shape product_steps_;  ///< of a, b and d
    TileGrid grid_;
    std::size_t fused_;
    std::vector<OneDnnStage> chain_;
    bool sums_into_d_ = false;
    std::int64_t a_size_, b_size_, d_size_;
    std::map<std::array<std::int64_t, 3>, std::unique_ptr<Primitive>> primitives_;
    std::vector<void*> by_piece_;
};

std::unique_ptr<MatmulExecutor> make(const MatmulProblem& problem, const Stream& stream,
                                     std::string& why) {
    if (!takes_types(problem) || problem.multiply != Multiply::operands) {
        why = "oneDNN does not multiply these dtypes";
        return nullptr;
    }
    if (problem.conjugate_a || problem.conjugate_b || problem.alpha.imag() != 0 ||
        problem.beta.imag() != 0) {
        why = "oneDNN has no complex numbers";
        return nullptr;
    }
    const auto a = joined_step(problem.batch, problem.a_steps.batch);
    const auto b = joined_step(problem.batch, problem.b_steps.batch);
    const auto d = joined_step(problem.batch, problem.d_steps.batch);
    if (!a || !b || !d || *a < 0 || *b < 0 || *d < 0) {
        why = "the products are not at equal distances";
        return nullptr;
    }
    const std::int64_t threads = stream.state().device.backend().properties().multiprocessor_count;
    const TileGrid grid(problem.products(), problem.m, problem.n, problem.k, threads);
    // As much of the chain as oneDNN has fast code for.
    for (std::size_t stages = fusible_stages(problem);; --stages) {
        bool sums = false;
        auto chain = onednn_chain(problem, stages, sums);
        if (chain) {
            auto executor = std::make_unique<Executor>(problem, Shape{*a, *b, *d}, grid, stages,
                                                       *std::move(chain));
            if (sums) executor->sum_into_d();
            if (executor->prepare(why)) return executor;
        }
        if (stages == 0) return nullptr;
    }
}

}  // namespace

const MatmulProvider& onednn_provider() {
    static const MatmulProvider provider{"oneDNN", DeviceKind::cpu, missing, make};
    return provider;
}

}  // namespace heald::plan
