// Inheritance, operators, static members, constexpr functions, enum classes.
//@ arg n = int32(256)
//@ arg out = out int32[n]
//@ launch classes<<<2, 128>>>(n, out)

enum class Kind : unsigned char { small = 1, large = 200 };
struct Base {
    int v;
    static constexpr int offset = 17;
    __device__ Base(int x) : v(x) {}
    __device__ int get() const { return v + offset; }
};
struct Derived : Base {
    Kind kind;
    __device__ Derived(int x, Kind k) : Base(x), kind(k) {}
    __device__ Derived operator+(const Derived& o) const {
        return Derived(v + o.v, v > o.v ? kind : o.kind);
    }
    __device__ explicit operator int() const { return get() * 1000 + int(kind); }
};
__host__ __device__ constexpr int power(int b, int e) { return e == 0 ? 1 : b * power(b, e - 1); }
extern "C" __global__ void classes(int n, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Derived a(i, Kind::small), b(100, Kind::large);
    static_assert(power(3, 4) == 81, "");
    out[i] = int(a + b) + power(2, 5);
}
