#pragma once

// Read-modify-write functions, relaxed. Integers wrap; every function returns the old value. The
// _block and _system forms are the same functions here.

#include <heald_device/vector_types.h>


#define __HEALD_ATOMIC(name, builtin, type)                \
    __HEALD_FN type name(type* address, type value) {      \
        return builtin(address, value, __ATOMIC_RELAXED);  \
    }
#define __HEALD_ATOMIC_INTEGERS(name, builtin)                                \
    __HEALD_ATOMIC(name, builtin, int) __HEALD_ATOMIC(name, builtin, unsigned) \
    __HEALD_ATOMIC(name, builtin, __heald_u64)
__HEALD_ATOMIC_INTEGERS(atomicAdd, __atomic_fetch_add)
__HEALD_ATOMIC_INTEGERS(atomicMin, __atomic_fetch_min)
__HEALD_ATOMIC_INTEGERS(atomicMax, __atomic_fetch_max)
__HEALD_ATOMIC_INTEGERS(atomicAnd, __atomic_fetch_and)
__HEALD_ATOMIC_INTEGERS(atomicOr, __atomic_fetch_or)
__HEALD_ATOMIC_INTEGERS(atomicXor, __atomic_fetch_xor)
__HEALD_ATOMIC_INTEGERS(atomicExch, __atomic_exchange_n)
__HEALD_ATOMIC(atomicAdd, __atomic_fetch_add, float)
__HEALD_ATOMIC(atomicAdd, __atomic_fetch_add, double)
__HEALD_ATOMIC(atomicMin, __atomic_fetch_min, __heald_i64)
__HEALD_ATOMIC(atomicMax, __atomic_fetch_max, __heald_i64)
__HEALD_ATOMIC(atomicAnd, __atomic_fetch_and, __heald_i64)
__HEALD_ATOMIC(atomicOr, __atomic_fetch_or, __heald_i64)
__HEALD_ATOMIC(atomicXor, __atomic_fetch_xor, __heald_i64)
__HEALD_ATOMIC(atomicSub, __atomic_fetch_sub, int)
__HEALD_ATOMIC(atomicSub, __atomic_fetch_sub, unsigned)
#undef __HEALD_ATOMIC_INTEGERS
#undef __HEALD_ATOMIC

__HEALD_FN float atomicExch(float* address, float value) {
    return __builtin_bit_cast(float, __atomic_exchange_n((unsigned*)address,
                                                         __builtin_bit_cast(unsigned, value),
                                                         __ATOMIC_RELAXED));
}

template <class T>
__HEALD_MEMBER T __heald_cas(T* address, T compare, T value) {
    __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    return compare;
}
#define __HEALD_ATOMIC_CAS(type)                                          \
    __HEALD_FN type atomicCAS(type* address, type compare, type value) {  \
        return __heald_cas(address, compare, value);                      \
    }
__HEALD_ATOMIC_CAS(int)
__HEALD_ATOMIC_CAS(unsigned)
__HEALD_ATOMIC_CAS(unsigned short)
__HEALD_ATOMIC_CAS(__heald_u64)
#undef __HEALD_ATOMIC_CAS

template <class T, bool Fits> struct __heald_if_128 {};
template <class T> struct __heald_if_128<T, true> { using type = T; };

// 16-byte objects, as on compute capability 9 and later.
template <class T>
using __heald_if_128_t = typename __heald_if_128<T, sizeof(T) == 16 && alignof(T) == 16>::type;
template <class T>
__HEALD_MEMBER __heald_if_128_t<T> atomicExch(T* address, T value) {
    return __builtin_bit_cast(T, __atomic_exchange_n((unsigned __int128*)address,
                                                     __builtin_bit_cast(unsigned __int128, value),
                                                     __ATOMIC_RELAXED));
}
template <class T>
__HEALD_MEMBER __heald_if_128_t<T> atomicCAS(T* address, T compare, T value) {
    return __builtin_bit_cast(T, __heald_cas((unsigned __int128*)address,
                                             __builtin_bit_cast(unsigned __int128, compare),
                                             __builtin_bit_cast(unsigned __int128, value)));
}

// Replaces the value by `next` of it until no other thread came between.
template <class T, class F>
__HEALD_MEMBER T __heald_update(T* address, F next) {
    T old = *(volatile T*)address, seen;
    do {
        seen = old;
        old = __heald_cas(address, seen, next(seen));
    } while (old != seen);
    return old;
}
__HEALD_FN unsigned atomicInc(unsigned* address, unsigned limit) {
    return __heald_update(address, [=](unsigned old) { return old >= limit ? 0u : old + 1u; });
}
__HEALD_FN unsigned atomicDec(unsigned* address, unsigned limit) {
    return __heald_update(
        address, [=](unsigned old) { return old == 0u || old > limit ? limit : old - 1u; });
}

// float2 and float4 are added member by member, each atomically.
__HEALD_FN float2 atomicAdd(float2* address, float2 value) {
    return float2{atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
__HEALD_FN float4 atomicAdd(float4* address, float4 value) {
    return float4{atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
                  atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w)};
}

#define __HEALD_ATOMIC_SCOPE(name, suffix)                                              \
    template <class T, class... Values>                                                 \
    __HEALD_MEMBER T name##suffix(T* address, Values... values) {                       \
        return name(address, values...);                                                \
    }
#define __HEALD_ATOMIC_SCOPES(name) \
    __HEALD_ATOMIC_SCOPE(name, _block) __HEALD_ATOMIC_SCOPE(name, _system)
__HEALD_ATOMIC_SCOPES(atomicAdd) __HEALD_ATOMIC_SCOPES(atomicSub) __HEALD_ATOMIC_SCOPES(atomicExch)
__HEALD_ATOMIC_SCOPES(atomicMin) __HEALD_ATOMIC_SCOPES(atomicMax) __HEALD_ATOMIC_SCOPES(atomicInc)
__HEALD_ATOMIC_SCOPES(atomicDec) __HEALD_ATOMIC_SCOPES(atomicCAS) __HEALD_ATOMIC_SCOPES(atomicAnd)
__HEALD_ATOMIC_SCOPES(atomicOr) __HEALD_ATOMIC_SCOPES(atomicXor)
#undef __HEALD_ATOMIC_SCOPES
#undef __HEALD_ATOMIC_SCOPE
