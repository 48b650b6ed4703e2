#pragma once

#include <heald/epilogue.hpp>
#include <heald/export.hpp>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heald::plan {

/// What a stage computes from the accumulator, and gives beside the result.
struct StageResult {
    Array value;
    std::vector<std::pair<std::string, Array>> outputs;
};

/// One row of the table of members.
struct EpilogueRow {
    EpilogueMember member;
    std::string_view name;
    int operands;     ///< arrays that execute() takes; -1: as the stage says
    bool has_output;  ///< an array beside the result
    /// Records the operations. Operands broadcast to x.
    Array (*record)(const EpilogueStage& stage, const Array& x, std::span<const Array> operands,
                    std::vector<std::pair<std::string, Array>>& outputs);
};

[[nodiscard]] HEALD_API std::span<const EpilogueRow> epilogue_rows() noexcept;
[[nodiscard]] const EpilogueRow& epilogue_row(EpilogueMember member);

/// "bias + gelu"
[[nodiscard]] HEALD_API std::string chain_text(std::span<const EpilogueStage> stages);

}  // namespace heald::plan
