#include "src/array/sort/radix_passes.hpp"

#include "src/array/cub/cub_library.hpp"
#include "src/array/lazy/kernel_text.hpp"
#include "src/array/lazy/kernels.hpp"
#include "src/array/ops/ufunc.hpp"
#include "src/array/packed_launch.hpp"
#include "src/array/scan/accumulate.hpp"
#include "src/array/sort/gpu_sort_source.hpp"
#include "src/base/text.hpp"

#include <utility>

namespace heald::array {
namespace {

constexpr std::int64_t tile = 4096;
constexpr const char* site = "sort";

std::string types(const KeysAndPlaces& elements) {
    return text("using Key = ", bits_type(size_of(elements.keys.dtype())),
                ";\nusing Place = ", bits_type(size_of(elements.places.dtype())),
                ";\nconstexpr bool PLACES = ", elements.has_places() ? "true" : "false", ";\n");
}

Kernel kernel_for(const Stream& stream, const char* name, const std::string& before,
                  const char* source) {
    core::DeviceState& device = stream.state().device;
    return generated_kernel(device, text(name, " ", device.name(), "\n", before),
                            [&] { return before + source; });
}

Array like(const Array& array, const Stream& stream) {
    return Array(array.shape(), array.dtype(), stream);
}

void pass(KeysAndPlaces& from, KeysAndPlaces& to, int shift, const Stream& stream) {
    const std::int64_t n = from.keys.size();
    const auto tiles = static_cast<std::uint32_t>((n + tile - 1) / tile);
    const Array counts({256 * std::int64_t{tiles}}, DType::int64, stream);
    const LaunchConfig config{tiles, 256};
    PackedLaunch count;
    count.add_array(from.keys, false);
    count.add_array(counts, true);
    count.add_value(n);
    count.add_value(shift);
    count.launch(kernel_for(stream, "radix count", types(from), radix_count_source), config, stream,
                 site);
    const Array ends = accumulate(ufunc("add"), counts, 0, std::nullopt, true);
    PackedLaunch move;
    move.add_array(from.keys, false);
    move.add_array(from.places, false);
    move.add_array(to.keys, true);
    move.add_array(to.places, true);
    move.add_array(ends, false);
    move.add_array(counts, false);
    move.add_value(n);
    move.add_value(shift);
    move.launch(kernel_for(stream, "radix move", types(from), radix_move_source), config, stream,
                site);
}

}  // namespace

void radix_sort(KeysAndPlaces& elements, int bits, const Stream& stream) {
    KeysAndPlaces other{like(elements.keys, stream), like(elements.places, stream)};
    if (cub_available(stream)) {
        if (elements.has_places())
            cub_sort_pairs(elements.keys, other.keys, elements.places, other.places, bits, stream);
        else
            cub_sort_keys(elements.keys, other.keys, bits, stream);
        elements = std::move(other);
        return;
    }
    for (int shift = 0; shift < bits; shift += 8) {
        pass(elements, other, shift, stream);
        std::swap(elements, other);
    }
}

}  // namespace heald::array
