#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace heald::cpu {

/// While it lives, this thread takes denormal numbers for zero and makes none, if it is asked to.
class DenormalScope {
public:
    explicit DenormalScope(bool flush) noexcept : flush_(flush) {
        if (!flush_) return;
        before_ = control();
        set_control(before_ | flushing);
    }
    ~DenormalScope() {
        if (flush_) set_control(before_);
    }
    DenormalScope(const DenormalScope&) = delete;
    DenormalScope& operator=(const DenormalScope&) = delete;

private:
#if defined(__x86_64__)
    using Control = std::uint32_t;
    static constexpr Control flushing = 0x8040;  // results and operands
    static Control control() noexcept { return _mm_getcsr(); }
    static void set_control(Control value) noexcept { _mm_setcsr(value); }
#elif defined(__aarch64__)
    using Control = std::uint64_t;
    static constexpr Control flushing = Control{1} << 24;
    static Control control() noexcept {
        Control value;
        asm volatile("mrs %0, fpcr" : "=r"(value));
        return value;
    }
    static void set_control(Control value) noexcept { asm volatile("msr fpcr, %0" ::"r"(value)); }
#endif

    const bool flush_;
    Control before_ = 0;
};

}  // namespace heald::cpu
