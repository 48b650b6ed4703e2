#pragma once

#include <heald/elementwise.hpp>

#include "src/array/user/parameter.hpp"
#include "src/array/user/user_source.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heald::array {

/// The state of an ElementwiseFunction.
class UserElementwise {
public:
    UserElementwise(std::string_view inputs, std::string_view outputs, UserText text);

    /// `given`: output arrays, none or one for each output. `size`: the shape, where no array says
    /// it (raw parameters do not).
    [[nodiscard]] HEALD_API std::vector<Array> call(std::span<const UfuncOperand> inputs,
                                                    std::span<const Array> given,
                                                    const std::optional<Shape>& size) const;

    [[nodiscard]] const std::string& name() const noexcept { return text_.name; }
    [[nodiscard]] std::size_t input_count() const noexcept { return inputs_.size(); }
    [[nodiscard]] std::size_t output_count() const noexcept { return outputs_.size(); }

private:
    [[nodiscard]] Shape shape_of(std::span<const UfuncOperand> inputs, std::span<const Array> given,
                                 const std::optional<Shape>& size) const;
    [[nodiscard]] const Ufunc& function_of(const UserDtypes& dtypes, std::size_t output,
                                           std::size_t axes) const;
    [[nodiscard]] std::vector<Array> record(const UserDtypes& dtypes,
                                            std::span<const UfuncOperand> inputs,
                                            const Shape& shape, const Stream& stream) const;
    [[nodiscard]] std::vector<Array> launch(const UserDtypes& dtypes,
                                            std::span<const UfuncOperand> inputs,
                                            std::span<const Array> given, const Shape& shape,
                                            const Stream& stream) const;

    std::vector<UserParameter> inputs_, outputs_;
    UserText text_;
    bool raw_ = false;
    bool number_ = false, count_ = false, coordinates_ = false;  ///< i, n, _ind
};

/// CUDA C++ of the kernel `fused` of a function with raw parameters, for arrays of `axes[k]` axes
/// (inputs, then outputs); the others have `shape_axes`.
struct RawForm {
    std::vector<std::size_t> axes;
    std::vector<bool> in_order;  ///< C order: an element's number is its place
    std::size_t shape_axes = 0;
};
[[nodiscard]] std::string raw_source(const UserText& text, std::span<const UserParameter> inputs,
                                     std::span<const UserParameter> outputs,
                                     const UserDtypes& dtypes, std::span<const bool> is_array,
                                     const RawForm& form, DeviceKind device);

}  // namespace heald::array
