#include "benchmarks/cpu/cases.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace bench {
namespace {

constexpr int elements = 1 << 20;

struct Affine {
    float scale, offset;
};
constexpr float alpha = 1.5f;
constexpr Affine affine{1.1f, 0.2f};

std::uint32_t blocks_of(int n, int block) {
    return static_cast<std::uint32_t>((n + block - 1) / block);
}

constexpr int ragged = elements - 37;  // no multiple of a block or a vector

using Arguments = std::vector<heald::Argument>;

const Case cases[] = {
    {"saxpy",
     R"(
extern "C" __global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
})",
     "saxpy",
     "saxpy",
     "",
     false,
     {{blocks_of(ragged, 256)}, {256}},
     [](const Data& d) { return d.n; },
     nullptr,
     0,
     [](const Operands& o) { return Arguments{o.data.n, alpha, o.device_x, o.device_y}; },
     Output::floats,
     1e-6},

    {"exp_sin",
     R"(
extern "C" __global__ void exp_sin(int n, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = expf(x[i]) * sinf(x[i]);
})",
     "exp_sin",
     "exp_sin",
     "",
     false,
     {{blocks_of(ragged, 256)}, {256}},
     [](const Data& d) { return d.n; },
     nullptr,
     0,
     [](const Operands& o) { return Arguments{o.data.n, o.device_x, o.device_y}; },
     Output::floats,
     1e-6},

    {"stencil",
     R"(
extern "C" __global__ void stencil(int w, int h, const float* __restrict__ in, float* __restrict__ out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    int i = y * w + x;
    out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w]) - in[i];
})",
     "stencil",
     "stencil",
     "",
     false,
     {{32, 125}, {32, 8}},
     [](const Data& d) { return d.width; },
     nullptr,
     0,
     [](const Operands& o) {
         return Arguments{o.data.width, o.data.width, o.device_x, o.device_y};
     },
     Output::floats,
     1e-4},

    {"matmul",
     R"(
extern "C" __global__ void matmul(int n, const float* A, const float* B, float* C) {
    __shared__ float As[16][16], Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float acc = 0.f;
    for (int t = 0; t < n / 16; ++t) {
        As[ty][tx] = A[row * n + t * 16 + tx];
        Bs[ty][tx] = B[(t * 16 + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; ++k) acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = acc;
})",
     "matmul",
     "matmul",
     "matmul_split",
     false,
     {{32, 32}, {16, 16}},
     [](const Data& d) { return d.side; },
     [](const Data& d) { return d.side / 16 * (d.side / 16); },
     0,
     [](const Operands& o) { return Arguments{o.data.side, o.device_a, o.device_b, o.device_y}; },
     Output::floats,
     2e-2},

    {"block_reduce",
     R"(
extern "C" __global__ void block_reduce(int n, const float* in, float* out) {
    extern __shared__ float shared[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    shared[t] = i < n ? in[i] : 0.f;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) shared[t] += shared[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = shared[0];
})",
     "block_reduce",
     "block_reduce",
     "block_reduce_split",
     false,
     {{blocks_of(ragged, 256)}, {256}, 256 * sizeof(float)},
     [](const Data& d) { return (d.n + 255) / 256; },
     [](const Data& d) { return (d.n + 255) / 256; },
     0,
     [](const Operands& o) { return Arguments{o.data.n, o.device_x, o.device_y}; },
     Output::floats,
     1e-2},

    {"shuffle_reduce",
     R"(
__device__ float warp_sum(float v) {
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}
extern "C" __global__ void shuffle_reduce(int n, const float* in, float* out) {
    __shared__ float part[32];
    float v = 0.f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
    v = warp_sum(v);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0) part[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < blockDim.x / 32 ? part[lane] : 0.f;
        v = warp_sum(v);
        if (lane == 0) atomicAdd(out, v);
    }
})",
     "shuffle_reduce",
     "sum",
     "",
     false,
     {{64}, {256}},
     [](const Data& d) { return d.n; },
     nullptr,
     0,
     [](const Operands& o) { return Arguments{o.data.n, o.device_x, o.device_y}; },
     Output::total,
     1e-3},

    {"histogram",
     R"(
extern "C" __global__ void histogram(int n, const unsigned char* in, unsigned* bins) {
    __shared__ unsigned h[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) h[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&h[in[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], h[i]);
})",
     "histogram",
     "histogram",
     "",
     false,
     {{64}, {256}},
     [](const Data& d) { return d.n; },
     nullptr,
     0,
     [](const Operands& o) { return Arguments{o.data.n, o.device_bytes, o.device_bins}; },
     Output::bins,
     0},

    {"scan",
     R"(
extern "C" __global__ void scan(const int* in, int* out, int* sums) {
    __shared__ int buffers[2][256];
    int t = threadIdx.x, g = blockIdx.x * blockDim.x + t, p = 0;
    buffers[0][t] = in[g];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d <<= 1) {
        buffers[1 - p][t] = t >= d ? buffers[p][t] + buffers[p][t - d] : buffers[p][t];
        p = 1 - p;
        __syncthreads();
    }
    out[g] = buffers[p][t];
    if (t == blockDim.x - 1) sums[blockIdx.x] = buffers[p][t];
})",
     "scan",
     "scan",
     "scan_split",
     false,
     {{elements / 256}, {256}},
     [](const Data&) { return elements / 256; },
     [](const Data&) { return elements / 256; },
     0,
     [](const Operands& o) {
         return Arguments{o.device_integers, o.device_integers_out, o.device_block_sums};
     },
     Output::integers,
     0},

    {"n_body",
     R"(
extern "C" __global__ void n_body(int n, const float4* position, float4* acceleration) {
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 p = position[i];
    float ax = 0, ay = 0, az = 0;
    for (int b = 0; b < n; b += 128) {
        tile[threadIdx.x] = position[b + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 128; ++j) {
            float dx = tile[j].x - p.x, dy = tile[j].y - p.y, dz = tile[j].z - p.z;
            float r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
            float inv = rsqrtf(r2);
            float s = tile[j].w * inv * inv * inv;
            ax += dx * s; ay += dy * s; az += dz * s;
        }
        __syncthreads();
    }
    acceleration[i] = make_float4(ax, ay, az, 0.f);
})",
     "n_body",
     "n_body",
     "",
     false,
     {{32}, {128}},
     [](const Data& d) { return d.bodies; },
     nullptr,
     0,
     [](const Operands& o) { return Arguments{o.data.bodies, o.device_x, o.device_y}; },
     Output::floats,
     5e-2},

    {"functor",
     R"(
template <class T> struct Affine { T a, b; __device__ T operator()(T x) const { return a * x + b; } };
template <class F, class T> __device__ T apply3(F f, T x) { for (int i = 0; i < 3; ++i) x = f(x); return x; }
template <class T> __global__ void functor(int n, Affine<T> f, const T* in, T* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = apply3([=](T v) { return f(v); }, in[i]);
})",
     "functor<float>",
     "functor",
     "",
     false,
     {{blocks_of(ragged, 256)}, {256}},
     [](const Data& d) { return d.n; },
     nullptr,
     0,
     [](const Operands& o) { return Arguments{o.data.n, affine, o.device_x, o.device_y}; },
     Output::floats,
     1e-4},

    {"grid_stride",
     R"(
extern "C" __global__ void grid_stride(int n, const float* a, const float* b, float* c) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        c[i] = a[i] * b[i] + c[i];
})",
     "grid_stride",
     "grid_stride",
     "",
     false,
     {{64}, {256}},
     [](const Data& d) { return d.n; },
     nullptr,
     0,
     [](const Operands& o) { return Arguments{o.data.n, o.device_a, o.device_b, o.device_y}; },
     Output::floats,
     1e-4},

    {"mandelbrot",
     R"(
extern "C" __global__ void mandelbrot(int w, int h, int limit, int* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float cx = -2.f + 3.f * x / w, cy = -1.5f + 3.f * y / h, zx = 0, zy = 0;
    int count = 0;
    while (count < limit) {
        float xx = zx * zx, yy = zy * zy;
        if (xx + yy > 4.f) break;
        zy = 2.f * zx * zy + cy; zx = xx - yy + cx; ++count;
    }
    out[y * w + x] = count;
})",
     "mandelbrot",
     "mandelbrot",
     "",
     true,
     {{16, 64}, {32, 8}},
     [](const Data& d) { return d.side; },
     nullptr,
     4,
     [](const Operands& o) {
         return Arguments{o.data.side, o.data.side, o.data.iterations, o.device_integers_out};
     },
     // Counts at the border of the set depend on how products are contracted: the share of pixels
     // that differ is what is bounded.
     Output::integers,
     0.01},
};

