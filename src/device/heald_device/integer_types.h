#pragma once

// The type names that CUDA C++ has without an include. The fixed-width ones come from <cstdint>.

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

typedef long long __heald_i64;
typedef unsigned long long __heald_u64;
