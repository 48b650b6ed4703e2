#pragma once

#include "src/array/ops/ufunc.hpp"

#include <heald/array.hpp>
#include <heald/stream.hpp>

#include <cstdint>
#include <string_view>

namespace heald::array {

/// An accumulation over (outer, length, inner) elements in C order, along the middle.
struct Scan {
    const Ufunc* ufunc = nullptr;
    DType loop = DType::float32;  ///< in which it takes place
    Array from;
    Array to;
    std::int64_t outer = 1;
    std::int64_t length = 1;
    std::int64_t inner = 1;
};

/// The operations may be grouped in any way.
[[nodiscard]] bool is_associative(std::string_view ufunc) noexcept;

/// True if the CPU has code for it; then it was enqueued.
[[nodiscard]] bool scan_on_cpu(const Scan& scan, const Stream& stream);

/// On any device, for any ufunc.
void scan_with_kernels(const Scan& scan, const Stream& stream);

}  // namespace heald::array
