#pragma once

// new and delete on the device heap, abort, and what a failed assertion calls.

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

// The device heap; running out gives a null pointer and stops the thread that asked with `new`.
__HEALD_MEMBER void* operator new(size_t, void* place) noexcept { return place; }
__HEALD_MEMBER void* operator new[](size_t, void* place) noexcept { return place; }
__HEALD_MEMBER void* operator new(size_t size) {
    void* memory = malloc(size);
    if (!memory) abort();
    return memory;
}
__HEALD_MEMBER void* operator new[](size_t size) { return operator new(size); }
__HEALD_MEMBER void operator delete(void* memory) noexcept { free(memory); }
__HEALD_MEMBER void operator delete[](void* memory) noexcept { free(memory); }
__HEALD_MEMBER void operator delete(void* memory, size_t) noexcept { free(memory); }
__HEALD_MEMBER void operator delete[](void* memory, size_t) noexcept { free(memory); }

// Host code of the same file has its own, which nothing here calls.
__attribute__((host)) void* operator new(size_t);
__attribute__((host)) void* operator new[](size_t);
__attribute__((host)) void operator delete(void*) noexcept;
__attribute__((host)) void operator delete[](void*) noexcept;
__attribute__((host)) void operator delete(void*, size_t) noexcept;
__attribute__((host)) void operator delete[](void*, size_t) noexcept;
