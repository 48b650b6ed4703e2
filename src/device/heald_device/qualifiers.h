#pragma once

// The words that CUDA adds to C++, as attributes of clang's CUDA mode. The only file that says what
// `__global__` is: define HEALD_GLOBAL before it to change that.

#ifndef HEALD_GLOBAL
#define HEALD_GLOBAL __attribute__((global))
#endif

#define __global__ HEALD_GLOBAL
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __tile_global__ HEALD_GLOBAL

#define __forceinline__ inline __attribute__((always_inline))
// __noinline__ is a keyword of clang in CUDA mode: libstdc++ also writes __attribute__((__noinline__)).
#define __inline_hint__
#define __nv_pure__ __attribute__((pure))
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))

#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __HEALD_CPU__ 1
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#endif

// Without system headers our functions are the host's as well, so that host code in a kernel source
// parses; with them the host has its own.
#ifdef HEALD_SYSTEM_HEADERS
#define __HEALD_SIDES __attribute__((device))
#else
#define __HEALD_SIDES __attribute__((host, device))
#endif

// Every function that a header defines: no code, no symbol unless used.
#define __HEALD_FN static inline __HEALD_SIDES __attribute__((always_inline))
#define __HEALD_HD static inline __attribute__((host, device, always_inline))
// The same for members and templates, which need no `static`.
#define __HEALD_MEMBER inline __attribute__((device, always_inline))
#define __HEALD_HD_MEMBER inline __attribute__((host, device, always_inline))
// Functions of the C library, and those of the runtime.
#define __HEALD_LIBC extern "C" __HEALD_SIDES
#define __HEALD_EXTERN extern "C" __attribute__((device))
