#include "src/array/host_work.hpp"
#include "src/base/check.hpp"
#include "src/plan/matmul/blas_library.hpp"
#include "src/plan/matmul/provider.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>

namespace heald::plan {
namespace {

constexpr int row_major = 101, column_major = 102;
constexpr int not_transposed = 111, transposed = 112, conjugate_transposed = 113;

std::string missing() {
    return blas_library().why_missing;
}

void* gemm_of(DType dtype) {
    const BlasLibrary& blas = blas_library();
    switch (dtype) {
        case DType::float32:
            return blas.gemm_float32;
        case DType::float64:
            return blas.gemm_float64;
        case DType::complex64:
            return blas.gemm_complex64;
        case DType::complex128:
            return blas.gemm_complex128;
        default:
            return nullptr;
    }
}

/// One call of cblas_?gemm, but for the addresses.
struct Call {
    int layout = row_major;
    int transpose_a = not_transposed;
    int transpose_b = not_transposed;
    std::int64_t m = 0, n = 0, k = 0;
    std::int64_t leading_a = 1, leading_b = 1, leading_d = 1;
};

template <class Int, class Scalar>
void call_real(void* gemm, const Call& c, double alpha, const void* a, const void* b, double beta,
               void* d) {
    using Function = void (*)(int, int, int, Int, Int, Int, Scalar, const void*, Int, const void*,
                              Int, Scalar, void*, Int);
    reinterpret_cast<Function>(gemm)(
        c.layout, c.transpose_a, c.transpose_b, static_cast<Int>(c.m), static_cast<Int>(c.n),
        static_cast<Int>(c.k), static_cast<Scalar>(alpha), a, static_cast<Int>(c.leading_a), b,
        static_cast<Int>(c.leading_b), static_cast<Scalar>(beta), d, static_cast<Int>(c.leading_d));
}

template <class Int, class Real>
void call_complex(void* gemm, const Call& c, std::complex<double> alpha, const void* a,
                  const void* b, std::complex<double> beta, void* d) {
    using Function = void (*)(int, int, int, Int, Int, Int, const void*, const void*, Int,
                              const void*, Int, const void*, void*, Int);
    const std::complex<Real> scale(alpha);
    const std::complex<Real> keep(beta);
    reinterpret_cast<Function>(gemm)(
        c.layout, c.transpose_a, c.transpose_b, static_cast<Int>(c.m), static_cast<Int>(c.n),
        static_cast<Int>(c.k), &scale, a, static_cast<Int>(c.leading_a), b,
        static_cast<Int>(c.leading_b), &keep, d, static_cast<Int>(c.leading_d));
}

template <class Int>
void call(DType dtype, const Call& c, std::complex<double> alpha, const void* a, const void* b,
          std::complex<double> beta, void* d) {
    void* gemm = gemm_of(dtype);
    switch (dtype) {
        case DType::float32:
            return call_real<Int, float>(gemm, c, alpha.real(), a, b, beta.real(), d);
        case DType::float64:
            return call_real<Int, double>(gemm, c, alpha.real(), a, b, beta.real(), d);
        case DType::complex64:
            return call_complex<Int, float>(gemm, c, alpha, a, b, beta, d);
        default:
            return call_complex<Int, double>(gemm, c, alpha, a, b, beta, d);
    }
}

/// The library runs at most as many threads as the device has while this lives.
class LimitedThreads {
public:
    explicit LimitedThreads(std::int64_t threads) {
        const BlasLibrary& blas = blas_library();
        if (blas.get_threads == nullptr || blas.set_threads == nullptr) return;
        const int now = blas.get_threads();
        if (now <= threads) return;
        lock_ = std::unique_lock(mutex());
        before_ = blas.get_threads();
        blas.set_threads(static_cast<int>(threads));
    }
    ~LimitedThreads() {
        if (before_ > 0) blas_library().set_threads(before_);
    }
    LimitedThreads(const LimitedThreads&) = delete;
    LimitedThreads& operator=(const LimitedThreads&) = delete;

private:
    static std::mutex& mutex() {
        static auto& mutex = *std::make_unique<std::mutex>().release();
        return mutex;
    }
    std::unique_lock<std::mutex> lock_;
    int before_ = 0;
};

class Executor final : public MatmulExecutor {
public:
    Executor(const MatmulProblem& problem, Call call, std::int64_t threads)
        : problem_(problem), call_(call), threads_(threads) {
        problem_.stages = {};
        problem_.stage_operands = {};
        size_ = static_cast<std::int64_t>(size_of(problem.d));
    }

