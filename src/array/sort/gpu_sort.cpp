#include "src/array/sort/gpu_sort.hpp"

#include "src/array/cub/cub_library.hpp"
#include "src/array/lazy/kernel_text.hpp"
#include "src/array/lazy/kernels.hpp"
#include "src/array/ops/promotion.hpp"
#include "src/array/packed_launch.hpp"
#include "src/array/sort/gpu_sort_source.hpp"
#include "src/array/sort/order_source.hpp"
#include "src/array/sort/radix_passes.hpp"
#include "src/base/text.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace heald::array {
namespace {

constexpr std::int64_t short_row = 2048;  ///< sorted by one block
constexpr const char* site = "sort";

const char* flag(bool value) {
    return value ? "true" : "false";
}

Kernel kernel_for(const Stream& stream, const char* name, const std::string& source) {
    core::DeviceState& device = stream.state().device;
    return generated_kernel(device, text(name, " ", device.name(), "\n", source),
                            [&] { return source; });
}

std::uint32_t blocks_for(std::int64_t n) {
    return static_cast<std::uint32_t>((n + 255) / 256);
}

bool is_complex(DType dtype) {
    return info(dtype).kind == DTypeKind::complex;
}

void sort_short_rows(const Rows& rows, const Array& to, bool places, bool descending,
                     const Stream& stream) {
    const DType dtype = rows.elements.dtype();
    const auto width =
        std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(rows.length, 2)));
    const auto together = std::max<std::uint64_t>(512 / width, 1);
    const std::string source =
        text(order_source(dtype), "using To = ", places ? "long long" : "U",
             ";\nconstexpr int WIDTH = ", width, ";\nconstexpr int ROWS = ", together,
             ";\nconstexpr bool PLACES = ", flag(places),
             ";\nconstexpr bool DESCENDING = ", flag(descending), ";\n", row_sort_source);
    PackedLaunch arguments;
    arguments.add_array(rows.elements, false);
    arguments.add_array(to, true);
    arguments.add_value(rows.count);
    arguments.add_value(static_cast<int>(rows.length));
    const auto blocks = (static_cast<std::uint64_t>(rows.count) + together - 1) / together;
    arguments.launch(kernel_for(stream, "row sort", source),
                     LaunchConfig{static_cast<std::uint32_t>(blocks), 256}, stream, site);
}

/// A key of an element: what it is made of, in CUDA C++, and its bits.
struct KeyPart {
    std::string expression;
    int bits;
};

int bits_for(std::int64_t values) {
    return std::bit_width(static_cast<std::uint64_t>(values - 1));
}

KeyPart element_key(const char* bits, DType real, bool one_to_one, bool descending) {
    std::string key = text(one_to_one ? "order_key(" : "equal_key(", bits, ")");
    if (descending) key = text("reversed_key(", key, ")");
    return {key, key_bits(real)};
}

KeyPart row_key(const Rows& rows) {
    return {"place / length", bits_for(rows.count)};
}

KeyPart with_row(const KeyPart& key, const Rows& rows) {
    if (rows.count == 1) return key;
    return {text("(Key)(place / length) << ", key.bits, " | (Key)", key.expression),
            key.bits + bits_for(rows.count)};
}

/// The keys to sort by one after another, the one that counts most last.
std::vector<KeyPart> key_parts(const Rows& rows, bool descending) {
    const DType dtype = rows.elements.dtype();
    const DType real = real_part_of(dtype);
    std::vector<KeyPart> parts;
    if (is_complex(dtype)) {
        parts.push_back(element_key("x[2 * place + 1]", real, false, descending));
        parts.push_back(element_key("x[2 * place]", real, false, descending));
        const KeyPart nans{
            "(((U)(x[2 * place] & (U)~sign) > infinity) * 2u + "
            "((U)(x[2 * place + 1] & (U)~sign) > infinity))",
            2};
        parts.push_back(with_row(nans, rows));
        return parts;
    }
    const KeyPart key = element_key("x[place]", real, false, descending);
    if (key.bits + bits_for(rows.count) <= 64) {
        parts.push_back(with_row(key, rows));
    } else {
        parts.push_back(key);
        parts.push_back(row_key(rows));
    }
    return parts;
}

/// Keys for all elements (in the order of `places`, if `gather`), into a new array.
void make_keys(const Rows& rows, const KeyPart& part, KeysAndPlaces& elements, bool gather,
               const Stream& stream) {
    const std::int64_t n = rows.elements.size();
    const bool wide = part.bits > 32;
    elements.keys = Array({n}, wide ? DType::uint64 : DType::uint32, stream);
    const std::string source = text(
        order_source(real_part_of(rows.elements.dtype())),
        "using Key = ", wide ? "unsigned long long" : "unsigned int",
        ";\nusing Place = ", bits_type(size_of(elements.places.dtype())),
        ";\nconstexpr bool GATHER = ", flag(gather),
        ";\nconstexpr bool PLACES = ", flag(elements.has_places()),
        ";\n__device__ inline Key key_of(const U* x, const long long place, const long long length)"
        " {\n    return (Key)(",
        part.expression, ");\n}\n", make_keys_source);
    PackedLaunch arguments;
    arguments.add_array(rows.elements, false);
    arguments.add_array(elements.keys, true);
    arguments.add_array(elements.places, true);
    arguments.add_value(n);
    arguments.add_value(rows.length);
    arguments.launch(kernel_for(stream, "sort keys", source), LaunchConfig{blocks_for(n), 256},
                     stream, site);
}

