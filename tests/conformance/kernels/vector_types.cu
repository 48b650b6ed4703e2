// float4, uchar4, int2, double2: loads, stores, members, alignment.
//@ arg n = int32(256)
//@ arg p = in float32[n, 4] uniform(-1, 1)
//@ arg c = in uint8[n, 4] integers(0, 256)
//@ arg q = out float32[n, 4]
//@ arg d = out uint8[n, 4]
//@ arg e = out float64[n, 2]
//@ arg sizes = out int32[16]
//@ launch vector_types<<<2, 128>>>(n, p, c, q, d, e, sizes)

extern "C" __global__ void vector_types(int n, const float4* p, const uchar4* c, float4* q,
                                        uchar4* d, double2* e, int* sizes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = p[i];
    q[i] = make_float4(v.w, v.z, v.y + v.x, 2.0f * v.x);
    uchar4 b = c[i];
    d[i] = make_uchar4(b.y, b.x, (unsigned char)(b.z + b.w), 255 - b.w);
    e[i] = make_double2(v.x, (double)v.y * 2);
    if (i == 0) {
        const int s[16] = {sizeof(char3),     alignof(char3),     sizeof(short3),  alignof(short4),
                           sizeof(int3),      alignof(int2),      alignof(int4),   sizeof(float3),
                           alignof(float2),   alignof(float4),    sizeof(double3), alignof(double2),
                           alignof(longlong2), sizeof(ulonglong4), alignof(uchar2), sizeof(dim3)};
        for (int k = 0; k < 16; ++k) sizes[k] = s[k];
    }
}