template <class T>
heald::Buffer upload(const std::vector<T>& host) {
    return heald::Buffer::from_host(host.data(), host.size() * sizeof(T));
}

template <class T>
std::vector<T> download(const heald::Buffer& buffer) {
    std::vector<T> host(buffer.size() / sizeof(T));
    buffer.copy_to_host(host.data(), buffer.size());
    return host;
}

double largest_relative(const std::vector<float>& a, const std::vector<float>& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        worst = std::max(worst, std::abs(double(a[i]) - b[i]) / (1e-3 + std::abs(double(b[i]))));
    return worst;
}

}  // namespace

const char* const empty_kernel = R"(extern "C" __global__ void empty() {})";

std::span<const Case> all_cases() {
    return cases;
}

Operands::Operands() {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (auto* values : {&x, &a, &b, &y_start}) {
        values->resize(elements);
        for (float& value : *values) value = uniform(random);
    }
    bytes.resize(elements);
    for (auto& value : bytes) value = static_cast<unsigned char>(random());
    integers.resize(elements);
    for (auto& value : integers) value = static_cast<int>(random() % 100);
    partial.resize(16 * 256);
    y.resize(elements);
    integers_out.resize(elements);
    block_sums.resize(elements / 256);
    bins.resize(256);
    data = {ragged,
            512,
            1000,
            4096,
            200,
            x.data(),
            a.data(),
            b.data(),
            bytes.data(),
            integers.data(),
            y.data(),
            bins.data(),
            integers_out.data(),
            block_sums.data(),
            partial.data()};
    device_x = upload(x);
    device_a = upload(a);
    device_b = upload(b);
    device_bytes = upload(bytes);
    device_integers = upload(integers);
    device_y = upload(y_start);
    device_integers_out = upload(integers_out);
    device_block_sums = upload(block_sums);
    device_bins = upload(bins);
    reset();
}