/// Writes `to` from sorted keys or places by an expression.
void finish(const Rows& rows, const Array& sorted, const Array& to, const std::string& before,
            const std::string& result, const Stream& stream) {
    const std::int64_t n = rows.elements.size();
    const std::string source = text(before, "using From = ", bits_type(size_of(sorted.dtype())),
                                    ";\n#define RESULT ", result, "\n", finish_source);
    PackedLaunch arguments;
    arguments.add_array(sorted, false);
    arguments.add_array(rows.elements, false);
    arguments.add_array(to, true);
    arguments.add_value(n);
    arguments.add_value(rows.length);
    arguments.launch(kernel_for(stream, "sort result", source), LaunchConfig{blocks_for(n), 256},
                     stream, site);
}

/// Flat places of all elements, row by row in sorted order.
Array sorted_places(const Rows& rows, bool descending, const Stream& stream) {
    const std::int64_t n = rows.elements.size();
    const bool wide = n > std::int64_t{1} << 32;
    KeysAndPlaces elements;
    elements.places = Array({n}, wide ? DType::uint64 : DType::uint32, stream);
    bool gather = false;
    for (const KeyPart& part : key_parts(rows, descending)) {
        make_keys(rows, part, elements, gather, stream);
        radix_sort(elements, part.bits, stream);
        gather = true;
    }
    return elements.places;
}

void sort_keys(const Rows& rows, const Array& to, bool descending, const Stream& stream) {
    const DType dtype = rows.elements.dtype();
    KeysAndPlaces elements;
    elements.places = Array({0}, DType::uint32, stream);
    const KeyPart key = element_key("x[place]", dtype, true, descending);
    const KeyPart whole = with_row(key, rows);
    make_keys(rows, whole, elements, false, stream);
    radix_sort(elements, whole.bits, stream);
    finish(rows, elements.keys, to, order_source(dtype) + "using To = U;\n",
           descending ? "order_bits(reversed_key((U)sorted[i]))" : "order_bits((U)sorted[i])",
           stream);
}

/// CUB knows the order of these itself, but for NaNs with a sign bit.
bool sort_directly(const Rows& rows, const Array& to, bool descending, const Stream& stream) {
    const DType dtype = rows.elements.dtype();
    const bool is_real = dtype == DType::float32 || dtype == DType::float64;
    if (!is_real || descending || rows.count != 1 || !cub_available(stream)) return false;
    cub_sort_keys(rows.elements, to, key_bits(dtype), stream);
    const Array aside(to.shape(), dtype, stream);
    const Array found({1}, DType::int64, stream);
    const Kernel kernel = kernel_for(stream, "sort nans", order_source(dtype) + rotate_source);
    for (const bool back : {false, true}) {
        PackedLaunch arguments;
        arguments.add_array(back ? aside : to, false);
        arguments.add_array(back ? to : aside, true);
        arguments.add_array(found, true);
        arguments.add_value(to.size());
        arguments.add_value(static_cast<int>(back));
        const std::uint32_t blocks = std::min(blocks_for(to.size()), 1024u);
        arguments.launch(kernel, LaunchConfig{blocks, 256}, stream, site);
    }
    return true;
}

}  // namespace

void sort_rows_on_gpu(const Rows& rows, const Array& to, bool descending, const Stream& stream) {
    const DType dtype = rows.elements.dtype();
    if (!is_complex(dtype)) {
        if (rows.length <= short_row) return sort_short_rows(rows, to, false, descending, stream);
        if (sort_directly(rows, to, descending, stream)) return;
        if (key_bits(dtype) + bits_for(rows.count) <= 64)
            return sort_keys(rows, to, descending, stream);
    }
    const Array places = sorted_places(rows, descending, stream);
    const char* element = bits_type(size_of(dtype));
    finish(rows, places, to, text("using Element = ", element, ";\nusing To = Element;\n"),
           "x[sorted[i]]", stream);
}

void argsort_rows_on_gpu(const Rows& rows, const Array& to, bool descending, const Stream& stream) {
    const DType dtype = rows.elements.dtype();
    if (!is_complex(dtype) && rows.length <= short_row)
        return sort_short_rows(rows, to, true, descending, stream);
    const Array places = sorted_places(rows, descending, stream);
    finish(rows, places, to, "using Element = char;\nusing To = long long;\n",
           "(long long)sorted[i] - i / length * length", stream);
}

}  // namespace heald::array
