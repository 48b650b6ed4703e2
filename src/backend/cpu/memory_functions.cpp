#include "src/backend/cpu/memory_functions.hpp"

#include "src/backend/cpu/compiled_code.hpp"

#include <cstdint>
#include <cstring>

// The linker defines these two for a section whose name is an identifier.
extern "C" {
[[gnu::visibility("hidden")]] extern const char __start_heald_kernel_text[];
[[gnu::visibility("hidden")]] extern const char __stop_heald_kernel_text[];
}

// Loops that must not become calls of the functions that they implement.
#if defined(__clang__)
#define HEALD_KERNEL_TEXT [[gnu::section("heald_kernel_text"), gnu::no_builtin]]
#else
#define HEALD_KERNEL_TEXT \
    [[gnu::section("heald_kernel_text"), gnu::optimize("no-tree-loop-distribute-patterns")]]
#endif

#define HEALD_UNCHECKED __attribute__((no_sanitize("address", "undefined", "thread")))

namespace heald::cpu {

namespace {

using Word [[gnu::may_alias]] = std::uint64_t;

}  // namespace

extern "C" {

HEALD_KERNEL_TEXT HEALD_UNCHECKED void* heald_kernel_memmove(void* destination, const void* source,
                                                             std::size_t bytes) {
    auto* to = static_cast<unsigned char*>(destination);
    const auto* from = static_cast<const unsigned char*>(source);
    if (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from) >= bytes) {
#if defined(__x86_64__)
        if (bytes >= 256) {
            void* d = to;
            const void* s = from;
            asm volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(bytes) : : "memory");
            return destination;
        }
#endif
        for (; bytes >= 8; bytes -= 8, to += 8, from += 8) {
            Word word;
            __builtin_memcpy(&word, from, 8);
            __builtin_memcpy(to, &word, 8);
        }
        for (; bytes != 0; --bytes) *to++ = *from++;
    } else {
        while (bytes-- != 0) to[bytes] = from[bytes];
    }
    return destination;
}

HEALD_KERNEL_TEXT HEALD_UNCHECKED void* heald_kernel_memset(void* destination, int value,
                                                            std::size_t bytes) {
    auto* to = static_cast<unsigned char*>(destination);
    const Word word = static_cast<unsigned char>(value) * 0x0101010101010101u;
    for (; bytes >= 8; bytes -= 8, to += 8) __builtin_memcpy(to, &word, 8);
    for (; bytes != 0; --bytes) *to++ = static_cast<unsigned char>(value);
    return destination;
}

HEALD_KERNEL_TEXT HEALD_UNCHECKED int heald_kernel_memcmp(const void* a, const void* b,
                                                          std::size_t bytes) {
    const auto* left = static_cast<const unsigned char*>(a);
    const auto* right = static_cast<const unsigned char*>(b);
    for (std::size_t i = 0; i < bytes; ++i)
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    return 0;
}

HEALD_KERNEL_TEXT HEALD_UNCHECKED std::size_t heald_kernel_strlen(const char* text) {
    std::size_t length = 0;
    while (text[length] != '\0') ++length;
    return length;
}

}  // extern "C"

void make_memory_functions_catchable() {
    static const bool done =
        (add_callable_range(__start_heald_kernel_text, __stop_heald_kernel_text), true);
    static_cast<void>(done);
}

}  // namespace heald::cpu
