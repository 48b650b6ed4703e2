#include "src/plan/matmul/provider.hpp"

#include <array>

namespace heald::plan {

std::span<const MatmulProvider> matmul_providers() {
    static const std::array providers{cublaslt_provider(), onednn_provider(), blas_provider()};
    return providers;
}

}  // namespace heald::plan
