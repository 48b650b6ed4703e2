#include "src/core/backend.hpp"

namespace heald::cpu {
core::BackendKind backend_kind();
}
namespace heald::cuda {
core::BackendKind backend_kind();
}

const std::vector<heald::core::BackendKind>& heald::core::backend_kinds() {
    static const auto& kinds =
        *std::make_unique<std::vector<BackendKind>>(
             std::vector<BackendKind>{cuda::backend_kind(), cpu::backend_kind()})
             .release();
    return kinds;
}
