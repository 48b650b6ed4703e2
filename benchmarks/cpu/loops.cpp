// Compiled once per compiler, as HEALD_LOOPS.

#include "benchmarks/cpu/loops.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

constexpr int block = 256;
constexpr int tile = 16;

void saxpy(const Data& d, int begin, int end, int) {
    const float* __restrict x = d.x;
    float* __restrict y = d.y;
    for (int i = begin; i < end; ++i) y[i] = 1.5f * x[i] + y[i];
}

void exp_sin(const Data& d, int begin, int end, int) {
    const float* __restrict x = d.x;
    float* __restrict y = d.y;
    for (int i = begin; i < end; ++i) y[i] = std::exp(x[i]) * std::sin(x[i]);
}

void stencil(const Data& d, int begin, int end, int) {
    const float* __restrict in = d.x;
    float* __restrict out = d.y;
    const int w = d.width;
    for (int row = std::max(begin, 1); row < std::min(end, w - 1); ++row) {
        for (int column = 1; column < w - 1; ++column) {
            const int i = row * w + column;
            out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w]) - in[i];
        }
    }
}

void matmul(const Data& d, int begin, int end, int) {
    const int n = d.side;
    for (int i = begin; i < end; ++i) {
        float* __restrict c = d.y + i * n;
        for (int j = 0; j < n; ++j) c[j] = 0;
        for (int k = 0; k < n; ++k) {
            const float a = d.a[i * n + k];
            const float* __restrict b = d.b + k * n;
            for (int j = 0; j < n; ++j) c[j] += a * b[j];
        }
    }
}

void matmul_split(const Data& d, int begin, int end, int) {
    const int n = d.side;
    float as[tile][tile], bs[tile][tile], acc[tile][tile];
    for (int item = begin; item < end; ++item) {
        const int top = item / (n / tile) * tile, left = item % (n / tile) * tile;
        for (auto& row : acc) std::fill(row, row + tile, 0.0f);
        for (int t = 0; t < n; t += tile) {
            for (int y = 0; y < tile; ++y) {
                for (int x = 0; x < tile; ++x) {
                    as[y][x] = d.a[(top + y) * n + t + x];
                    bs[y][x] = d.b[(t + y) * n + left + x];
                }
            }
            for (int y = 0; y < tile; ++y)
                for (int k = 0; k < tile; ++k)
                    for (int x = 0; x < tile; ++x) acc[y][x] += as[y][k] * bs[k][x];
        }
        for (int y = 0; y < tile; ++y)
            for (int x = 0; x < tile; ++x) d.y[(top + y) * n + left + x] = acc[y][x];
    }
}

void block_reduce(const Data& d, int begin, int end, int) {
    for (int item = begin; item < end; ++item) {
        float sum = 0;
        const int last = std::min(d.n, (item + 1) * block);
        for (int i = item * block; i < last; ++i) sum += d.x[i];
        d.y[item] = sum;
    }
}

void block_reduce_split(const Data& d, int begin, int end, int) {
    float shared[block];
    for (int item = begin; item < end; ++item) {
        for (int t = 0; t < block; ++t) {
            const int i = item * block + t;
            shared[t] = i < d.n ? d.x[i] : 0.0f;
        }
        for (int s = block / 2; s > 0; s >>= 1) {
            float* __restrict low = shared;
            const float* __restrict high = shared + s;
            for (int t = 0; t < s; ++t) low[t] += high[t];
        }
        d.y[item] = shared[0];
    }
}

void sum(const Data& d, int begin, int end, int worker) {
    float total = 0;
    for (int i = begin; i < end; ++i) total += d.x[i];
    d.partial[16 * worker] = total;
}

void histogram(const Data& d, int begin, int end, int) {
    unsigned counts[256] = {};
    for (int i = begin; i < end; ++i) ++counts[d.bytes[i]];
    for (int i = 0; i < 256; ++i) __atomic_fetch_add(&d.bins[i], counts[i], __ATOMIC_RELAXED);
}

void scan(const Data& d, int begin, int end, int) {
    for (int item = begin; item < end; ++item) {
        int total = 0;
        for (int i = item * block; i < (item + 1) * block; ++i) {
            total += d.integers[i];
            d.integers_out[i] = total;
        }
        d.block_sums[item] = total;
    }
}

void scan_split(const Data& d, int begin, int end, int) {
    int buffers[2][block];
    for (int item = begin; item < end; ++item) {
        int now = 0;
        std::copy_n(d.integers + item * block, block, buffers[0]);
        for (int distance = 1; distance < block; distance <<= 1) {
            const int* __restrict in = buffers[now];
            int* __restrict out = buffers[1 - now];
            for (int t = 0; t < distance; ++t) out[t] = in[t];
            for (int t = distance; t < block; ++t) out[t] = in[t] + in[t - distance];
            now = 1 - now;
        }
        std::copy_n(buffers[now], block, d.integers_out + item * block);
        d.block_sums[item] = buffers[now][block - 1];
    }
}

struct Body {
    float x, y, z, mass;
};

void n_body(const Data& d, int begin, int end, int) {
    const Body* __restrict bodies = reinterpret_cast<const Body*>(d.x);
    Body* __restrict out = reinterpret_cast<Body*>(d.y);
    for (int i = begin; i < end; ++i) {
        const Body p = bodies[i];
        float ax = 0, ay = 0, az = 0;
        for (int j = 0; j < d.bodies; ++j) {
            const float dx = bodies[j].x - p.x, dy = bodies[j].y - p.y, dz = bodies[j].z - p.z;
            const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
            const float s = bodies[j].mass * inverse * inverse * inverse;
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        out[i] = {ax, ay, az, 0};
    }
}

void functor(const Data& d, int begin, int end, int) {
    const float* __restrict in = d.x;
    float* __restrict out = d.y;
    for (int i = begin; i < end; ++i) {
        float x = in[i];
        for (int k = 0; k < 3; ++k) x = 1.1f * x + 0.2f;
        out[i] = x;
    }
}

void grid_stride(const Data& d, int begin, int end, int) {
    const float* __restrict a = d.a;
    const float* __restrict b = d.b;
    float* __restrict c = d.y;
    for (int i = begin; i < end; ++i) c[i] = a[i] * b[i] + c[i];
}

void mandelbrot(const Data& d, int begin, int end, int) {
    for (int row = begin; row < end; ++row) {
        for (int column = 0; column < d.side; ++column) {
            const float cx = -2.0f + 3.0f * column / d.side, cy = -1.5f + 3.0f * row / d.side;
            float zx = 0, zy = 0;
            int count = 0;
            while (count < d.iterations) {
                const float xx = zx * zx, yy = zy * zy;
                if (xx + yy > 4.0f) break;
                zy = 2.0f * zx * zy + cy;
                zx = xx - yy + cx;
                ++count;
            }
            d.integers_out[row * d.side + column] = count;
        }
    }
}

constexpr NamedLoop all_loops[] = {
    {"saxpy", saxpy},
    {"exp_sin", exp_sin},
    {"stencil", stencil},
    {"matmul", matmul},
    {"matmul_split", matmul_split},
    {"block_reduce", block_reduce},
    {"block_reduce_split", block_reduce_split},
    {"sum", sum},
    {"histogram", histogram},
    {"scan", scan},
    {"scan_split", scan_split},
    {"n_body", n_body},
    {"functor", functor},
    {"grid_stride", grid_stride},
    {"mandelbrot", mandelbrot},
};

}  // namespace

const LoopSet& HEALD_LOOPS() {
    static const LoopSet set{HEALD_LOOPS_COMPILER, all_loops};
    return set;
}

}  // namespace bench
