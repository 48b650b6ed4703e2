#include "src/array/lazy/kernel_text.hpp"
#include "src/array/lazy/kernels.hpp"
#include "src/array/ops/ufunc.hpp"
#include "src/array/packed_launch.hpp"
#include "src/array/scan/accumulate.hpp"
#include "src/array/select/select_source.hpp"
#include "src/array/select/selection.hpp"
#include "src/base/text.hpp"

namespace heald::array {
namespace {

constexpr int threads = 256;

std::uint32_t blocks_for(const Array& mask) {
    return static_cast<std::uint32_t>((mask.size() + selection_tile - 1) / selection_tile);
}

Kernel kernel_for(const Stream& stream, const std::string& name, const std::string& before,
                  const char* source) {
    core::DeviceState& device = stream.state().device;
    return generated_kernel(device, text("select ", device.name(), " ", name),
                            [&] { return text(before, select_tile_source, source); });
}

}  // namespace

Selection select_with_kernels(const Array& mask, const Stream& stream) {
    const std::uint32_t blocks = blocks_for(mask);
    const Array counts({std::int64_t{blocks}}, DType::int64, stream);
    PackedLaunch arguments;
    arguments.add_array(mask, false);
    arguments.add_array(counts, true);
    arguments.add_value(mask.size());
    arguments.launch(kernel_for(stream, "count", "", count_source), LaunchConfig{blocks, threads},
                     stream, "select");
    Selection selection{mask, accumulate(ufunc("add"), counts, 0), 0};
    selection.sums.buffer()
        .slice(static_cast<std::size_t>(blocks - 1) * sizeof(std::int64_t), sizeof(std::int64_t))
        .copy_to_host(&selection.count, sizeof selection.count, stream);
    return selection;
}

void places_with_kernels(const Selection& selection, const Array& to, const Stream& stream) {
    const std::size_t axes = selection.mask.shape().size();
    std::vector<std::int64_t> extents = selection.mask.shape();
    extents.insert(extents.begin(), selection.count);
    PackedLaunch arguments;
    arguments.add_array(selection.mask, false);
    arguments.add_array(selection.sums, false);
    arguments.add_array(to, true);
    arguments.add_value(selection.mask.size());
    arguments.add_numbers(extents);
    const Kernel kernel = kernel_for(stream, text("places ", axes),
                                     text("constexpr int AXES = ", axes, ";\n"), places_source);
    arguments.launch(kernel, LaunchConfig{blocks_for(selection.mask), threads}, stream, "nonzero");
}

void compress_with_kernels(const Selection& selection, const Array& from, const Array& to,
                           std::int64_t group, const Stream& stream) {
    const char* type = bits_type(size_of(from.dtype()));
    PackedLaunch arguments;
    arguments.add_array(selection.mask, false);
    arguments.add_array(selection.sums, false);
    arguments.add_array(from, false);
    arguments.add_array(to, true);
    arguments.add_value(selection.mask.size());
    arguments.add_value(group);
    const bool alone = group == 1;
    const Kernel kernel =
        kernel_for(stream, text("compress ", type, " ", alone),
                   text("using Element = ", type,
                        ";\nconstexpr bool ALONE = ", alone ? "true" : "false", ";\n"),
                   compress_source);
    arguments.launch(kernel, LaunchConfig{blocks_for(selection.mask), threads}, stream, "compress");
}

}  // namespace heald::array
