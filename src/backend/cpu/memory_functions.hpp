#pragma once

#include <cstddef>

namespace heald::cpu {

// memmove and the like for compiled kernels: they lie in a section of their own, so that a bad
// pointer given to them counts as the kernel's fault.
extern "C" {
void* heald_kernel_memmove(void* destination, const void* source, std::size_t bytes);
void* heald_kernel_memset(void* destination, int value, std::size_t bytes);
int heald_kernel_memcmp(const void* a, const void* b, std::size_t bytes);
std::size_t heald_kernel_strlen(const char* text);
}

/// Registers the section; only the first call does something.
void make_memory_functions_catchable();

}  // namespace heald::cpu
