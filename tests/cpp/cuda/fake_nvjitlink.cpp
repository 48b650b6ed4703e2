// Stands for an nvJitLink that is too old: one function is missing.

#include <cstddef>
#include <cstdint>

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int nvJitLinkCreate(void**, std::uint32_t, const char**) {
    return 1;
}
EXPORT int nvJitLinkDestroy(void**) {
    return 1;
}
EXPORT int nvJitLinkAddData(void*, int, const void*, std::size_t, const char*) {
    return 1;
}
EXPORT int nvJitLinkComplete(void*) {
    return 1;
}
