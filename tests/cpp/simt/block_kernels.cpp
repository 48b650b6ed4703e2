#include "tests/cpp/simt/stress_kernels.hpp"

namespace heald::cpu::test {

std::vector<StressKernel> block_kernels() {
    using Kind = StressKernel::Kind;
    return {
        {"warp_operations", Kind::warp, R"CUDA(
extern "C" __global__ void warp_operations(int n, const float* in, float* out, const int* iin,
                                           int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    float v = in[i % n];
    float a = v;
    for (int d = 1; d < 32; d <<= 1) {
        float u = __shfl_up_sync(~0u, a, d);
        if (lane >= d) a += u;
    }
    unsigned b = __ballot_sync(~0u, v > 0);
    int r = __popc(b & ((1u << lane) - 1));
    float x = __shfl_xor_sync(~0u, v, 5);
    float y = __shfl_sync(~0u, v, iin[i % n], 8);
    double dd = __shfl_down_sync(~0u, (double)v, 3);
    int any = __any_sync(~0u, v > 0.99f), all = __all_sync(~0u, v > -2);
    if (i < n) {
        out[i] = a + x * 2 + y * 4 + (float)dd;
        iout[i] = r + any * 1000 + all * 10000;
    }
}
)CUDA"},
        // What thread 0 stored before a barrier is not what a load after it finds.
        {"shared_scalar", Kind::barrier, R"CUDA(
extern "C" __global__ void shared_scalar(int n, const float* in, float* out, const int* iin,
                                         int* iout) {
    __shared__ int sum;
    __shared__ float first;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t == 0) {
        sum = 0;
        first = 7;
    }
    __syncthreads();
    atomicAdd(&sum, iin[i % n]);
    if (t == blockDim.x - 1) first = in[i % n];
    __syncthreads();
    if (i < n) {
        iout[i] = sum;
        out[i] = first;
    }
}
)CUDA"},
        {"barriers", Kind::barrier, R"CUDA(
extern "C" __global__ void barriers(int n, const float* in, float* out, const int* iin,
                                    int* iout) {
    __shared__ float s[512];
    __shared__ int cnt;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t == 0) cnt = 0;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    float acc = 0;
    for (int r = 0; r < 3; ++r) {
        float v = s[(t * 7 + r) % blockDim.x];
        __syncthreads();
        if (v > 0) {
            s[t] = v * 0.5f;
            atomicAdd(&cnt, 1);
        } else
            s[t] = -v;
        acc += v;
        __syncthreads();
        if (cnt > (int)blockDim.x) {
            __syncthreads();
            acc += 1;
        }
    }
    float loc[4];
    for (int j = 0; j < 4; ++j) loc[j] = s[(t + j) % blockDim.x];
    __syncthreads();
    s[t] = loc[iin[i % n] & 3];
    __syncthreads();
    if (i < n) {
        out[i] = acc + s[blockDim.x - 1 - t];
        iout[i] = cnt;
    }
}
)CUDA"},
        {"exited_warps", Kind::barrier32, R"CUDA(
extern "C" __global__ void exited_warps(int n, const float* in, float* out, const int* iin,
                                        int* iout) {
    __shared__ float s[512];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = 0;
    __syncthreads();
    if ((t / 32) % 2 == 1) {
        iout[i % n] = 5;
        return;
    }
    s[t] = in[i % n];
    __syncthreads();
    float v = s[(t + 32) % blockDim.x];
    __syncthreads();
    if (i < n) {
        out[i] = v + s[t];
    }
}
)CUDA"},
        {"warps_at_different_barriers", Kind::barrier32, R"CUDA(
extern "C" __global__ void warps_at_different_barriers(int n, const float* in, float* out,
                                                       const int* iin, int* iout) {
    __shared__ float s[512];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, w = t / 32;
    s[t] = 0;
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        if (w == k) {
            s[t] += in[i % n];
            __syncthreads();
        } else {
            __syncthreads();
        }
        s[t] += s[(t + 64) % blockDim.x] * 0.01f;
        if ((t / 32) == k + 1) s[t] *= 0.5f;
        __syncthreads();
    }
    if (i < n) out[i] = s[t];
}
)CUDA"},
        {"shared_reduction", Kind::barrier, R"CUDA(
extern "C" __global__ void shared_reduction(int n, const float* in, float* out, const int* iin,
                                            int* iout) {
    extern __shared__ int dyn[];
    __shared__ double part[512];
    __shared__ int total, largest;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t == 0) total = largest = 0;
    dyn[t] = i < n ? iin[i] : 0;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0 && t + s < blockDim.x) {
            dyn[t] += dyn[t + s];
            part[t] += part[t + s];
        }
        __syncthreads();
    }
    atomicAdd(&total, t);
    atomicMax(&largest, t * 7 % 31);
    __syncthreads();
    if (i < n) {
        out[i] = (float)part[0];
        iout[i] = dyn[0] + total + largest;
    }
}
)CUDA"},
        {"barrier_in_loop", Kind::barrier, R"CUDA(
extern "C" __global__ void barrier_in_loop(int n, const float* in, float* out, const int* iin,
                                           int* iout) {
    __shared__ float tile[512];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float keep[3] = {0, 0, 0};
    const float* from = in + i % n;
    float acc = 0;
    for (int r = 0; r < 2 + n / 2500; ++r) {
        tile[t] = in[(i + r) % n] * (r + 1);
        __syncthreads();
        float v = tile[(t * 5 + r) % blockDim.x];
        keep[(iin[i % n] + r) % 3] += v;
        if (v > 0.5f) acc += *from;
        __syncthreads();
        if (r % 2 == 1) {
            tile[t] += keep[r % 3];
            __syncthreads();
            acc += tile[blockDim.x - 1 - t];
            __syncthreads();
        }
    }
    if (i < n) {
        out[i] = acc + keep[0] + 2 * keep[1];
        iout[i] = keep[2] > 0;
    }
}
)CUDA"},
    };
}

}  // namespace heald::cpu::test
