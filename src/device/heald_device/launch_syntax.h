#pragma once

// What clang looks up when host code in the same source has kernel<<<grid, block>>>(…). The call is
// parsed and never run: only device code is compiled.

#include <heald_device/builtin_variables.h>

struct CUstream_st;
extern "C" __host__ int cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                          CUstream_st* stream = nullptr);
