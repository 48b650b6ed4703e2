#pragma once

// Discrete Fourier transforms of arrays: NumPy's functions, and plans. On a GPU by cuFFT, on a CPU
// by a library with the FFTW3 interface; both are opened at run time.

#include <heald/array.hpp>
#include <heald/export.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heald::fft {

enum class Kind : std::uint8_t {
    c2c,  ///< complex to complex
    r2c,  ///< real to the half of the complex result that determines it: n / 2 + 1 of the last axis
    c2r,  ///< the inverse of r2c
};

enum class Direction : std::uint8_t { forward, inverse };  ///< exp(-2πi jk / n), exp(+2πi jk / n)

/// Which direction is divided by the number of points: the inverse one, both by its square root, or
/// the forward one.
enum class Norm : std::uint8_t { backward, ortho, forward };

/// A transform over some axes, as NumPy's functions describe it.
struct Transform {
    Kind kind = Kind::c2c;
    Direction direction = Direction::forward;
    std::vector<int> axes = {-1};  ///< the last one is the halved one
    /// Points along each axis, of the real side for r2c and c2r: the input is cut or padded with
    /// zeros. None: the input's (for the last axis of c2r 2 * (length - 1)); so is -1.
    std::vector<std::int64_t> lengths = {};
    Norm norm = Norm::backward;
};

/// Enqueues a transform. float16, bfloat16, float32 and complex64 are computed in single precision,
/// all else in double. `out`: where the result goes; it may be `x` itself. Errors are NumPy's:
/// Error(invalid_value) for axes and lengths that are not possible, Error(type_mismatch) for
/// complex input of r2c and an `out` of the wrong dtype; Error(unavailable) without an FFT library.
[[nodiscard]] HEALD_API Array transform(const Array& x, const Transform& what,
                                        const std::optional<Array>& out = std::nullopt);

/// The axes are the last ones if there are as many lengths and no axes: NumPy's rule for `s`.
[[nodiscard]] HEALD_API std::vector<int> axes_for(const Array& x,
                                                  const std::optional<std::vector<int>>& axes,
                                                  std::size_t lengths);

/// Plans that were made and are kept for the next transform of the same form.
struct CacheInfo {
    std::size_t size = 0;   ///< plans
    std::size_t limit = 0;  ///< plans
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
};
[[nodiscard]] HEALD_API CacheInfo cache_info();
HEALD_API void clear_cache();
HEALD_API void limit_cache(std::size_t plans);

/// Elementwise operations before or after a transform. Gets the values, for each of their axes the
/// indices along it (int64, shaped to broadcast), and the plan's operands; gives values that
/// broadcast to the same shape. It is called for every execution, and on a CPU for parts of a
/// batch: `value`, `index` and `operands` are then of that part.
using Callback = std::function<Array(const Array& value, std::span<const Array> index,
                                     std::span<const Array> operands)>;

}  // namespace heald::fft

namespace heald {

struct FFTOptions {
    std::vector<int> axes = {};  ///< none: all
    fft::Kind kind = fft::Kind::c2c;
    std::vector<std::int64_t> lengths = {};  ///< as in fft::Transform
    fft::Norm norm = fft::Norm::backward;
    fft::Callback prologue = {};
    fft::Callback epilogue = {};
};

/// A transform of arrays of one shape and dtype, with recorded operations before and after it: one
/// fused pass each, which a CPU runs over parts of the batch that stay in its caches. A cheap
/// handle; may be used from several threads.
class HEALD_API FFT {
public:
    /// Throws what fft::transform throws for such an input.
    FFT(Shape shape, DType dtype, FFTOptions options = {});

    /// `operands` broadcast to the input's shape in the prologue, to the transform's in the
    /// epilogue.
    [[nodiscard]] Array execute(const Array& x, fft::Direction direction = fft::Direction::forward,
                                const std::optional<Array>& out = std::nullopt,
                                std::span<const Array> prologue_operands = {},
                                std::span<const Array> epilogue_operands = {}) const;

    [[nodiscard]] const Shape& shape() const noexcept;
    [[nodiscard]] DType dtype() const noexcept;
    [[nodiscard]] const Shape& result_shape() const noexcept;
    /// What runs on a device, a line for each step.
    [[nodiscard]] std::string explain(const Device& device = Device()) const;

private:
    struct State;
    std::shared_ptr<const State> state_;
};

}  // namespace heald