    void enqueue(const MatmulBuffers& buffers, const Stream& stream) override {
        if (buffers.c != nullptr &&
            !(buffers.c->data() == buffers.d.data() && problem_.c_steps == problem_.d_steps))
            buffers.d.copy_from(*buffers.c, stream);
        array::HostWork work(stream);
        const char* a = work.read<char>(buffers.a);
        const char* b = work.read<char>(buffers.b);
        char* d = work.write<char>(buffers.d);
        const std::complex<double> alpha = buffers.alpha;
        const std::complex<double> beta =
            buffers.c != nullptr ? buffers.beta : std::complex<double>(0);
        const std::int64_t products = problem_.products();
        const double flop = problem_.flop();
        // The library runs threads of its own for a large product, so those run one by one.
        const bool side_by_side = products > 1 && flop / static_cast<double>(products) < 5e5;
        const std::int64_t pieces = side_by_side ? std::min(products, threads_) : 1;
        work.run(pieces, flop < 8e6,
                 [this, a, b, d, alpha, beta, products, pieces](std::int64_t piece) {
                     const array::Parts parts{products, pieces};
                     const LimitedThreads limit(threads_);
                     for (std::int64_t i = parts.begin(piece); i < parts.end(piece); ++i)
                         run(i, a, b, d, alpha, beta);
                 });
    }

    [[nodiscard]] std::string describe() const override {
        return text(blas_library().name, ", cblas_", letter(), "gemm");
    }

private:
    [[nodiscard]] char letter() const {
        return problem_.d == DType::float32     ? 's'
               : problem_.d == DType::float64   ? 'd'
               : problem_.d == DType::complex64 ? 'c'
                                                : 'z';
    }

    void run(std::int64_t product, const char* a, const char* b, char* d,
             std::complex<double> alpha, std::complex<double> beta) const {
        std::int64_t rest = product;
        for (std::size_t axis = problem_.batch.size(); axis-- > 0;) {
            const std::int64_t at = rest % problem_.batch[axis];
            rest /= problem_.batch[axis];
            a += at * problem_.a_steps.batch[axis] * size_;
            b += at * problem_.b_steps.batch[axis] * size_;
            d += at * problem_.d_steps.batch[axis] * size_;
        }
        if (blas_library().wide)
            call<std::int64_t>(problem_.d, call_, alpha, a, b, beta, d);
        else
            call<int>(problem_.d, call_, alpha, a, b, beta, d);
    }

    MatmulProblem problem_;
    Call call_;
    std::int64_t threads_;
    std::int64_t size_;
};

std::unique_ptr<MatmulExecutor> make(const MatmulProblem& problem, const Stream& stream,
                                     std::string& why) {
    if (problem.a != problem.d || problem.b != problem.d || gemm_of(problem.d) == nullptr ||
        problem.multiply != Multiply::operands) {
        why = "a BLAS multiplies float32, float64, complex64 and complex128 alone";
        return nullptr;
    }
    const auto a = order_of(problem.a_steps, problem.m, problem.k);
    const auto b = order_of(problem.b_steps, problem.k, problem.n);
    const auto d = order_of(problem.d_steps, problem.m, problem.n);
    Call call;
    call.layout = d->by_columns ? column_major : row_major;
    call.m = problem.m;
    call.n = problem.n;
    call.k = problem.k;
    call.leading_a = a->leading;
    call.leading_b = b->leading;
    call.leading_d = d->leading;
    const auto operation = [&](const MatrixOrder& order, bool conjugate) {
        if (order.by_columns == d->by_columns) return conjugate ? -1 : not_transposed;
        return conjugate ? conjugate_transposed : transposed;
    };
    call.transpose_a = operation(*a, problem.conjugate_a);
    call.transpose_b = operation(*b, problem.conjugate_b);
    if (call.transpose_a < 0 || call.transpose_b < 0) {
        why = "a BLAS conjugates only what it transposes";
        return nullptr;
    }
    const std::int64_t largest =
        std::max({call.m, call.n, call.k, call.leading_a, call.leading_b, call.leading_d});
    if (!blas_library().wide && largest > std::numeric_limits<int>::max()) {
        why = text(blas_library().name, " takes extents below 2^31");
        return nullptr;
    }
    return std::make_unique<Executor>(
        problem, call, stream.state().device.backend().properties().multiprocessor_count);
}

}  // namespace

const MatmulProvider& blas_provider() {
    static const MatmulProvider provider{"BLAS", DeviceKind::cpu, missing, make};
    return provider;
}

}  // namespace heald::plan
