#pragma once

// abort, and what a failed assertion calls.

#include <heald_device/builtin_variables.h>
#include <heald_device/libc.h>

__HEALD_LIBC __attribute__((noreturn, always_inline)) inline void abort() noexcept {
    __heald_trap(threadIdx.x, threadIdx.y, threadIdx.z);
}
// What the C library's own <assert.h> calls.
__HEALD_LIBC __attribute__((noreturn, always_inline)) inline void __assert_fail(
    const char* expression, const char* file, unsigned line, const char* function) noexcept {
    __heald_assert_fail(expression, file, line, function, threadIdx.x, threadIdx.y, threadIdx.z);
}