void Operands::reset() {
    y = y_start;
    y[0] = 0;  // the total of a sum
    std::fill(integers_out.begin(), integers_out.end(), -1);
    std::fill(block_sums.begin(), block_sums.end(), -1);
    std::fill(bins.begin(), bins.end(), 0u);
    data.y = y.data();
    device_y.copy_from_host(y.data(), device_y.size());
    device_integers_out.copy_from_host(integers_out.data(), device_integers_out.size());
    device_block_sums.copy_from_host(block_sums.data(), device_block_sums.size());
    device_bins.copy_from_host(bins.data(), device_bins.size());
    heald::Device().synchronize();
}

double difference(const Case& which, Operands& operands, int workers) {
    switch (which.output) {
        case Output::floats:
            return largest_relative(download<float>(operands.device_y), operands.y);
        case Output::total: {
            double total = 0;
            for (int worker = 0; worker < workers; ++worker) total += operands.partial[16 * worker];
            float value = 0;
            operands.device_y.slice(0, sizeof value).copy_to_host(&value, sizeof value);
            return std::abs(value - total) / (1 + std::abs(total));
        }
        case Output::bins:
            return download<unsigned>(operands.device_bins) != operands.bins;
        case Output::integers:
            break;
    }
    const auto values = download<int>(operands.device_integers_out);
    std::size_t unequal = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        unequal += values[i] != operands.integers_out[i];
    const bool sums_agree = download<int>(operands.device_block_sums) == operands.block_sums;
    return sums_agree ? double(unequal) / double(values.size()) : 1.0;
}

}  // namespace bench
