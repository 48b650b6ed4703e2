#include "src/array/user/typed_ufunc.hpp"

#include "src/array/lazy/lowered.hpp"
#include "src/base/check.hpp"
#include "src/base/fork.hpp"
#include "src/core/device_state.hpp"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace heald::array {
namespace {

struct Entry {
    std::string name;
    TypedFunction function;
    Ufunc row;
};

struct TypedUfuncs {
    ForkMutex mutex;
    std::unordered_map<std::string, std::unique_ptr<Entry>> entries;
};

TypedUfuncs& typed_ufuncs() {
    static TypedUfuncs& all = *std::make_unique<TypedUfuncs>().release();
    return all;
}

constexpr std::size_t most_ufuncs = 60000;  // ids have 16 bits

}  // namespace

const Ufunc& typed_ufunc(const std::string& key, std::string_view name,
                         const std::function<TypedFunction()>& make) {
    TypedUfuncs& all = typed_ufuncs();
    const std::size_t rows = ufuncs().size();
    const std::lock_guard lock(all.mutex);
    if (const auto found = all.entries.find(key); found != all.entries.end())
        return found->second->row;
    HEALD_EXPECTS(all.entries.size() < most_ufuncs, invalid_value, "[", name,
                  "] this process has made ", most_ufuncs,
                  " different functions: pass what varies as arguments, not in the text");
    auto entry = std::make_unique<Entry>();
    entry->name = name;
    entry->function = make();
    HEALD_EXPECTS(entry->function.operands.size() <= most_operands, invalid_value, "[", name,
                  "] takes ", entry->function.operands.size(), " operands: the most are ",
                  most_operands);
    Ufunc& row = entry->row;
    row.name = entry->name;
    row.operands = static_cast<int>(entry->function.operands.size());
    row.loop = Loop::common;
    row.result = Result::loop;
    row.typed = &entry->function;
    row.id = static_cast<std::uint16_t>(rows + all.entries.size());
    return all.entries.emplace(key, std::move(entry)).first->second->row;
}

Array record_typed(const Ufunc& ufunc, std::vector<Operand> operands, Shape shape, Shape strides,
                   const Stream& stream) {
    auto node = std::make_unique<Node>();
    node->ufunc = &ufunc;
    node->loop = node->result = ufunc.typed->result;
    node->shape = std::move(shape);
    node->iteration = node->shape;
    node->strides = std::move(strides);
    node->operands = std::move(operands);
    node->stream = stream.state().shared_from_this();
    return record(std::move(node));
}

Array counter(const Shape& shape, const Stream& stream) {
    auto node = std::make_unique<Node>();
    node->kind = NodeKind::range;
    node->loop = node->result = DType::int64;
    node->shape = shape;
    node->strides = c_strides(shape, sizeof(std::int64_t));
    node->iteration = shape;
    node->stream = stream.state().shared_from_this();
    return record(std::move(node));
}

}  // namespace heald::array
