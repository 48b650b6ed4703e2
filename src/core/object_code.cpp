#include <heald/kernel.hpp>
#include <heald/program.hpp>

#include "src/base/check.hpp"
#include "src/core/code_format.hpp"
#include "src/core/code_state.hpp"
#include "src/core/function_state.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace heald {

ObjectCode ObjectCode::from_bytes(std::string bytes, std::string name) {
    return ObjectCode(std::make_shared<core::CodeState>(
        std::make_shared<const core::CodeData>(
            core::recognise_code(std::move(bytes), name.empty() ? "bytes" : std::move(name))),
        nullptr, std::nullopt));
}

ObjectCode ObjectCode::from_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    HEALD_EXPECTS(file.good(), not_found, "[ObjectCode.from_file] '", path,
                  "' cannot be opened: ", std::strerror(errno));
    std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    HEALD_EXPECTS(!file.bad() && !bytes.empty(), invalid_value, "[ObjectCode.from_file] '", path,
                  "' is empty or cannot be read");
    return from_bytes(std::move(bytes), path);
}

core::CodeState& ObjectCode::state() const {
    HEALD_EXPECTS(state_ != nullptr && !state_->closed.load(std::memory_order_relaxed), closed,
                  "[ObjectCode] this object code was closed");
    return *state_;
}

const std::string& ObjectCode::bytes() const {
    return state().data()->bytes;
}
std::string ObjectCode::format() const {
    return state().data()->format;
}
std::string ObjectCode::name() const {
    return state().data()->name;
}
std::string ObjectCode::log() const {
    return state().data()->log;
}
const std::vector<Diagnostic>& ObjectCode::warnings() const {
    return state().data()->warnings;
}

std::vector<std::string> ObjectCode::kernel_names() const {
    std::vector<std::string> names;
    for (const core::KernelSymbol& kernel : state().known_kernels())
        names.push_back(kernel.expression.empty() ? kernel.display : kernel.expression);
    return names;
}

Kernel ObjectCode::get_kernel(const std::string& name, const Device& device) const {
    return Kernel(std::make_shared<core::FunctionState>(state().find_kernel(name, device.state())));
}

Buffer ObjectCode::get_global(const std::string& name, const Device& device) const {
    core::CodeState& own = state();
    HEALD_EXPECTS(device.kind() == own.data()->kind, invalid_value, "[ObjectCode.get_global] '",
                  own.data()->name, "' was not compiled for ", device.name());
    auto loaded = own.loaded_on(device.state());
    const core::GlobalSymbol symbol = own.find_global(name, *loaded);
    return Buffer::wrap(symbol.address, symbol.size, device, std::move(loaded));
}

void ObjectCode::close() {
    if (state_ != nullptr) state_->closed.store(true);
}

bool ObjectCode::closed() const noexcept {
    return state_ == nullptr || state_->closed;
}

}  // namespace heald
