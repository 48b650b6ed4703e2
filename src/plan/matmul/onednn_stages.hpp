#pragma once

#include "src/plan/matmul/onednn/onednn_interface.h"
#include "src/plan/matmul/provider.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heald::plan {

[[nodiscard]] int onednn_type(DType dtype) noexcept;

/// A post-operation and where its operand comes from.
struct OneDnnStage {
    heald_onednn_stage step{};
    bool is_c = false;      ///< the operand is the problem's c
    std::size_t stage = 0;  ///< else the first operand of this stage of the chain
    std::int64_t item_size = 0;

    [[nodiscard]] bool has_operand() const noexcept { return item_size != 0; }
    /// Bytes from the operand's first element to that of a tile.
    [[nodiscard]] std::int64_t offset(std::int64_t row, std::int64_t column) const noexcept {
        return ((step.rows == 1 ? 0 : row * step.row_step) + (step.columns == 1 ? 0 : column)) *
               item_size;
    }
    [[nodiscard]] heald_onednn_stage for_tile(std::int64_t rows,
                                              std::int64_t columns) const noexcept {
        heald_onednn_stage result = step;
        if (result.rows != 1) result.rows = rows;
        if (result.columns != 1) result.columns = columns;
        return result;
    }
};

/// Stages from the first that have a post-operation.
[[nodiscard]] std::size_t fusible_stages(const MatmulProblem& problem);

/// alpha, beta and `stages` of the chain as post-operations; nullopt if c or an operand lies in a
/// way that they do not read. `sums`: c must be copied to d first.
[[nodiscard]] std::optional<std::vector<OneDnnStage>> onednn_chain(const MatmulProblem& problem,
                                                                   std::size_t stages, bool& sums);

}  // namespace heald::plan
