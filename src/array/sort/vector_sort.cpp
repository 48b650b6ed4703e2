#include "src/array/sort/vector_sort.hpp"

namespace heald::array {

#ifdef HEALD_VECTOR_SORT

void avx512_sort_32(std::uint32_t* x, std::uint32_t* y, std::size_t n, std::uint32_t* to,
                    void (*fallback)(std::uint32_t*, std::uint32_t*, std::size_t));
void avx512_sort_64(std::uint64_t* x, std::uint64_t* y, std::size_t n, std::uint64_t* to,
                    void (*fallback)(std::uint64_t*, std::uint64_t*, std::size_t));

namespace {

bool has_instructions() noexcept {
    static const bool has =
        __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("popcnt") != 0;
    return has;
}

}  // namespace

VectorSort<std::uint32_t> vector_sort_32() noexcept {
    return has_instructions() ? avx512_sort_32 : nullptr;
}
VectorSort<std::uint64_t> vector_sort_64() noexcept {
    return has_instructions() ? avx512_sort_64 : nullptr;
}

#else

VectorSort<std::uint32_t> vector_sort_32() noexcept {
    return nullptr;
}
VectorSort<std::uint64_t> vector_sort_64() noexcept {
    return nullptr;
}

#endif

}  // namespace heald::array
