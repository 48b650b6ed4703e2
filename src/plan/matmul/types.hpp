#pragma once

#include <heald/device.hpp>
#include <heald/dtype.hpp>
#include <heald/matmul.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace heald::plan {

/// Dtypes in which a library is asked for a product.
struct MatmulTypes {
    DType a = DType::float32;
    DType b = DType::float32;
    DType d = DType::float32;
    DType accumulate = DType::float32;
    Multiply multiply = Multiply::operands;
    std::optional<DType> rounded;  ///< operands are rounded to it before they are cast

    bool operator==(const MatmulTypes&) const = default;
};

/// The dtype that keeps what sums of products of a dtype have: float32 for 16 bits.
[[nodiscard]] DType wide_dtype(DType dtype) noexcept;

[[nodiscard]] std::string_view name_of(Multiply multiply) noexcept;

/// Ways to compute a product of dtypes, best first: what a library does not take as it is, it may
/// take after casts. `wide_result`: the sums are wanted unrounded. Throws Error(type_mismatch,
/// unavailable) for what has no meaning or what the device lacks.
[[nodiscard]] std::vector<MatmulTypes> matmul_types(DType a, DType b, DType result,
                                                    Multiply multiply,
                                                    std::optional<DType> accumulate,
                                                    bool wide_result, const Device& device);

}  // namespace heald::plan
