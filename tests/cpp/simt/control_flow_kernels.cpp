#include "tests/cpp/simt/stress_kernels.hpp"

namespace heald::cpu::test {

std::vector<StressKernel> control_flow_kernels() {
    using Kind = StressKernel::Kind;
    return {
        {"multiple_exits", Kind::plain, R"CUDA(
extern "C" __global__ void multiple_exits(int n, const float* in, float* out, const int* iin,
                                          int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    int k = i % 17;
    for (int j = 0; j < k + 5; ++j) {
        float v = in[(i + j * 7) % n];
        if (v > 0.9f) break;
        if (v < -0.95f) {
            out[i] = -1;
            return;
        }
        if (v < 0) continue;
        s += v;
        for (int q = 0; q < (iin[(i + q) % n] & 7); ++q) {
            s *= 1.01f;
            if (s > 3.f) goto done;
        }
    }
done:
    out[i] = s;
    iout[i] = k;
}
)CUDA"},
        {"several_exit_blocks", Kind::plain, R"CUDA(
extern "C" __global__ void several_exit_blocks(int n, const float* in, float* out,
                                               const int* iin, int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = 5;
    for (int k = 1; k < 4 && n && iin[blockIdx.x % 9] > 300; ++k) v = iin[1];
    iout[i] = v;
}
)CUDA"},
        {"switches", Kind::plain, R"CUDA(
__device__ int f(int x) {
    switch (x % 7) {
        case 0:
            return x + 1;
        case 1:
            return x * 3;
        case 2:
            x -= 5;
        case 3:
            return x ^ 0x55;
        case 5:
            return -x;
        default:
            return x / 3;
    }
}
extern "C" __global__ void switches(int n, const float* in, float* out, const int* iin,
                                    int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        iout[i] = f(iin[i]) + f(f(i));
        out[i] = (iin[i] % 3 == 0)                              ? in[i]
                 : (iin[i] % 3 == 1 && in[i] > 0) || i % 5 == 0 ? 2 * in[i]
                                                                : -in[i];
    }
}
)CUDA"},
        {"coordinates", Kind::plain, R"CUDA(
extern "C" __global__ void coordinates(int n, const float* in, float* out, const int* iin,
                                       int* iout) {
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    int b = blockIdx.x;
    int t = x + blockDim.x * (y + blockDim.y * z);
    int i = b * blockDim.x * blockDim.y * blockDim.z + t;
    if (i < n) {
        out[i] = in[i] + x * 100 + y * 10 + z;
        iout[i] = x * y + z;
    }
}
)CUDA"},
        {"grid_stride", Kind::plain, R"CUDA(
extern "C" __global__ void grid_stride(int n, const float* in, float* out, const int* iin,
                                       int* iout) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float s = 0;
        int c = 0;
        for (int j = i; j > 0 && c < 20; j /= 2, ++c) {
            if (iin[j] % 3 == 0) continue;
            s += in[j];
        }
        out[i] = s;
        iout[i] = c;
    }
}
)CUDA"},
        {"calls", Kind::plain, R"CUDA(
extern "C" __global__ void calls(int n, const float* in, float* out, const int* iin, int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (in[i] > 2.f) abort();
    if (i % 2500 == 1234) printf("%s", "");
    out[i] = in[i];
    iout[i] = __ffs(iin[i]) + __clz(iin[i]) + __popc(iin[i]);
    if (iin[i] > 5000) abort();
    out[i] += fminf(in[i], 0.1f) + floorf(in[i] * 10) + powf(fabsf(in[i]), 1.5f) + tanhf(in[i]) +
              logf(fabsf(in[i]) + 1);
}
)CUDA"},
        {"nested_control_flow", Kind::plain, R"CUDA(
extern "C" __global__ void nested_control_flow(int n, const float* in, float* out, const int* iin,
                                               int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    int c = 0;
    for (int a = 0; a < 3; ++a) {
        if ((i + a) % 3 == 0) continue;
        for (int b = 0; b < 10; ++b) {
            if (b == iin[i % n] % 10) break;
            int q = b;
            while (q > 0) {
                s += in[(i + q) % n];
                q -= (iin[(i + a) % n] & 1) + 1;
                if (s > 4) {
                    s -= 4;
                    if (++c > 3) goto out;
                }
            }
            do {
                ++c;
            } while (c % 4);
            if (blockIdx.x % 3 == 1 && a == 1) break;
        }
        if (blockIdx.x & 1)
            c += a;
        else if (i & 4) {
            c -= a;
            if (n > 100) c ^= 1;
        }
    }
out:
    if (i < n) {
        out[i] = s;
        iout[i] = c;
    }
}
)CUDA"},
        {"hash_index", Kind::plain, R"CUDA(
extern "C" __global__ void hash_index(int n, const float* in, float* out, const int* iin,
                                      int* iout) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)n) return;
    unsigned h = i * 2654435761u;
    unsigned long long g = h;
    iout[i] = (int)(g >> 7);
}
)CUDA"},
        {"unsigned_halo", Kind::plain, R"CUDA(
extern "C" __global__ void unsigned_halo(int n, const float* in, float* out, const int* iin,
                                         int* iout) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned j = i - 1u;
    if (j < (unsigned)n - 1u) out[i] = in[j];
}
)CUDA"},
        {"wide_hash", Kind::plain, R"CUDA(
extern "C" __global__ void wide_hash(int n, const float* in, float* out, const int* iin,
                                     int* iout) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)n) return;
    unsigned long long g = i * 2654435761u;
    iout[i] = (int)(g >> 20);
    out[i] = (float)g;
}
)CUDA"},
        {"wide_hash_arithmetic", Kind::plain, R"CUDA(
extern "C" __global__ void wide_hash_arithmetic(int n, const float* in, float* out,
                                                const int* iin, int* iout) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)n) return;
    unsigned long long g = i * 2654435761u;
    iout[i] = (int)(g % 1009ull);
    out[i] = (float)(g * 3ull);
}
)CUDA"},
        {"exits_inside_branches", Kind::plain, R"CUDA(
extern "C" __global__ void exits_inside_branches(int n, const float* in, float* out,
                                                 const int* iin, int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int k = 0;
    float s = 0;
    for (;;) {
        ++k;
        if ((iin[i] + k) % 3 == 0) {
            if (k > n / 1000) break;
            s += in[(i + k) % n];
        }
        if (k > 40) break;
    }
    int m = 0;
    while (true) {
        if (iin[(i + m) % n] & 1) {
            if (blockIdx.x % 2 == 0 && m > 3) break;
            m += 2;
        } else {
            ++m;
        }
        if (m > 20) break;
    }
    out[i] = s;
    iout[i] = k * 100 + m;
}
)CUDA"},
        {"lcg", Kind::plain, R"CUDA(
extern "C" __global__ void lcg(int n, const float* in, float* out, const int* iin, int* iout) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)n) return;
    unsigned x = i;
    for (int k = 0; k < 5; ++k) x = x * 1664525u + 1013904223u;
    size_t j = x % (unsigned)n;
    long long y = (int)(x - 7u);
    short h = (short)(x * 3u);
    long long z = h;
    out[i] = in[j] + (float)(y >> 20);
    iout[i] = (int)(z + (long long)(signed char)(i * 77u));
}
)CUDA"},
        {"signed_offsets", Kind::plain, R"CUDA(
extern "C" __global__ void signed_offsets(int n, const float* in, float* out, const int* iin,
                                          int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int w = 17 + n / 1000;
    int y = i / w, x = i % w;
    int c = y * w + x;
    float s = 0;
    if (i >= 1 && i + 1 < n) s = in[i - 1] + in[i + 1] + in[n - 1 - i];
    if (c < n) s += in[c];
    unsigned u = i;
    if (u + 5u < (unsigned)n) s += in[u + 5u];
    if (u - 9u < (unsigned)n) s += in[u - 9u];
    short t = threadIdx.x;
    unsigned char b = threadIdx.x;
    if (i < n) {
        out[i] = s + in[t] + in[b];
        iout[i] = (unsigned char)(i - 3);
    }
}
)CUDA"},
    };
}

}  // namespace heald::cpu::test
