#include "src/array/product/product.hpp"

#include "src/array/lazy/kernels.hpp"
#include "src/array/ops/elementwise.hpp"
#include "src/array/packed_launch.hpp"
#include "src/array/product/product_source.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <cstdlib>

namespace heald::array {
namespace {

constexpr std::int64_t most_products = 65535;  ///< in the grid's third direction

Shape with_matrix(Shape batch, std::int64_t rows, std::int64_t columns) {
    batch.push_back(rows);
    batch.push_back(columns);
    return batch;
}

Shape batch_of(const Shape& shape) {
    return {shape.begin(), shape.end() - 2};
}

std::uint32_t tiles(std::int64_t extent) {
    return static_cast<std::uint32_t>((extent + product_tile - 1) / product_tile);
}

void check(const Array& a, const Array& b) {
    HEALD_EXPECTS(a.ndim() >= 2 && b.ndim() >= 2, invalid_value,
                  "[matmul] matrices have two axes or more, got shapes ", shape_text(a.shape()),
                  " and ", shape_text(b.shape()));
    HEALD_EXPECTS(a.dtype() == b.dtype(), type_mismatch,
                  "[matmul] the dtypes differ: ", name_of(a.dtype()), " and ", name_of(b.dtype()));
    HEALD_EXPECTS(a.device() == b.device(), invalid_value, "[matmul] the arrays are on ",
                  a.device().name(), " and ", b.device().name(),
                  ": bring them together with x.to(device)");
    HEALD_EXPECTS(a.shape().back() == b.shape()[b.shape().size() - 2], invalid_value,
                  "[matmul] shapes ", shape_text(a.shape()), " and ", shape_text(b.shape()),
                  " do not fit: the first has ", a.shape().back(), " columns, the second ",
                  b.shape()[b.shape().size() - 2], " rows");
}

}  // namespace

Array matrix_product(const Array& a, const Array& b) {
    check(a, b);
    const std::size_t last_a = a.shape().size() - 1;
    const std::size_t last_b = b.shape().size() - 1;
    const std::int64_t m = a.shape()[last_a - 1];
    const std::int64_t n = b.shape()[last_b];
    const std::int64_t k = a.shape()[last_a];
    const Shape batch_a = batch_of(a.shape());
    const Shape batch_b = batch_of(b.shape());
    const Shape batch = broadcast_shapes(std::vector{&batch_a, &batch_b}, "matmul");
    const Stream stream = stream_for(a);
    Array result(with_matrix(batch, m, n), a.dtype(), stream);
    if (result.size() == 0) return result;

    const Array left = broadcast_view(a, with_matrix(batch, m, k));
    const Array right = broadcast_view(b, with_matrix(batch, k, n));
    const Shape left_steps = element_strides(left);
    const Shape right_steps = element_strides(right);
    const std::size_t axes = batch.size();
    const std::int64_t products = result.size() / (m * n);
    std::vector<std::int64_t> layout{m,
                                     n,
                                     k,
                                     products,
                                     left_steps[axes],
                                     left_steps[axes + 1],
                                     right_steps[axes],
                                     right_steps[axes + 1]};
    const auto add = [&](const Shape& steps) {
        layout.insert(layout.end(), steps.begin(),
                      steps.begin() + static_cast<std::ptrdiff_t>(axes));
    };
    add(batch);
    add(left_steps);
    add(right_steps);
    const ProductForm form{a.dtype(), axes,
                           std::abs(left_steps[axes + 1]) <= std::abs(left_steps[axes]),
                           std::abs(right_steps[axes + 1]) <= std::abs(right_steps[axes])};
    core::DeviceState& device = stream.state().device;
    const Kernel kernel =
        generated_kernel(device,
                         text("product ", device.name(), " ", name_of(form.dtype), " ",
                              form.batch_axes, " ", form.a_by_rows, " ", form.b_by_rows),
                         [&] { return product_source(form, device.kind()); });
    PackedLaunch arguments;
    arguments.add_array(result, true);
    arguments.add_array(left, false);
    arguments.add_array(right, false);
    arguments.add_numbers(layout);
    HEALD_EXPECTS(tiles(n) <= most_products, invalid_value, "[matmul] ", n,
                  " columns are more than a product takes");
    const LaunchConfig config{
        Dim3(tiles(m), tiles(n), static_cast<std::uint32_t>(std::min(products, most_products))),
        Dim3(product_block)};
    arguments.launch(kernel, config, stream, "matmul");
    return result;
}

}  // namespace heald::array
