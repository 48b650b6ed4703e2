// Forces from shared tiles of float4.
//@ arg n = int32(256)
//@ arg p = in float32[n, 4] uniform(-1, 1)
//@ arg out = out float32[n, 4]
//@ compare out rtol=2e-4 atol=2e-3
//@ launch nbody<<<2, 128>>>(n, p, out)

extern "C" __global__ void nbody(int n, const float4* p, float4* out) {
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = p[i];
    float ax = 0, ay = 0, az = 0;
    for (int b = 0; b < n; b += 128) {
        tile[threadIdx.x] = p[b + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 128; ++j) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float s = tile[j].w * inv * inv * inv;
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        __syncthreads();
    }
    out[i] = make_float4(ax, ay, az, me.w);
}
