// What has no execution or memory space belongs to the device.
//@ arg n = int32(96)
//@ arg out = out int32[n]
//@ launch unannotated<<<3, 32>>>(n, out)

int start = 5;
namespace tables {
int squares[4] = {0, 1, 4, 9};
const int cubes[4] = {0, 1, 8, 27};
int square(int i) { return squares[i & 3]; }
}  // namespace tables
template <class T>
T thrice(T x) {
    return 3 * x;
}
constexpr int four() { return 4; }
class Pair {
public:
    Pair(int a, int b) : a_(a), b_(b) {}
    int sum() const { return a_ + b_; }

private:
    int a_, b_;
};
extern "C" __global__ void unannotated(int n, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto twice = [](int x) { return 2 * x; };
    if (i < n) out[i] = start + tables::square(i) + tables::cubes[i & 3] + thrice(i) + four() + Pair(i, 1).sum() + twice(i);
}
