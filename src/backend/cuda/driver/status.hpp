#pragma once

#include <heald/error.hpp>

#include "src/backend/cuda/driver/types.hpp"

#include <string>

namespace heald::cuda::driver {

/// "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)".
[[nodiscard]] std::string describe(Result result);

/// True if the context is of no use any more after this result.
[[nodiscard]] bool is_fault(Result result) noexcept;

[[nodiscard]] ErrorKind kind_of(Result result) noexcept;

/// Throws the Error of a result that is not success. `operation` names what was tried.
[[noreturn]] void raise(Result result, const char* operation);

/// For calls whose failure says nothing about earlier work; cuda::Device::check is for the others.
inline void check(Result result, const char* operation) {
    if (result != Result::success) [[unlikely]]
        raise(result, operation);
}

}  // namespace heald::cuda::driver
