// Access between GPUs: opened when a process comes to use a second one.

#include "src/backend/cuda/backend.hpp"
#include "src/base/check.hpp"
#include "src/base/log.hpp"

#include <algorithm>

namespace heald::cuda {
namespace {

std::mutex backends_mutex;
std::vector<Backend*>& open_backends() {
    static auto* const list = new std::vector<Backend*>;
    return *list;
}

/// Lets code and copies of `context` reach memory of `peer` that others allocated there.
void enable(Context& context, const Context& peer) {
    const Current current(context);
    const driver::Result result = context.api().cuCtxEnablePeerAccess(peer.handle(), 0);
    if (result != driver::Result::peer_access_already_enabled)
        context.check(result, "cuCtxEnablePeerAccess");
}

}  // namespace

bool Backend::can_access(const core::Backend& other) const {
    if (other.properties().kind != DeviceKind::cuda) return false;
    const auto& peer = static_cast<const Backend&>(other);
    if (&peer == this) return true;
    int possible = 0;
    driver::check(context_->api().cuDeviceCanAccessPeer(&possible, context_->device(),
                                                        peer.context_->device()),
                  "Device.can_access");
    return possible != 0;
}

void Backend::meet_peers() {
    const std::lock_guard lock(backends_mutex);
    for (Backend* peer : open_backends()) {
        if (peer->properties_.ordinal == properties_.ordinal) continue;
        without_throwing("opening access between GPUs", [&] {
            if (can_access(*peer)) {
                enable(*context_, *peer->context_);
                peer->memory_.allow_access(*context_);
            }
            if (peer->can_access(*this)) {
                enable(*peer->context_, *context_);
                memory_.allow_access(*peer->context_);
            }
        });
    }
    open_backends().push_back(this);
}

void Backend::leave_peers() noexcept {
    const std::lock_guard lock(backends_mutex);
    std::erase(open_backends(), this);
}

}  // namespace heald::cuda
