#pragma once

#include <heald/device.hpp>
#include <heald/dtype.hpp>

#include <cstddef>
#include <string>

namespace heald::array {

constexpr int product_tile = 64;   ///< rows and columns of the result that a block computes
constexpr int product_depth = 16;  ///< terms that are in shared memory at once
constexpr int product_block = 256;

/// What a product kernel's text depends on.
struct ProductForm {
    DType dtype;
    std::size_t batch_axes = 0;
    bool a_by_rows = true;  ///< elements of a row of a lie together, else those of a column
    bool b_by_rows = true;
};

/// The kernel `fused(out, a, b, layout)`; the layout is m, n, k, the number of products, the steps
/// of rows and columns of a and b, then for each batch axis its extent and the steps of a and b.
[[nodiscard]] std::string product_source(const ProductForm& form, DeviceKind device);

}  // namespace heald::array
