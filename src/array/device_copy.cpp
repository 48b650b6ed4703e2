#include "src/array/device_copy.hpp"

#include "src/array/axes.hpp"
#include "src/array/host_copy.hpp"
#include "src/base/check.hpp"
#include "src/core/backend.hpp"
#include "src/core/ordering.hpp"

#include <heald/kernel.hpp>
#include <heald/program.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace heald::array {
namespace {

constexpr std::size_t inline_bytes = std::size_t{1} << 18;  // copied by the caller if it is idle
constexpr std::size_t max_axes = 12;

MemoryUse use_of(const Array& array, bool write) {
    const auto [first, last] = array.byte_range();
    const std::size_t base = array.buffer().offset();
    return {array.buffer().block().get(), base + static_cast<std::size_t>(first),
            base + static_cast<std::size_t>(last), write};
}

void copy_on_cpu(const Array& destination, const Array& source, std::vector<Axis> axes,
                 const Stream& stream) {
    const std::array uses{use_of(source, false), use_of(destination, true)};
    core::StreamState& state = stream.state();
    core::Backend& backend = state.device.backend();
    core::enqueue(state, uses, [&](core::QueueImpl& queue) {
        const std::size_t item = size_of(source.dtype());
        if (source.nbytes() <= inline_bytes && backend.done(queue)) {
            copy_elements(destination.data(), source.data(), axes, item);
            return;
        }
        backend.host_function(queue, [to = destination, from = source, axes = std::move(axes),
                                      item] { copy_elements(to.data(), from.data(), axes, item); });
    });
}

// Through the public path, as every kernel that heald generates.
constexpr const char* kernel_source = R"(
struct Axis { long long length, destination, source; };
struct Axes { Axis axis[12]; };

template <class T, int count>
__global__ void copy(T* destination, const T* source, Axes axes, long long elements) {
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += step) {
        long long rest = i, to = 0, from = 0;
        #pragma unroll
        for (int a = count - 1; a >= 0; --a) {
            const long long next = a == 0 ? 0 : rest / axes.axis[a].length;
            const long long position = a == 0 ? rest : rest - next * axes.axis[a].length;
            to += position * axes.axis[a].destination;
            from += position * axes.axis[a].source;
            rest = next;
        }
        *(T*)((char*)destination + to) = *(const T*)((const char*)source + from);
    }
}
)";

struct KernelAxes {
    Axis axis[max_axes];
};

const char* element_type(std::size_t item_size) {
    switch (item_size) {
        case 1:
            return "unsigned char";
        case 2:
            return "unsigned short";
        case 4:
            return "unsigned int";
        default:
            return "unsigned long long";
    }
}

Kernel copy_kernel(const Device& device, std::size_t item_size, std::size_t axes) {
    static std::mutex mutex;
    // Lives as long as the process: kernels must not be unloaded after their driver.
    static auto* kernels = new std::unordered_map<std::string, Kernel>();
    const std::string name =
        std::string("copy<") + element_type(item_size) + ", " + std::to_string(axes) + ">";
    const std::string key = device.name() + name;
    const std::lock_guard lock(mutex);
    const auto found = kernels->find(key);
    if (found != kernels->end()) return found->second;
    const ObjectCode code = Program(kernel_source, "heald_copy.cu", {}, device).compile("", {name});
    return kernels->emplace(key, code.get_kernel(name, device)).first->second;
}

void copy_on_gpu(const Array& destination, const Array& source, std::vector<Axis> axes,
                 const Stream& stream) {
    std::size_t item = size_of(source.dtype());
    long long elements = source.size();
    if (item == 16) {  // complex128 is aligned to 8 bytes only
        item = 8;
        elements *= 2;
        axes.push_back({2, 8, 8});
    }
    HEALD_EXPECTS(axes.size() <= max_axes, invalid_value, "[Array.copy] a strided copy of ",
                  axes.size(), " axes: at most ", max_axes, " that do not continue each other");
    const Device device = destination.device();
    const Kernel kernel = copy_kernel(device, item, axes.size());
    KernelAxes parameter{};
    std::copy(axes.begin(), axes.end(), parameter.axis);
    void* to = destination.data();
    const void* from = source.data();
    void* values[] = {&to, static_cast<void*>(&from), &parameter, &elements};
    const std::array uses{use_of(source, false), use_of(destination, true)};
    constexpr long long block = 256;
    const long long blocks = std::min<long long>((elements + block - 1) / block, 1 << 20);
    LaunchConfig config;
    config.grid = Dim3(static_cast<std::uint32_t>(blocks));
    config.block = Dim3(block);
    kernel.launch_packed(config, stream, {values, 4, uses}, {"array copy", 0});
}

}  // namespace

void copy_strided(const Array& destination, const Array& source, const Stream& stream) {
    if (source.size() == 0) return;
    std::vector<Axis> axes = loops(source.shape(), destination.strides(), source.strides());
    if (destination.device().kind() == DeviceKind::cpu)
        copy_on_cpu(destination, source, std::move(axes), stream);
    else
        copy_on_gpu(destination, source, std::move(axes), stream);
}

}  // namespace heald::array
