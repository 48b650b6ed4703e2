#include "src/array/gpu_copy.hpp"

#include "src/base/check.hpp"
#include "src/base/fork.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <memory>
#include <utility>

namespace heald::array {
namespace {

constexpr std::size_t most_axes = 8;  // of one launch; more are launched one by one

/// As `Layout` in the source below.
struct Layout {
    std::int64_t extent[most_axes];
    std::int64_t to[most_axes];
    std::int64_t from[most_axes];
    std::int64_t count;
    std::int32_t axes;
};

constexpr const char* source = R"(
struct Layout {
    long long extent[8];
    long long to[8];
    long long from[8];
    long long count;
    int axes;
};
template <class T>
__global__ void strided_copy(char* to, const char* from, Layout layout) {
    const long long step = (long long)blockDim.x * gridDim.x;
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < layout.count;
         i += step) {
        long long rest = i, to_offset = 0, from_offset = 0;
        for (int axis = layout.axes - 1; axis > 0; --axis) {
            const long long outer = rest / layout.extent[axis];
            const long long at = rest - outer * layout.extent[axis];
            to_offset += at * layout.to[axis];
            from_offset += at * layout.from[axis];
            rest = outer;
        }
        to_offset += rest * layout.to[0];
        from_offset += rest * layout.from[0];
        *(T*)(to + to_offset) = *(const T*)(from + from_offset);
    }
}
template <class T>
__global__ void transpose(char* to, const char* from, Layout layout) {
    // Axis 0: the source's contiguous one; axis 1: the destination's.
    __shared__ T tile[32][33];
    const long long columns = (layout.extent[1] + 31) / 32;
    const long long tiles = columns * ((layout.extent[0] + 31) / 32);
    for (long long t = blockIdx.x; t < tiles; t += gridDim.x) {
        const long long i0 = t / columns * 32, j0 = t % columns * 32;
        for (int k = threadIdx.y; k < 32; k += blockDim.y) {
            const long long i = i0 + threadIdx.x, j = j0 + k;
            if (i < layout.extent[0] && j < layout.extent[1])
                tile[k][threadIdx.x] = *(const T*)(from + i * layout.from[0] + j * layout.from[1]);
        }
        __syncthreads();
        for (int k = threadIdx.y; k < 32; k += blockDim.y) {
            const long long i = i0 + k, j = j0 + threadIdx.x;
            if (i < layout.extent[0] && j < layout.extent[1])
                *(T*)(to + i * layout.to[0] + j * layout.to[1]) = tile[threadIdx.x][k];
        }
        __syncthreads();
    }
}
)";

constexpr std::array<const char*, 5> element_types{"unsigned char", "unsigned short",
                                                   "unsigned int", "unsigned long long", "uint4"};

/// The kernels for elements of one size on one device, compiled at the first copy of such.
struct Kernels {
    ForkOnce once;
    Kernel copy;
    Kernel transpose;
};

std::string instance(const char* kernel, const char* type) {
    return text(kernel, "<", type, ">");
}

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
        const std::string copy = instance("strided_copy", element_types[type]);
        const std::string transpose = instance("transpose", element_types[type]);
        const ObjectCode code =
            Program(source, "heald_strided_copy.cu", {}, device).compile("", {copy, transpose});
        kernels->transpose = code.get_kernel(transpose, device);
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

bool is_transpose(const StridedCopy& copy) {
    const auto item = static_cast<std::int64_t>(copy.item_size);
    return copy.axes.size() == 2 && copy.axes[1].to == item && copy.axes[0].from == item &&
           copy.axes[0].extent >= 8 && copy.axes[1].extent >= 8;
}

void launch(const StridedCopy& copy, std::byte* to, const std::byte* from,
            std::span<const MemoryUse> uses, const Stream& stream) {
    if (copy.axes.size() > most_axes) {
        StridedCopy inner = copy;
        const auto outer = inner.axes.front();
        inner.axes.erase(inner.axes.begin());
        for (std::int64_t i = 0; i < outer.extent; ++i)
            launch(inner, to + i * outer.to, from + i * outer.from, uses, stream);
        return;
    }
    Layout layout{};
    layout.axes = static_cast<std::int32_t>(std::max<std::size_t>(copy.axes.size(), 1));
    layout.extent[0] = 1;
    for (std::size_t i = 0; i < copy.axes.size(); ++i) {
        layout.extent[i] = copy.axes[i].extent;
        layout.to[i] = copy.axes[i].to;
        layout.from[i] = copy.axes[i].from;
    }
    layout.count = copy.size();
    Kernels& kernels =
        kernels_of(stream.device(), static_cast<std::size_t>(std::countr_zero(copy.item_size)));
    std::array<void*, 3> values{&to, &from, &layout};
    const PackedArguments arguments{values.data(), values.size(), uses};
    const LaunchSite site{"Array.copy_from", 0};
    constexpr std::int64_t most_blocks = 1 << 20;
    if (is_transpose(copy)) {
        const std::int64_t tiles = (layout.extent[0] + 31) / 32 * ((layout.extent[1] + 31) / 32);
        const LaunchConfig config{static_cast<std::uint32_t>(std::min(tiles, most_blocks)),
                                  {32, 8}};
        kernels.transpose.launch_packed(config, stream, arguments, site);
    } else {
        const std::int64_t blocks = (layout.count + 255) / 256;
        const LaunchConfig config{static_cast<std::uint32_t>(std::min(blocks, most_blocks)), 256};
        kernels.copy.launch_packed(config, stream, arguments, site);
    }
}

}  // namespace

void enqueue_gpu_copy(const StridedCopy& copy, void* to_, const void* from_,
                      std::span<const MemoryUse> uses, const Stream& stream) {
    std::byte* to = static_cast<std::byte*>(to_) + copy.to_offset;
    const std::byte* from = static_cast<const std::byte*>(from_) + copy.from_offset;
    const auto to_address = reinterpret_cast<std::uintptr_t>(to);
    const auto from_address = reinterpret_cast<std::uintptr_t>(from);
    const StridedCopy aligned = with_access(copy, access_size(copy, to_address, from_address));
    launch(widened(aligned, to_address, from_address), to, from, uses, stream);
}

}  // namespace heald::array
