// Branches on values that all threads share, inside branches and loops that threads take apart:
// where the sides meet, every thread keeps the value of its own way.
//@ arg n = int32(500)
//@ arg m = int32(6)
//@ arg yes = int32(1)
//@ arg no = int32(0)
//@ arg x = in int32[n] integers(-1000, 1000)
//@ arg meet = out int32[2, n]
//@ arg leave = out int32[2, n]
//@ arg turn = out int32[2, n]
//@ arg unset = out int32[2, n]
//@ launch meeting<<<4, 128>>>(n, yes, no, x, meet)
//@ launch leaving<<<4, 128>>>(n, m, yes, x, leave)
//@ launch turning<<<4, 128>>>(n, m, no, x, turn)
//@ launch unsettled<<<4, 128>>>(n, yes, no, x, unset)

// The inner branch has one side only, or both, or ends in a third value.
extern "C" __global__ void meeting(int n, int yes, int no, const int* x, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = i % 32;
    if (i >= n) return;
    int a = x[i], b = x[(i + 7) % n];
    const int below = x[(i + 31) % n];
    if (lane > 0) a = yes || i > 2 * n ? (a > below ? a : below) : below;
    if (lane < 31) {
        if (no) {
            b = below < b ? below : b;
            if (blockIdx.x > 1) b += 3;
        } else if (yes) {
            if (blockIdx.x == 1) b = b > a ? b & a : b | a;
        }
    }
    out[i] = a;
    out[n + i] = b;
}

// Loops that all threads leave together, by more than one exit, after a choice between them.
extern "C" __global__ void leaving(int n, int m, int yes, const int* x, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0, turns = 0;
    for (int outer = 0; outer < 3; ++outer) {
        for (int k = 0; k < 10; ++k) {
            if (k * yes > outer) {
                if (k + outer == m) break;
                sum += x[(i + k) % n];
            } else if (outer == 2 && yes == 0) {
                sum -= 1;
                break;
            }
            if (x[i] > 0) {
                if (k % 2 == yes) sum ^= k;
            }
            ++turns;
        }
        if (x[i] % 3 == 0) {
            if (outer == yes) return (void)(out[i] = sum, out[n + i] = turns);
            sum += outer;
        }
    }
    out[i] = sum;
    out[n + i] = turns;
}

// Loops that each thread leaves by itself, with shared choices inside.
extern "C" __global__ void turning(int n, int m, int no, const int* x, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int low = 5000, high = -5000;
    for (int k = 0; k < 12; ++k) {
        const int value = x[(i * 3 + k) % n];
        if (value % 5 == 0) {
            if (k == m) continue;
            low = low < value ? low : value;
            if (blockIdx.x == 2 && k > m) break;
        } else {
            if (no) continue;
            if (k < m) high = high > value ? high : value;
        }
        if (high > 950) break;
    }
    out[i] = low;
    out[n + i] = high;
}

// A value that only some ways set, read only where it is set.
extern "C" __global__ void unsettled(int n, int yes, int no, const int* x, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int some, other;
    const bool odd = x[i] & 1, positive = x[i] > 0;
    if (odd) {
        if (yes) some = x[i] * 3;
    } else {
        other = no ? 1 : x[i] + 1;
    }
    int result = 7;
    if (odd && yes) result = some;
    if (!odd) {
        if (positive) result = other < result ? other : result;
    }
    out[i] = result;
    out[n + i] = odd ? some : other;
}
