#include "src/array/gpu_copy.hpp"

#include "src/array/gpu_copy_source.hpp"
#include "src/base/check.hpp"
#include "src/base/fork.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace heald::array {
namespace {

constexpr std::size_t most_axes = 8;  // of one launch; more are launched one by one

/// As `Layout` in the kernels' source.
struct Layout {
    std::int64_t extent[most_axes];
    std::int64_t to[most_axes];
    std::int64_t from[most_axes];
    std::int64_t count;
    std::int32_t axes;
};

/// Elements of 1, 2, 4, 8 and 16 bytes.
struct ElementType {
    const char* name;
    int tile;  ///< of a transposed copy, elements each way
};
constexpr std::array<ElementType, 5> element_types{{{"unsigned char", 128},
                                                    {"unsigned short", 64},
                                                    {"unsigned int", 64},
                                                    {"unsigned long long", 64},
                                                    {"uint4", 32}}};

/// The kernels for elements of one size on one device, compiled at the first copy of such.
struct Kernels {
    ForkOnce once;
    Kernel copy;
    Kernel long_copy;  ///< of 2^31 elements or more
    Kernel transpose;
};

Kernels& kernels_of(const Device& device, std::size_t type) {
    using Key = std::pair<const core::DeviceState*, std::size_t>;
    static auto& mutex = *std::make_unique<ForkMutex>().release();
    static auto& all = *std::make_unique<std::map<Key, std::unique_ptr<Kernels>>>().release();
    Kernels* kernels = nullptr;
    {
        const std::lock_guard lock(mutex);
        auto& slot = all[Key(&device.state(), type)];
        if (slot == nullptr) slot = std::make_unique<Kernels>();
        kernels = slot.get();
    }
    kernels->once([&] {
        const auto& [name, tile] = element_types[type];
        const std::string copy = text("strided_copy<", name, ", unsigned int>");
        const std::string long_copy = text("strided_copy<", name, ", unsigned long long>");
        const std::string transpose = text("transpose<", name, ", ", tile, ">");
        const ObjectCode code = Program(gpu_copy_source, "heald_strided_copy.cu", {}, device)
                                    .compile("", {copy, long_copy, transpose});
        kernels->transpose = code.get_kernel(transpose, device);
        kernels->long_copy = code.get_kernel(long_copy, device);
        kernels->copy = code.get_kernel(copy, device);
    });
    return *kernels;
}

/// The widest access that every address of the copy allows; narrower than an element if elements
/// are not aligned.
std::size_t access_size(const StridedCopy& copy, std::uintptr_t to, std::uintptr_t from) {
    std::uint64_t all = copy.item_size | to | from;
    for (const auto& axis : copy.axes)
        all |= static_cast<std::uint64_t>(axis.to) | static_cast<std::uint64_t>(axis.from);
    return std::min<std::size_t>(16, std::size_t{1} << std::countr_zero(all));
}

/// The same copy with elements of `access` bytes.
StridedCopy with_access(StridedCopy copy, std::size_t access) {
    if (access >= copy.item_size) return copy;
    const auto step = static_cast<std::int64_t>(access);
    copy.axes.push_back({static_cast<std::int64_t>(copy.item_size / access), step, step});
    copy.item_size = access;
    return copy;
}

/// One run of bytes on both sides along the last axis may be copied in wider pieces.
StridedCopy widened(StridedCopy copy, std::uintptr_t to, std::uintptr_t from) {
    while (copy.item_size < 16 && !copy.axes.empty()) {
        auto& inner = copy.axes.back();
        const auto item = static_cast<std::int64_t>(copy.item_size);
        StridedCopy wider = copy;
        if (inner.to != item || inner.from != item || inner.extent % 2 != 0) break;
        wider.axes.back() = {inner.extent / 2, 2 * item, 2 * item};
        wider.item_size *= 2;
        if (access_size(wider, to, from) < wider.item_size) break;
        copy = std::move(wider);
    }
    return copy;
}

/// The axis along which the source is contiguous, if that is not the destination's, and both are
/// long enough for tiles.
std::optional<std::size_t> transposed_axis(const StridedCopy& copy) {
    const auto item = static_cast<std::int64_t>(copy.item_size);
    if (copy.axes.size() < 2 || copy.axes.back().to != item || copy.axes.back().extent < 8)
        return std::nullopt;
    for (std::size_t i = 0; i + 1 < copy.axes.size(); ++i)
        if (copy.axes[i].from == item && copy.axes[i].extent >= 8) return i;
    return std::nullopt;
}

Layout layout_of(const StridedCopy& copy) {
    Layout layout{};
    layout.axes = static_cast<std::int32_t>(std::max<std::size_t>(copy.axes.size(), 1));
    layout.extent[0] = 1;
    for (std::size_t i = 0; i < copy.axes.size(); ++i) {
        layout.extent[i] = copy.axes[i].extent;
        layout.to[i] = copy.axes[i].to;
        layout.from[i] = copy.axes[i].from;
    }
    layout.count = copy.size();
    return layout;
}

struct Place {
    std::byte* to;
    const std::byte* from;
    std::span<const MemoryUse> uses;
    const Stream& stream;
};

constexpr LaunchSite site{"Array.copy_from", 0};

/// Blocks for `count` things, in a direction of the grid that takes at most `most`.
std::uint32_t blocks_for(std::int64_t count, std::int64_t per_block, std::int64_t most) {
    return static_cast<std::uint32_t>(std::min((count + per_block - 1) / per_block, most));
}

void launch_elements(const StridedCopy& copy, const Kernels& kernels, Place place) {
    Layout layout = layout_of(copy);
    std::array<void*, 3> values{&place.to, &place.from, &layout};
    // The index must not wrap within its last step.
    const bool is_short = layout.count < std::int64_t{1} << 31;
    const LaunchConfig config{blocks_for(layout.count, 256, 1 << 20), 256};
    (is_short ? kernels.copy : kernels.long_copy)
        .launch_packed(config, place.stream, {values.data(), values.size(), place.uses}, site);
}

void launch_transpose(StridedCopy copy, std::size_t along, int tile, const Kernels& kernels,
                      Place place) {
    // The source's contiguous axis goes beside the destination's.
    std::rotate(copy.axes.begin() + static_cast<std::ptrdiff_t>(along),
                copy.axes.begin() + static_cast<std::ptrdiff_t>(along) + 1, copy.axes.end() - 1);
    Layout layout = layout_of(copy);
    const auto& i = copy.axes[copy.axes.size() - 2];
    const auto& j = copy.axes.back();
    layout.count = copy.size() / (i.extent * j.extent);
    std::uint64_t from_rows = reinterpret_cast<std::uintptr_t>(place.from);
    std::uint64_t to_rows = reinterpret_cast<std::uintptr_t>(place.to);
    for (const auto& axis : copy.axes) {
        if (&axis != &i) from_rows |= static_cast<std::uint64_t>(axis.from);
        if (&axis != &j) to_rows |= static_cast<std::uint64_t>(axis.to);
    }
    std::int32_t wide = (from_rows % 16 == 0 ? 1 : 0) | (to_rows % 16 == 0 ? 2 : 0);
    std::array<void*, 4> values{&place.to, &place.from, &layout, &wide};
    const LaunchConfig config{
        {blocks_for(i.extent, tile, 1 << 20), blocks_for(j.extent, tile, 65535),
         blocks_for(layout.count, 1, 65535)},
        256};
    kernels.transpose.launch_packed(config, place.stream,
                                    {values.data(), values.size(), place.uses}, site);
}

void launch(const StridedCopy& copy, Place place) {
    if (copy.axes.size() > most_axes) {
        StridedCopy inner = copy;
        const auto outer = inner.axes.front();
        inner.axes.erase(inner.axes.begin());
        for (std::int64_t i = 0; i < outer.extent; ++i)
            launch(inner, {place.to + i * outer.to, place.from + i * outer.from, place.uses,
                           place.stream});
        return;
    }
    const auto type = static_cast<std::size_t>(std::countr_zero(copy.item_size));
    const Kernels& kernels = kernels_of(place.stream.device(), type);
    if (const auto along = transposed_axis(copy))
        launch_transpose(copy, *along, element_types[type].tile, kernels, place);
    else
        launch_elements(copy, kernels, place);
}

}  // namespace

void enqueue_gpu_copy(const StridedCopy& copy, void* to_, const void* from_,
                      std::span<const MemoryUse> uses, const Stream& stream) {
    std::byte* to = static_cast<std::byte*>(to_) + copy.to_offset;
    const std::byte* from = static_cast<const std::byte*>(from_) + copy.from_offset;
    const auto to_address = reinterpret_cast<std::uintptr_t>(to);
    const auto from_address = reinterpret_cast<std::uintptr_t>(from);
    const StridedCopy aligned = with_access(copy, access_size(copy, to_address, from_address));
    launch(widened(aligned, to_address, from_address), {to, from, uses, stream});
}

}  // namespace heald::array
