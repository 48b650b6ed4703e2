#pragma once

#include <heald_device/integer_types.h>

typedef decltype(nullptr) nullptr_t;
typedef struct {
    long long __largest __attribute__((aligned(__alignof__(long long))));
    long double __widest __attribute__((aligned(__alignof__(long double))));
} max_align_t;

#undef NULL
#define NULL __null
#undef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
