#pragma once

#include <heald/elementwise.hpp>

#include "src/array/ops/fold.hpp"
#include "src/array/user/parameter.hpp"
#include "src/array/user/user_source.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heald::array {

/// What the user wrote of a reduction.
struct ReductionText {
    std::string name, map, reduce, post, identity;
    std::string type;  ///< in which values are folded; empty: the output's
    std::string preamble;
};

/// The state of a ReductionFunction: a mapping, a fold and a mapping of its result, recorded one
/// after another.
class UserReduction {
public:
    UserReduction(std::string_view inputs, std::string_view output, ReductionText text);

    /// `axes`: those to fold, once the number of axes is known. `given`: an array for the result.
    [[nodiscard]] HEALD_API Array call(std::span<const UfuncOperand> inputs,
                                       const std::function<std::vector<int>(int axes)>& axes,
                                       bool keep_axes, const std::optional<Array>& given) const;

    [[nodiscard]] const std::string& name() const noexcept { return text_.name; }
    [[nodiscard]] std::size_t input_count() const noexcept { return inputs_.size(); }

private:
    [[nodiscard]] const Ufunc& map_function(const UserDtypes& dtypes, DType folded) const;
    [[nodiscard]] const Fold& fold_of(const UserDtypes& dtypes, DType folded,
                                      const Device& device) const;
    [[nodiscard]] const Ufunc& post_function(const UserDtypes& dtypes, DType folded) const;

    std::vector<UserParameter> inputs_, outputs_;
    ReductionText text_;
};

}  // namespace heald::array
