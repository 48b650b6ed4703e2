#pragma once

// Included before every kernel source that heald compiles for the CPU: what CUDA C++ has without
// any include. HEALD_SYSTEM_HEADERS is defined when real system headers may follow.

#include <heald_device/qualifiers.h>

#include <heald_device/integer_types.h>
#include <heald_device/intrinsics.h>

#include <heald_device/builtin_variables.h>
#include <heald_device/vector_types.h>

#include <heald_device/heap_and_abort.h>
#include <heald_device/launch_syntax.h>
#include <heald_device/libc.h>

// In a namespace, a precompiled header gives up functions one by one, as they are used; from the
// global scope it loads all. Types stay global: their names are part of kernels' mangled names.
inline namespace __heald_device {
#include <heald_device/atomics.h>
#include <heald_device/conversions.h>
#include <heald_device/directed_rounding.h>
#include <heald_device/dpx_intrinsics.h>
#include <heald_device/integer_intrinsics.h>
#include <heald_device/make_vector.h>
#include <heald_device/math_approx.h>
#include <heald_device/math_f32.h>
#include <heald_device/math_f64.h>
#include <heald_device/math_overloads.h>
#include <heald_device/memory.h>
#include <heald_device/min_max.h>
#include <heald_device/simd_intrinsics.h>
#include <heald_device/sync.h>
#include <heald_device/warp.h>
}  // namespace __heald_device
