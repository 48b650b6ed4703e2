#pragma once

#include "src/backend/cuda/driver/symbols.hpp"
#include "src/backend/cuda/driver/types.hpp"
#include "src/base/library.hpp"

namespace heald::cuda::driver {

/// Throws Error(unavailable): the installed driver has no `name`.
[[noreturn]] void missing_symbol(const char* name);

template <class Signature>
class Symbol;

/// One entry point. Calling one that the driver lacks is an error that names it.
template <class R, class... Args>
class Symbol<R(Args...)> {
public:
    explicit Symbol(const char* name) : name_(name) {}

    R operator()(Args... arguments) const {
        if (function_ == nullptr) [[unlikely]]
            missing_symbol(name_);
        return function_(arguments...);
    }
    [[nodiscard]] explicit operator bool() const noexcept { return function_ != nullptr; }
    [[nodiscard]] const char* name() const noexcept { return name_; }
    void set(void* address) { function_ = reinterpret_cast<R (*)(Args...)>(address); }

private:
    R (*function_)(Args...) = nullptr;
    const char* name_;
};

/// The driver of this process.
struct Api {
    Api();

#define HEALD_MEMBER(name, ...) Symbol<__VA_ARGS__> name{#name};
    HEALD_DRIVER_SYMBOLS(HEALD_MEMBER)
#undef HEALD_MEMBER
};

/// libcuda.so.1, not opened before it is asked for something.
Library& library();

/// The entry points, looked up once. Throws Error(unavailable) if there is no driver.
Api& api();

/// True in a child of the process that initialised the driver: CUDA does not survive fork.
[[nodiscard]] bool forked_since_initialisation() noexcept;

/// cuInit, once. Its result is kept.
[[nodiscard]] Result initialise();

}  // namespace heald::cuda::driver
