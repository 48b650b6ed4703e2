#pragma once

// What the SIMT passes give meaning to (src/jit/cpu/intrinsics.hpp) and what the runtime provides
// to compiled kernels (src/backend/cpu/kernel_abi.hpp).

#include <heald_device/integer_types.h>
#include <heald_device/qualifiers.h>

#define __HEALD_COORDINATE(name) \
    __HEALD_EXTERN unsigned __heald_##name(void) __attribute__((const, nothrow));
#define __HEALD_COORDINATES(name) \
    __HEALD_COORDINATE(name##_x) __HEALD_COORDINATE(name##_y) __HEALD_COORDINATE(name##_z)

__HEALD_COORDINATES(tid)
__HEALD_COORDINATES(bid)
__HEALD_COORDINATES(bdim)
__HEALD_COORDINATES(gdim)
__HEALD_COORDINATE(lane)
__HEALD_COORDINATE(warp)
__HEALD_COORDINATE(dynamic_shared_bytes)

#undef __HEALD_COORDINATES
#undef __HEALD_COORDINATE

#define __HEALD_CONVERGENT __attribute__((convergent, nothrow))
__HEALD_EXTERN void __heald_barrier(void) __HEALD_CONVERGENT;
__HEALD_EXTERN void __heald_syncwarp(unsigned mask) __HEALD_CONVERGENT;
__HEALD_EXTERN int __heald_shfl_i32(unsigned mask, int value, unsigned lane) __HEALD_CONVERGENT;
__HEALD_EXTERN unsigned __heald_ballot(unsigned mask, int predicate) __HEALD_CONVERGENT;
__HEALD_EXTERN unsigned __heald_activemask(void) __HEALD_CONVERGENT;
#undef __HEALD_CONVERGENT

__HEALD_EXTERN void __heald_relax(void) __attribute__((nothrow));
__HEALD_EXTERN void __heald_trap(unsigned tx, unsigned ty, unsigned tz)
    __attribute__((noreturn, nothrow));
__HEALD_EXTERN void __heald_assert_fail(const char* expression, const char* file, unsigned line,
                                        const char* function, unsigned tx, unsigned ty,
                                        unsigned tz) __attribute__((noreturn, nothrow));
