#include "src/array/lazy/kernel_text.hpp"
#include "src/array/lazy/kernels.hpp"
#include "src/array/packed_launch.hpp"
#include "src/array/scan/scan_plan.hpp"
#include "src/array/scan/scan_source.hpp"
#include "src/base/check.hpp"

#include <algorithm>

namespace heald::array {
namespace {

constexpr std::int64_t serial_length = 64;  ///< a thread's own row
constexpr std::int64_t tiles_per_group = 64;

/// Threads of a block and elements of each, an odd number: the rows of a tile in shared memory then
/// begin in different banks.
struct TileForm {
    int threads;
    int items;

    [[nodiscard]] std::int64_t length() const { return std::int64_t{threads} * items; }
};

TileForm tile_form(const Scan& scan) {
    if (scan.length <= 128) return {128, 1};
    const std::size_t size = std::max(size_of(scan.loop), std::size_t{4});
    if (scan.length <= 128 * 5) return {128, 5};
    return {256, size == 4 ? 23 : size == 8 ? 11 : 7};
}

/// What the kernels' texts have in common.
std::string element_source(const Scan& scan, DeviceKind device) {
    Preamble preamble;
    const DType in = scan.from.dtype(), out = scan.to.dtype();
    preamble.need_dtype(in);
    preamble.need_dtype(scan.loop);
    preamble.need_dtype(out);
    Step step;
    step.ufunc = scan.ufunc;
    step.loop = scan.loop;
    step.result = scan.loop;
    const std::string function = preamble.step_function(step);
    return text(preamble.source(device), "using In = ", memory_type(in),
                ";\nusing Acc = ", value_type(scan.loop), ";\nusing Out = ", memory_type(out),
                ";\n__device__ inline Acc element(const In* x, long long i) {\n    const ",
                value_type(in), " v = ", load(in, "x[i]"), ";\n    return ",
                converted(in, scan.loop, "v"),
                ";\n}\n__device__ inline Out result(const Acc v) {\n    return ",
                stored(out, converted(scan.loop, out, "v")),
                ";\n}\n__device__ inline Acc combine(const Acc a, const Acc b) { return ", function,
                "(a, b); }\n");
}

std::string key_of(const Scan& scan, const core::DeviceState& device, const char* form) {
    return text("scan ", device.name(), " ", scan.ufunc->name, " ", name_of(scan.from.dtype()), " ",
                name_of(scan.loop), " ", name_of(scan.to.dtype()), " ", form);
}

constexpr const char* site = "accumulate";

void scan_serially(const Scan& scan, const Stream& stream) {
    core::DeviceState& device = stream.state().device;
    const Kernel kernel = generated_kernel(device, key_of(scan, device, "serial"), [&] {
        return element_source(scan, device.kind()) + serial_scan_source;
    });
    const std::int64_t columns = scan.outer * scan.inner;
    PackedLaunch arguments;
    arguments.add_array(scan.from, false);
    arguments.add_array(scan.to, true);
    arguments.add_value(scan.length);
    arguments.add_value(scan.inner);
    arguments.add_value(columns);
    const auto blocks = static_cast<std::uint32_t>((columns + 127) / 128);
    arguments.launch(kernel, LaunchConfig{blocks, 128}, stream, site);
}

void scan_tiles(const Scan& scan, const Stream& stream) {
    core::DeviceState& device = stream.state().device;
    const TileForm form = tile_form(scan);
    const std::string key = key_of(scan, device, text(form.threads, "x", form.items).c_str());
    const Kernel kernel = generated_kernel(device, key, [&] {
        return text(element_source(scan, device.kind()), "constexpr int THREADS = ", form.threads,
                    ";\nconstexpr int ITEMS = ", form.items,
                    ";\nconstexpr int GROUP = ", tiles_per_group, ";\n", tile_scan_source);
    });
    const std::int64_t tiles = (scan.length + form.length() - 1) / form.length();
    const std::int64_t groups = (tiles + tiles_per_group - 1) / tiles_per_group;
    HEALD_EXPECTS(scan.outer * tiles < std::int64_t{1} << 31, invalid_value, "[", scan.ufunc->name,
                  ".accumulate] ", scan.outer, " rows of ", scan.length,
                  " elements are more than one launch takes");
    const auto words = static_cast<std::int64_t>((size_of(scan.loop) + 3) / 4);
    Array state({tiles > 1 ? scan.outer * (tiles + groups) * words : 0}, DType::uint64, stream);
    if (tiles > 1) state.buffer().fill(0, 8, stream);
    PackedLaunch arguments;
    arguments.add_array(scan.from, false);
    arguments.add_array(scan.to, true);
    arguments.add_array(state, true);
    arguments.add_value(scan.length);
    arguments.add_value(tiles);
    arguments.add_value(groups);
    const auto blocks = static_cast<std::uint32_t>(scan.outer * tiles);
    const auto threads = static_cast<std::uint32_t>(form.threads);
    arguments.launch(kernel, LaunchConfig{blocks, threads}, stream, site);
}

}  // namespace

void scan_with_kernels(const Scan& scan, const Stream& stream) {
    const bool serial =
        scan.inner > 1 || scan.length <= serial_length || !is_associative(scan.ufunc->name);
    serial ? scan_serially(scan, stream) : scan_tiles(scan, stream);
}

}  // namespace heald::array
