#include "src/array/lazy/elementwise_kernel.hpp"
#include "src/array/lazy/launch_parts.hpp"
#include "src/array/memory_use.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace heald::array {
namespace {

constexpr std::size_t most_short = 4;  ///< operands
constexpr std::int64_t most_elements = (std::int64_t{1} << 31) - (std::int64_t{1} << 20);

/// What the kernel's text depends on, in a form that is quickly made and compared.
struct Shortcut {
    std::uint32_t operation = 0;  ///< device and ufunc
    std::uint16_t dtypes = 0;     ///< loop and result
    std::array<std::uint16_t, most_short> operands{};

    bool operator==(const Shortcut&) const = default;
    [[nodiscard]] std::size_t hash() const noexcept {
        std::uint64_t mixed = operation;
        mixed = mixed << 16 | dtypes;
        for (const std::uint16_t one : operands) mixed = mixed * 0x9E3779B97F4A7C15U + one;
        return mixed >> 32;
    }
};

/// Kernels that this thread launched lately.
struct Recent {
    Shortcut key;
    const Kernel* kernel = nullptr;
    unsigned vector = 1;  ///< elements of a thread
};
using RecentKernels = std::array<Recent, 64>;

RecentKernels& recent_kernels() {
    thread_local std::unique_ptr<RecentKernels> own;  // room for thread-locals is scarce
    if (own == nullptr) [[unlikely]]
        own = std::make_unique<RecentKernels>();
    return *own;
}

enum class Place : std::uint16_t { scalar, single, flat };

/// nullopt if the elements lie otherwise.
std::optional<Place> place_of(const Array& array, const Node& node) {
    const auto item = static_cast<std::int64_t>(size_of(array.dtype()));
    const auto result = static_cast<std::int64_t>(size_of(node.result));
    bool single = true, flat = true;
    for (std::size_t axis = 0; axis < node.shape.size(); ++axis) {
        if (node.shape[axis] == 1) continue;
        single &= array.strides()[axis] == 0;
        flat &= array.strides()[axis] * result == node.strides[axis] * item;
    }
    if (single) return Place::single;
    if (flat) return Place::flat;
    return std::nullopt;
}

/// As Lowering tells operands apart: by block, though two may be of the same memory.
bool same_value(const Operand& a, const Operand& b) {
    if (a.is_array() != b.is_array() || a.dtype != b.dtype) return false;
    if (!a.is_array()) return a.value.bytes == b.value.bytes;
    return a.array.buffer().block() == b.array.buffer().block() &&
           a.array.data() == b.array.data() && a.array.strides() == b.array.strides();
}

/// The launch of a node, with everything on the stack.
class FlatLaunch {
public:
    explicit FlatLaunch(const Node& node) : node_(node), device_(node.stream->device) {}

    /// False if the node is not of this kind.
    bool take() {
        if (node_.kind != NodeKind::elementwise || node_.operands.size() > most_short ||
            node_.destination.buffer().block() != nullptr)
            return false;
        for (const std::int64_t extent : node_.shape) size_ *= extent;
        if (size_ < 2 || size_ > most_elements) return false;
        shortcut_.operation = static_cast<std::uint32_t>(device_.kind()) << 28 |
                              static_cast<std::uint32_t>(device_.ordinal()) << 16 | node_.ufunc->id;
        shortcut_.dtypes = static_cast<std::uint16_t>(static_cast<unsigned>(node_.loop) << 8 |
                                                      static_cast<unsigned>(node_.result));
        for (std::size_t k = 0; k < node_.operands.size(); ++k)
            if (!take_operand(k)) return false;
        return true;
    }

    Written launch() {
        const Recent& found = find();
        OutputMemory memory(*node_.stream);
        void* result = memory.allocate(*node_.block);
        add(&result);
        uses_[use_count_++] = {node_.block, 0, node_.block->size(), true};
        for (const Place kind : {Place::flat, Place::scalar})
            for (std::size_t k = 0; k < node_.operands.size(); ++k)
                add_operand(k, kind == Place::scalar);
        std::array<std::int64_t, 2 + most_short + 1> layout{size_};
        add(layout.data());
        const std::uint32_t elements = elementwise_block * found.vector;
        const LaunchConfig config{
            Dim3(static_cast<std::uint32_t>((size_ + elements - 1) / elements)),
            Dim3(elementwise_block)};
        found.kernel->launch_packed(config, Stream(node_.stream),
                                    {values_.data(), value_count_, {uses_.data(), use_count_}},
                                    {"heald array expression", 0});
        return memory.keep().front();
    }

private:
    bool take_operand(std::size_t k) {
        const Operand& operand = node_.operands[k];
        Place place = Place::scalar;
        if (operand.is_array()) {
            if (operand.array.buffer().block()->is_pending()) return false;
            const auto found = place_of(operand.array, node_);
            if (!found) return false;
            place = *found;
            data_[k] = operand.array.data();
            // A GPU's kernel loads 16 bytes together where it can: that is for the longer way.
            if (place == Place::flat && device_.kind() == DeviceKind::cuda &&
                reinterpret_cast<std::uintptr_t>(data_[k]) % 16 != 0)
                return false;
        }
        same_[k] = k;
        for (std::size_t before = 0; before < k && same_[k] == k; ++before)
            if (same_value(node_.operands[before], operand)) same_[k] = before;
        shortcut_.operands[k] = static_cast<std::uint16_t>(
            1U + static_cast<unsigned>(operand.dtype) * 64U + static_cast<unsigned>(place) * 16U +
            static_cast<unsigned>(same_[k]) * 2U);
        return true;
    }

    const Recent& find() {
        RecentKernels& recent = recent_kernels();
        Recent& slot = recent[shortcut_.hash() % recent.size()];
        if (slot.kernel == nullptr || slot.key != shortcut_) {
            const Lowered lowered = lower({{&node_}, {&node_}});
            const ElementwiseForm form = choose_form(
                lowered, simplify(node_.iteration, operand_strides(lowered)), device_.kind());
            slot.kernel = elementwise_kernel(lowered, form, device_, Missing::compile);
            slot.vector = static_cast<unsigned>(form.vector);
            slot.key = shortcut_;
        }
        return slot;
    }

    void add(void* value) { values_[value_count_++] = value; }
    void add_operand(std::size_t k, bool scalars) {
        const Operand& operand = node_.operands[k];
        if (same_[k] != k || operand.is_array() == scalars) return;
        if (!operand.is_array()) {
            add(const_cast<std::byte*>(operand.value.bytes.data()));  // read only
            return;
        }
        add(&data_[k]);
        uses_[use_count_++] = use_of(operand.array, false);
    }

    const Node& node_;
    core::DeviceState& device_;
    std::int64_t size_ = 1;
    Shortcut shortcut_;
    std::array<void*, most_short> data_{};
    std::array<std::size_t, most_short> same_{};
    std::array<void*, most_short + 2> values_{};
    std::size_t value_count_ = 0;
    std::array<MemoryUse, most_short + 1> uses_{};
    std::size_t use_count_ = 0;
};

}  // namespace

std::optional<Written> launch_flat(const Node& node) {
    FlatLaunch launch(node);
    if (!launch.take()) return std::nullopt;
    return launch.launch();
}

}  // namespace heald::array
