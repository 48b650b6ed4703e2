#pragma once

#include <heald/dtype.hpp>

#include "src/array/ops/ufunc.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace heald::array {

/// Random numbers of one dtype: element i is a function of a key, of the place where the array's
/// numbers start, of i, and of parameters.
struct Distribution {
    const Ufunc* ufunc = nullptr;  ///< of i, key, start, stream, then the parameters
    std::vector<DType> parameters;
    std::int64_t block_elements = 1;  ///< that one counter of Philox serves
};

/// One of random, standard_normal, standard_exponential (of real dtypes), words (uint32 and
/// uint64), integers (of integers and bool; parameters: the highest number less the lowest, the
/// lowest; at most 32 bits), long_integers (64 bits), standard_gamma (shape), beta (a, b), poisson
/// (mean), binomial (n, p). Throws Error(type_mismatch) if there is none for `dtype`.
[[nodiscard]] const Distribution& distribution(std::string_view name, DType dtype);

}  // namespace heald::array
