// The demo's kernels: plain CUDA C++, compiled at run time for the GPU or the CPU.

// Images are planar: plane c of an image starts at c * height * width.

constexpr int tile_x = 32;
constexpr int tile_y = 8;

// Smooths, but not across edges: a neighbour counts by its distance and by how alike its colour is.
// A block loads its tile and a border of `radius` pixels into shared memory once.
template <int radius>
__global__ void bilateral(const float* __restrict__ image, float* __restrict__ out, int width,
                          int height, float per_distance, float per_colour) {
    constexpr int span_x = tile_x + 2 * radius;
    constexpr int span_y = tile_y + 2 * radius;
    __shared__ float tile[3][span_y][span_x];

    const int plane = width * height;
    const int left = blockIdx.x * tile_x - radius;
    const int top = blockIdx.y * tile_y - radius;
    for (int j = threadIdx.y; j < span_y; j += tile_y) {
        for (int i = threadIdx.x; i < span_x; i += tile_x) {
            const int x = min(max(left + i, 0), width - 1);
            const int y = min(max(top + j, 0), height - 1);
            for (int c = 0; c < 3; ++c) tile[c][j][i] = image[c * plane + y * width + x];
        }
    }
    __syncthreads();

    const int x = blockIdx.x * tile_x + threadIdx.x;
    const int y = blockIdx.y * tile_y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = threadIdx.x + radius;
    const int j = threadIdx.y + radius;
    const float r0 = tile[0][j][i], g0 = tile[1][j][i], b0 = tile[2][j][i];
    float weights = 0.0f, r = 0.0f, g = 0.0f, b = 0.0f;
    for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
            const float dr = tile[0][j + dy][i + dx] - r0;
            const float dg = tile[1][j + dy][i + dx] - g0;
            const float db = tile[2][j + dy][i + dx] - b0;
            const float weight = expf(-per_distance * float(dx * dx + dy * dy) -
                                      per_colour * (dr * dr + dg * dg + db * db));
            weights += weight;
            r += weight * tile[0][j + dy][i + dx];
            g += weight * tile[1][j + dy][i + dx];
            b += weight * tile[2][j + dy][i + dx];
        }
    }
    const int pixel = y * width + x;
    out[pixel] = r / weights;
    out[plane + pixel] = g / weights;
    out[2 * plane + pixel] = b / weights;
}

// 0…1 to 0…255.
__global__ void to_bytes(const float* image, int size, unsigned char* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) out[i] = static_cast<unsigned char>(fminf(fmaxf(image[i], 0.0f), 1.0f) * 255.0f + 0.5f);
}

__device__ int brightness(const unsigned char* rgb, int pixels, int i) {
    return (77 * rgb[i] + 150 * rgb[pixels + i] + 29 * rgb[2 * pixels + i]) >> 8;
}

// Counts brightness values: each block in shared memory first, then once into the result.
__global__ void histogram(const unsigned char* rgb, int pixels, unsigned* bins) {
    __shared__ unsigned counts[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) counts[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[brightness(rgb, pixels, i)], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], counts[i]);
}

// One block of 256: what each brightness becomes. At strength 1 it is the share of pixels at most
// this bright, by a scan in shared memory; at 0 it stays.
__global__ void equalisation_table(const unsigned* bins, int pixels, float strength, float* table) {
    __shared__ unsigned sums[256];
    const int i = threadIdx.x;
    sums[i] = bins[i];
    __syncthreads();
    for (int distance = 1; distance < 256; distance *= 2) {
        const unsigned below = i >= distance ? sums[i - distance] : 0;
        __syncthreads();
        sums[i] += below;
        __syncthreads();
    }
    table[i] = (1 - strength) * i + strength * 255.0f * sums[i] / pixels;
}

__global__ void equalise(const unsigned char* rgb, int pixels, const float* table, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int level = brightness(rgb, pixels, i);
    const float gain = table[level] / max(level, 1);
    for (int c = 0; c < 3; ++c) out[c * pixels + i] = fminf(gain * rgb[c * pixels + i], 255.0f);
}

// Light from `azimuth`, `altitude` (radians) on a surface with cells of cell_x by cell_y metres.
__global__ void hill_shade(const float* __restrict__ terrain, float* __restrict__ out, int width,
                           int height, float cell_x, float cell_y, float azimuth, float altitude) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int west = max(x - 1, 0), east = min(x + 1, width - 1);
    const int north = max(y - 1, 0) * width, south = min(y + 1, height - 1) * width;
    const int here = y * width;
    const float dx = (terrain[north + east] + 2 * terrain[here + east] + terrain[south + east] -
                      terrain[north + west] - 2 * terrain[here + west] - terrain[south + west]) /
                     (8 * cell_x);
    const float dy = (terrain[south + west] + 2 * terrain[south + x] + terrain[south + east] -
                      terrain[north + west] - 2 * terrain[north + x] - terrain[north + east]) /
                     (8 * cell_y);
    const float light = (sinf(altitude) + cosf(altitude) * (dy * cosf(azimuth) - dx * sinf(azimuth))) /
                        sqrtf(1 + dx * dx + dy * dy);
    out[here + x] = fmaxf(light, 0.0f);
}

// Water that one cell gives a neighbour: the most it can without piling up there.
__device__ float outflow(float water, float level, float neighbour_level) {
    return fminf(water, fmaxf(level - neighbour_level, 0.0f));
}

// One step of rain running down a terrain. Water that reaches the border leaves.
__global__ void water_step(const float* __restrict__ terrain, const float* __restrict__ water,
                           float* __restrict__ next, int width, int height, float rain, float rate) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int cell = y * width + x;
    const float mine = water[cell];
    const float level = terrain[cell] + mine;
    float change = 0.0f;
    for (int side = 0; side < 4; ++side) {
        const int nx = x + (side == 0) - (side == 1);
        const int ny = y + (side == 2) - (side == 3);
        if (nx < 0 || ny < 0 || nx >= width || ny >= height) {
            change -= mine;
        } else {
            const int other = ny * width + nx;
            const float other_level = terrain[other] + water[other];
            change += outflow(water[other], other_level, level) - outflow(mine, level, other_level);
        }
    }
    next[cell] = mine + rain + rate * change;
}
