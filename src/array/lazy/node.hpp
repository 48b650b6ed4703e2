#pragma once

#include <heald/array.hpp>
#include <heald/export.hpp>

#include "src/array/ops/fold.hpp"
#include "src/array/ops/ufunc.hpp"
#include "src/core/block.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace heald::array {

/// The bits of one element of some dtype.
struct Value {
    alignas(16) std::array<std::byte, 16> bytes{};
};

/// A number of the dtype that has its C++ type.
template <class T>
[[nodiscard]] Value value_of(const T& number) noexcept {
    static_assert(sizeof(T) <= sizeof(Value));
    Value value;
    std::memcpy(value.bytes.data(), &number, sizeof number);
    return value;
}

/// What a node reads: elements of an array, broadcast to the node's iteration shape, or one value.
struct Operand {
    Array array;  ///< without a buffer: `value`
    DType dtype = DType::float32;
    Value value;

    [[nodiscard]] bool is_array() const noexcept { return is_array_; }

    explicit Operand(Array elements)
        : array(std::move(elements)), dtype(array.dtype()), is_array_(true) {}
    Operand(DType type, const Value& v) : dtype(type), value(v) {}

private:
    bool is_array_ = false;
};

enum class NodeKind : std::uint8_t {
    elementwise,  ///< a ufunc of its operands
    reduction,    ///< a ufunc of two operands folded over axes of the only operand
    range,        ///< element i, in the order of memory, is operands[0] + i * operands[1], or i
};

/// An operation that was recorded and not enqueued yet: the contents of a block, dense, with the
/// strides that the block's array was given. Unchanged once recorded.
class HEALD_API Node final : public core::PendingContents {
public:
    Node() = default;
    ~Node() override;
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    NodeKind kind = NodeKind::elementwise;
    const Ufunc* ufunc = nullptr;   ///< of elementwise nodes
    const Fold* fold = nullptr;     ///< of reductions
    DType loop = DType::float32;    ///< operands are converted to it
    DType result = DType::float32;  ///< of the elements that are stored
    Shape shape;                    ///< of the result
    Shape strides;                  ///< of the result, bytes
    Shape iteration;                ///< shape over which operands are read
    std::vector<int> axes;          ///< of `iteration`: what a reduction folds, ascending
    std::vector<Operand> operands;
    std::shared_ptr<core::StreamState> stream;  ///< current when it was recorded
    /// Memory that elements are written to, which belongs to an array already: the node's own block
    /// is empty. Without a buffer: the node's block.
    Array destination;

    // The list of pending nodes, and the claim of the evaluation that works on this one
    // (pending.cpp).
    core::Block* block = nullptr;
    Node* previous = nullptr;
    Node* next = nullptr;
    std::uint64_t claim = 0;  ///< number of the Claim; 0: free
    std::uint64_t claim_generation = 0;
};

/// The node that a block waits for; null if it is settled.
[[nodiscard]] inline const Node* node_of(const core::Block& block) noexcept {
    return static_cast<const Node*>(block.contents());
}

/// Makes `node` pending and gives its array. If an operand is escaped memory, or a bound is
/// reached, it is evaluated at once.
[[nodiscard]] HEALD_API Array record(std::unique_ptr<Node> node);

}  // namespace heald::array
