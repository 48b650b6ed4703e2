#include <heald/buffer.hpp>

#include "src/core/deferred.hpp"
#include "src/core/device_state.hpp"

namespace heald {

MemoryPool::Statistics MemoryPool::statistics() const {
    return state_->memory().statistics();
}
void MemoryPool::reset_peak() const {
    state_->memory().reset_peak();
}
std::optional<std::size_t> MemoryPool::limit() const {
    return state_->memory().limit();
}

void MemoryPool::set_limit(std::optional<std::size_t> bytes) const {
    state_->memory().set_limit(bytes);
}

void MemoryPool::trim(std::size_t keep_bytes) const {
    core::drop_finished();
    (void)state_->backend();  // refuses after a fork
    state_->memory().trim(keep_bytes);
}

}  // namespace heald
