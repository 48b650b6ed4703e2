#pragma once

// new and delete on the device heap. Included after heald_device.h, never precompiled: clang would
// take the host's own operators, which have the same types, for these.

#include <heald_device/heap_and_abort.h>

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
