#pragma once

// threadIdx, blockIdx, blockDim, gridDim, warpSize, dim3 and uint3.

#include <heald_device/intrinsics.h>

struct uint3 {
    unsigned x, y, z;
};

struct dim3 {
    unsigned x, y, z;
    __HEALD_HD_MEMBER constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1)
        : x(vx), y(vy), z(vz) {}
    __HEALD_HD_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __HEALD_HD_MEMBER constexpr operator uint3() const { return uint3{x, y, z}; }
};

// A member read is a call of the coordinate function; the variable itself has no storage.
#define __HEALD_BUILTIN_VARIABLE(variable, function)                                   \
    struct __heald_##variable##_t {                                                    \
        __declspec(property(get = __get_x)) unsigned x;                                \
        __declspec(property(get = __get_y)) unsigned y;                                \
        __declspec(property(get = __get_z)) unsigned z;                                \
        static __HEALD_MEMBER unsigned __get_x() { return __heald_##function##_x(); }  \
        static __HEALD_MEMBER unsigned __get_y() { return __heald_##function##_y(); }  \
        static __HEALD_MEMBER unsigned __get_z() { return __heald_##function##_z(); }  \
        __HEALD_MEMBER operator uint3() const {                                        \
            return uint3{__get_x(), __get_y(), __get_z()};                             \
        }                                                                              \
        __HEALD_MEMBER operator dim3() const {                                         \
            return dim3(__get_x(), __get_y(), __get_z());                              \
        }                                                                              \
    };                                                                                 \
    extern const __attribute__((device, weak)) __heald_##variable##_t variable;

__HEALD_BUILTIN_VARIABLE(threadIdx, tid)
__HEALD_BUILTIN_VARIABLE(blockIdx, bid)
__HEALD_BUILTIN_VARIABLE(blockDim, bdim)
__HEALD_BUILTIN_VARIABLE(gridDim, gdim)
#undef __HEALD_BUILTIN_VARIABLE

static constexpr int warpSize = 32;

// threadIdx as one number, x fastest.
__HEALD_FN unsigned __heald_linear_tid() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__HEALD_FN unsigned __heald_block_size() { return blockDim.x * blockDim.y * blockDim.z; }
