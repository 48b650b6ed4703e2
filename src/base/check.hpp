#pragma once

#include <heald/error.hpp>

#include "src/base/text.hpp"

#include <exception>
#include <string_view>

namespace heald {

/// Throws Error(kind) with the parts as its text.
template <class... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void fail(ErrorKind kind, const Parts&... parts) {
    throw Error(kind, text(parts...));
}

/// Reports what a destructor or another function that must not throw ran into.
void warn_of_exception(std::string_view operation, std::exception_ptr error) noexcept;

/// Runs `function`; an exception becomes a warning that names `operation`.
template <class Function>
void without_throwing(std::string_view operation, Function&& function) noexcept {
    try {
        function();
    } catch (...) {
        warn_of_exception(operation, std::current_exception());
    }
}

}  // namespace heald

/// HEALD_EXPECTS(condition, kind, parts…): fails unless the condition holds. The parts are
/// evaluated only then.
#define HEALD_EXPECTS(condition, kind, ...)                       \
    do {                                                          \
        if (!(condition)) [[unlikely]]                            \
            ::heald::fail(::heald::ErrorKind::kind, __VA_ARGS__); \
    } while (false)
