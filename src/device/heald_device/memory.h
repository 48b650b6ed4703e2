#pragma once

// Loads and stores with cache hints (plain here), address space queries, trap and clocks.

#include <heald_device/builtin_variables.h>
#include <heald_device/libc.h>

#define __HEALD_LOAD(name) \
    template <class T> __HEALD_MEMBER T name(const T* address) { return *address; }
#define __HEALD_STORE(name)                                                      \
    template <class T> __HEALD_MEMBER void name(T* address, __heald_same_t<T> value) { \
        *address = value;                                                        \
    }
template <class T> struct __heald_same { using type = T; };
template <class T> using __heald_same_t = typename __heald_same<T>::type;

__HEALD_LOAD(__ldg) __HEALD_LOAD(__ldca) __HEALD_LOAD(__ldcg) __HEALD_LOAD(__ldcs)
__HEALD_LOAD(__ldlu)
__HEALD_STORE(__stwb) __HEALD_STORE(__stcg) __HEALD_STORE(__stcs) __HEALD_STORE(__stwt)
#undef __HEALD_LOAD
#undef __HEALD_STORE
// Always read again.
template <class T>
__HEALD_MEMBER T __ldcv(const T* address) {
    if constexpr (__is_arithmetic(T)) {
        return *(const volatile T*)address;
    } else {
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        return *address;
    }
}

// One address space: a generic pointer is its own address.
__HEALD_FN size_t __cvta_generic_to_global(const void* pointer) { return size_t(pointer); }
__HEALD_FN size_t __cvta_generic_to_shared(const void* pointer) { return size_t(pointer); }
__HEALD_FN size_t __cvta_generic_to_constant(const void* pointer) { return size_t(pointer); }
__HEALD_FN size_t __cvta_generic_to_local(const void* pointer) { return size_t(pointer); }
__HEALD_FN size_t __cvta_generic_to_grid_constant(const void* pointer) { return size_t(pointer); }
__HEALD_FN void* __cvta_global_to_generic(size_t address) { return (void*)address; }
__HEALD_FN void* __cvta_shared_to_generic(size_t address) { return (void*)address; }
__HEALD_FN void* __cvta_constant_to_generic(size_t address) { return (void*)address; }
__HEALD_FN void* __cvta_local_to_generic(size_t address) { return (void*)address; }
__HEALD_FN void* __cvta_grid_constant_to_generic(size_t address) { return (void*)address; }

__HEALD_FN void* __nv_associate_access_property(const void* pointer, unsigned long long) {
    return const_cast<void*>(pointer);
}

__HEALD_FN void __trap() { __heald_trap(threadIdx.x, threadIdx.y, threadIdx.z); }
__HEALD_FN void __brkpt() { __heald_trap(threadIdx.x, threadIdx.y, threadIdx.z); }
#if defined(__x86_64__)
__HEALD_FN long long clock64() { return (long long)__builtin_ia32_rdtsc(); }
#else
__HEALD_FN long long clock64() { return (long long)__builtin_readcyclecounter(); }
#endif
__HEALD_FN void __prof_trigger(int) {}
__HEALD_FN int clock() { return int(clock64()); }
