#include "src/array/product/product_source.hpp"

#include "src/array/lazy/kernel_text.hpp"
#include "src/base/text.hpp"

namespace heald::array {
namespace {

/// In which sums are kept: integers without a sign, so that they wrap.
std::string sum_type(DType dtype) {
    switch (info(dtype).kind) {
        case DTypeKind::boolean:
            return "int";
        case DTypeKind::signed_int:
        case DTypeKind::unsigned_int:
            return size_of(dtype) == 8 ? "unsigned long long" : "unsigned int";
        default:
            return value_type(dtype);
    }
}

std::string layout_text(std::size_t batch_axes) {
    std::string layout =
        "struct Layout {\n    long long m, n, k, products, a_row, a_column, b_row, b_column;\n";
    if (batch_axes > 0)
        layout += text("    long long extent[", batch_axes, "], a_step[", batch_axes, "], b_step[",
                       batch_axes, "];\n");
    return layout + "};\n";
}

std::string batch_offsets(std::size_t axes) {
    std::string lines = "        long long rest = product;\n";
    for (std::size_t axis = axes; axis-- > 0;)
        lines += text("        {\n            const long long at = rest % layout.extent[", axis,
                      "];\n            rest /= layout.extent[", axis,
                      "];\n            a += at * layout.a_step[", axis,
                      "];\n            b += at * layout.b_step[", axis, "];\n        }\n");
    return lines;
}

}  // namespace

std::string product_source(const ProductForm& form, DeviceKind device) {
    const std::string memory = memory_type(form.dtype);
    const std::string value = value_type(form.dtype);
    const std::string sum = sum_type(form.dtype);
    const bool is_bool = form.dtype == DType::boolean;
    Preamble preamble;
    preamble.need_dtype(form.dtype);
    // A thread fetches the elements that lie together in memory with its neighbours.
    const std::string a_place =
        form.a_by_rows ? text("depth = e % ", product_depth, ", row = e / ", product_depth)
                       : text("row = e % ", product_tile, ", depth = e / ", product_tile);
    const std::string b_place =
        form.b_by_rows ? text("column = e % ", product_tile, ", depth = e / ", product_tile)
                       : text("depth = e % ", product_depth, ", column = e / ", product_depth);
    return text(
        preamble.source(device), layout_text(form.batch_axes),
        "constexpr int tile = ", product_tile, ", deep = ", product_depth,
        ", threads = ", product_block, ";\nusing Sum = ", sum, ";\n",
        "extern \"C\" __global__ void __launch_bounds__(threads) fused(", memory,
        "* __restrict__ out_, const ", memory, "* __restrict__ a_, const ", memory,
        "* __restrict__ b_, const Layout layout) {\n",
        R"(    __shared__ Sum left[deep][tile + 1];
    __shared__ Sum right[deep][tile + 1];
    const int t = (int)threadIdx.x, x = t % 16, y = t / 16;
    const long long row0 = (long long)blockIdx.x * tile, column0 = (long long)blockIdx.y * tile;
    for (long long product = blockIdx.z; product < layout.products; product += gridDim.z) {
)",
        "        const ", memory, "* a = a_;\n        const ", memory, "* b = b_;\n",
        batch_offsets(form.batch_axes),
        R"(        Sum sums[4][4];
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) sums[i][j] = Sum{};
        for (long long first = 0; first < layout.k; first += deep) {
            for (int e = t; e < tile * deep; e += threads) {
)",
        "                const int ", a_place,
        R"(;
                Sum value{};
                if (row0 + row < layout.m && first + depth < layout.k)
)",
        "                    value = (Sum)(",
        load(form.dtype, "a[(row0 + row) * layout.a_row + (first + depth) * layout.a_column]"),
        R"();
                left[depth][row] = value;
            }
            for (int e = t; e < tile * deep; e += threads) {
)",
        "                const int ", b_place,
        R"(;
                Sum value{};
                if (column0 + column < layout.n && first + depth < layout.k)
)",
        "                    value = (Sum)(",
        load(form.dtype,
             "b[(first + depth) * layout.b_row + (column0 + column) * layout.b_column]"),
        R"();
                right[depth][column] = value;
            }
            __syncthreads();
            for (int depth = 0; depth < deep; ++depth) {
                Sum l[4], r[4];
                for (int i = 0; i < 4; ++i) l[i] = left[depth][y + 16 * i];
                for (int j = 0; j < 4; ++j) r[j] = right[depth][x + 16 * j];
                for (int i = 0; i < 4; ++i)
                    for (int j = 0; j < 4; ++j)
)",
        "                        sums[i][j] = sums[i][j] ", is_bool ? "|" : "+", " l[i] ",
        is_bool ? "&" : "*", " r[j];\n",
        R"(            }
            __syncthreads();
        }
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                const long long row = row0 + y + 16 * i, column = column0 + x + 16 * j;
                if (row >= layout.m || column >= layout.n) continue;
)",
        "                const ", value, " result = (", value, ")sums[i][j];\n",
        "                out_[(product * layout.m + row) * layout.n + column] = ",
        stored(form.dtype, "result"), ";\n            }\n    }\n}\n");
}

}  // namespace heald::array
