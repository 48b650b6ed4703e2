#pragma once

// Read-modify-write functions, relaxed, for device scope and with _block and _system suffixes,
// which are the same here. Integers wrap; every function returns the old value.

#include <heald_device/vector_types.h>

#define __HEALD_ATOMIC(type, name, builtin)                                         \
    __HEALD_FN type name(type* address, type value) {                               \
        return builtin(address, value, __ATOMIC_RELAXED);                           \
    }                                                                               \
    __HEALD_FN type name##_block(type* address, type value) {                       \
        return builtin(address, value, __ATOMIC_RELAXED);                           \
    }                                                                               \
    __HEALD_FN type name##_system(type* address, type value) {                      \
        return builtin(address, value, __ATOMIC_RELAXED);                           \
    }

#define __HEALD_ATOMIC_INTEGER(type)                       \
    __HEALD_ATOMIC(type, atomicMin, __atomic_fetch_min)    \
    __HEALD_ATOMIC(type, atomicMax, __atomic_fetch_max)    \
    __HEALD_ATOMIC(type, atomicAnd, __atomic_fetch_and)    \
    __HEALD_ATOMIC(type, atomicOr, __atomic_fetch_or)      \
    __HEALD_ATOMIC(type, atomicXor, __atomic_fetch_xor)

typedef unsigned long long __heald_u64;
typedef long long __heald_i64;
__HEALD_ATOMIC_INTEGER(int)
__HEALD_ATOMIC_INTEGER(unsigned)
__HEALD_ATOMIC_INTEGER(__heald_i64)
__HEALD_ATOMIC_INTEGER(__heald_u64)

__HEALD_ATOMIC(int, atomicAdd, __atomic_fetch_add)
__HEALD_ATOMIC(unsigned, atomicAdd, __atomic_fetch_add)
__HEALD_ATOMIC(__heald_u64, atomicAdd, __atomic_fetch_add)
__HEALD_ATOMIC(float, atomicAdd, __atomic_fetch_add)
__HEALD_ATOMIC(double, atomicAdd, __atomic_fetch_add)
__HEALD_ATOMIC(int, atomicSub, __atomic_fetch_sub)
__HEALD_ATOMIC(unsigned, atomicSub, __atomic_fetch_sub)
__HEALD_ATOMIC(int, atomicExch, __atomic_exchange_n)
__HEALD_ATOMIC(unsigned, atomicExch, __atomic_exchange_n)
__HEALD_ATOMIC(__heald_u64, atomicExch, __atomic_exchange_n)
#undef __HEALD_ATOMIC_INTEGER
#undef __HEALD_ATOMIC

__HEALD_FN float __heald_exchange(float* address, float value) {
    return __builtin_bit_cast(float, __atomic_exchange_n((unsigned*)address,
                                                         __builtin_bit_cast(unsigned, value),
                                                         __ATOMIC_RELAXED));
}
__HEALD_FN float atomicExch(float* address, float value) {
    return __heald_exchange(address, value);
}
__HEALD_FN float atomicExch_block(float* address, float value) {
    return __heald_exchange(address, value);
}
__HEALD_FN float atomicExch_system(float* address, float value) {
    return __heald_exchange(address, value);
}

template <class T>
__HEALD_MEMBER T __heald_cas(T* address, T compare, T value) {
    __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    return compare;
}
#define __HEALD_ATOMIC_CAS(type)                                                     \
    __HEALD_FN type atomicCAS(type* address, type compare, type value) {             \
        return __heald_cas(address, compare, value);                                 \
    }                                                                                \
    __HEALD_FN type atomicCAS_block(type* address, type compare, type value) {       \
        return __heald_cas(address, compare, value);                                 \
    }                                                                                \
    __HEALD_FN type atomicCAS_system(type* address, type compare, type value) {      \
        return __heald_cas(address, compare, value);                                 \
    }
__HEALD_ATOMIC_CAS(int)
__HEALD_ATOMIC_CAS(unsigned)
__HEALD_ATOMIC_CAS(unsigned short)
__HEALD_ATOMIC_CAS(__heald_u64)
#undef __HEALD_ATOMIC_CAS

// 16-byte objects, as on compute capability 9 and later.
template <class T>
__HEALD_MEMBER T __heald_exchange_128(T* address, T value) {
    static_assert(sizeof(T) == 16 && alignof(T) == 16, "a 128-bit atomic takes a 16-byte aligned type");
    return __builtin_bit_cast(T, __atomic_exchange_n((unsigned __int128*)address,
                                                     __builtin_bit_cast(unsigned __int128, value),
                                                     __ATOMIC_RELAXED));
}
template <class T>
__HEALD_MEMBER T __heald_cas_128(T* address, T compare, T value) {
    static_assert(sizeof(T) == 16 && alignof(T) == 16, "a 128-bit atomic takes a 16-byte aligned type");
    return __builtin_bit_cast(T, __heald_cas((unsigned __int128*)address,
                                             __builtin_bit_cast(unsigned __int128, compare),
                                             __builtin_bit_cast(unsigned __int128, value)));
}
#define __HEALD_ATOMIC_128(suffix)                                                    \
    template <class T> __HEALD_MEMBER T atomicExch##suffix(T* address, T value) {     \
        return __heald_exchange_128(address, value);                                  \
    }                                                                                 \
    template <class T> __HEALD_MEMBER T atomicCAS##suffix(T* address, T compare, T value) { \
        return __heald_cas_128(address, compare, value);                              \
    }
__HEALD_ATOMIC_128()
__HEALD_ATOMIC_128(_block)
__HEALD_ATOMIC_128(_system)
#undef __HEALD_ATOMIC_128

// old >= limit ? 0 : old + 1, and old == 0 || old > limit ? limit : old - 1.
__HEALD_FN unsigned atomicInc(unsigned* address, unsigned limit) {
    unsigned old = *(volatile unsigned*)address, seen;
    do {
        seen = old;
        old = __heald_cas(address, seen, seen >= limit ? 0u : seen + 1u);
    } while (old != seen);
    return old;
}
__HEALD_FN unsigned atomicDec(unsigned* address, unsigned limit) {
    unsigned old = *(volatile unsigned*)address, seen;
    do {
        seen = old;
        old = __heald_cas(address, seen, seen == 0u || seen > limit ? limit : seen - 1u);
    } while (old != seen);
    return old;
}
__HEALD_FN unsigned atomicInc_block(unsigned* address, unsigned limit) { return atomicInc(address, limit); }
__HEALD_FN unsigned atomicInc_system(unsigned* address, unsigned limit) { return atomicInc(address, limit); }
__HEALD_FN unsigned atomicDec_block(unsigned* address, unsigned limit) { return atomicDec(address, limit); }
__HEALD_FN unsigned atomicDec_system(unsigned* address, unsigned limit) { return atomicDec(address, limit); }

// float4 and float2 are added member by member, each atomically.
#define __HEALD_ATOMIC_VECTOR(suffix)                                                   \
    __HEALD_FN float2 atomicAdd##suffix(float2* address, float2 value) {                \
        return float2{atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)}; \
    }                                                                                   \
    __HEALD_FN float4 atomicAdd##suffix(float4* address, float4 value) {                \
        return float4{atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y), \
                      atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w)}; \
    }
__HEALD_ATOMIC_VECTOR()
__HEALD_ATOMIC_VECTOR(_block)
__HEALD_ATOMIC_VECTOR(_system)
#undef __HEALD_ATOMIC_VECTOR
