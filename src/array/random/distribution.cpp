#include "src/array/random/distribution.hpp"

#include "src/array/lazy/kernel_text.hpp"
#include "src/array/ops/promotion.hpp"
#include "src/array/user/typed_ufunc.hpp"
#include "src/base/check.hpp"
#include "src/base/fork.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace heald::array {
namespace {

/// Dtypes that share a row.
enum class Results : std::uint8_t { real16, real32, real64, real, integer, uint32, uint64, int64 };

struct Row {
    std::string_view name;
    Results results;
    std::int64_t block_elements;
    std::vector<DType> parameters;
    /// CUDA C++ of the source s, the number i, parameters a and b, and the result's type T.
    std::string_view expression;
    std::string_view functions;
};

const std::vector<Row>& rows() {
    using enum DType;
    static const auto& all =
        *std::make_unique<std::vector<Row>>(
             std::vector<Row>{
                 {"random", Results::real32, 4, {}, "heald_::unit(heald_::word(s, i))", "philox"},
                 {"random",
                  Results::real64,
                  2,
                  {},
                  "heald_::unit(heald_::word_pair(s, i))",
                  "philox"},
                 {"standard_normal",
                  Results::real16,
                  4,
                  {},
                  "heald_::normal_float(s, i)",
                  "normal"},
                 {"standard_normal",
                  Results::real32,
                  4,
                  {},
                  "heald_::normal_float(s, i)",
                  "normal"},
                 {"standard_normal",
                  Results::real64,
                  2,
                  {},
                  "heald_::normal_double(s, i)",
                  "normal"},
                 {"standard_exponential",
                  Results::real16,
                  4,
                  {},
                  "-heald_::exact_log(heald_::positive_unit(heald_::word(s, i)))",
                  "philox exact_math"},
                 {"standard_exponential",
                  Results::real32,
                  4,
                  {},
                  "-heald_::exact_log(heald_::positive_unit(heald_::word(s, i)))",
                  "philox exact_math"},
                 {"standard_exponential",
                  Results::real64,
                  2,
                  {},
                  "-heald_::exact_log(heald_::positive_unit(heald_::word_pair(s, i)))",
                  "philox exact_math"},
                 {"words", Results::uint32, 4, {}, "heald_::word(s, i)", "philox"},
                 {"words", Results::uint64, 2, {}, "heald_::word_pair(s, i)", "philox"},
                 {"integers",
                  Results::integer,
                  4,
                  {uint32, uint64},
                  "(b + heald_::bounded_word(s, i, a))",
                  "bounded"},
                 {"long_integers",
                  Results::integer,
                  2,
                  {uint64, uint64},
                  "(b + heald_::bounded_pair(s, i, a))",
                  "bounded"},
                 {"standard_gamma",
                  Results::real,
                  1,
                  {float64},
                  "heald_::gamma_variate(draw, a)",
                  "gamma_variate"},
                 {"beta",
                  Results::real,
                  1,
                  {float64, float64},
                  "heald_::beta_variate(draw, a, b)",
                  "gamma_variate"},
                 {"poisson",
                  Results::int64,
                  1,
                  {float64},
                  "heald_::poisson_variate(draw, a)",
                  "poisson_variate"},
                 {"binomial",
                  Results::int64,
                  1,
                  {int64, float64},
                  "heald_::binomial_variate(draw, a, b)",
                  "binomial_variate"},
             })
             .release();
    return all;
}

bool matches(Results results, DType dtype) {
    const DTypeKind kind = info(dtype).kind;
    switch (results) {
        case Results::real16:
            return is_narrow(dtype);
        case Results::real32:
            return dtype == DType::float32;
        case Results::real64:
            return dtype == DType::float64;
        case Results::real:
            return dtype == DType::float32 || dtype == DType::float64;
        case Results::integer:
            return kind == DTypeKind::signed_int || kind == DTypeKind::unsigned_int ||
                   kind == DTypeKind::boolean;
        case Results::uint32:
            return dtype == DType::uint32;
        case Results::uint64:
            return dtype == DType::uint64;
        case Results::int64:
            return dtype == DType::int64;
    }
    return false;
}

TypedFunction function_of(const Row& row, DType dtype) {
    TypedFunction function;
    function.operands = {DType::int64, DType::uint64, DType::uint64, DType::uint64};
    function.operands.insert(function.operands.end(), row.parameters.begin(), row.parameters.end());
    function.result = dtype;
    function.symbol = text("random_", row.name, "_", name_of(dtype));
    function.functions = row.functions;
    const std::string type = value_type(dtype);
    std::string parameters;
    for (std::size_t k = 0; k < row.parameters.size(); ++k)
        parameters += text(", ", value_type(row.parameters[k]), " ", static_cast<char>('a' + k));
    std::string value = text("(", type, ")(", row.expression, ")");
    if (is_narrow(dtype)) value = text("heald_::round_", name_of(dtype), "(", value, ")");
    const bool draws = row.block_elements == 1;
    function.definition =
        text("__device__ inline ", type, " ", function.symbol,
             "(long long i, unsigned long long key, unsigned long long start, unsigned long long "
             "stream",
             parameters, ") {\n    const heald_::Source s{key, start, stream};\n",
             draws ? "    heald_::Draws draw = heald_::draws(s, i);\n" : "", "    return ", value,
             ";\n}\n");
    return function;
}

/// random of 16-bit numbers: all that they tell apart.
const Row& narrow_row(DType dtype) {
    static const auto& both = *std::make_unique<std::pair<Row, Row>>(
                                   Row{"random",
                                       Results::real16,
                                       8,
                                       {},
                                       "(float)(heald_::half_word(s, i) >> 5) * 0x1p-11f",
                                       "philox"},
                                   Row{"random",
                                       Results::real16,
                                       8,
                                       {},
                                       "(float)(heald_::half_word(s, i) >> 8) * 0x1p-8f",
                                       "philox"})
                                   .release();
    return dtype == DType::float16 ? both.first : both.second;
}

const Row& row_of(std::string_view name, DType dtype) {
    if (name == "random" && is_narrow(dtype)) return narrow_row(dtype);
    for (const Row& row : rows())
        if (row.name == name && matches(row.results, dtype)) return row;
    fail(ErrorKind::type_mismatch, "[random.", name, "] there are no such random numbers of dtype ",
         name_of(dtype));
}

struct Distributions {
    ForkMutex mutex;
    std::map<std::pair<const Row*, DType>, Distribution> made;
};

}  // namespace

const Distribution& distribution(std::string_view name, DType dtype) {
    static Distributions& all = *std::make_unique<Distributions>().release();
    const Row& row = row_of(name, dtype);
    {
        const std::lock_guard lock(all.mutex);
        if (const auto found = all.made.find({&row, dtype}); found != all.made.end())
            return found->second;
    }
    const std::string symbol = text("random_", row.name, "_", name_of(dtype));
    Distribution made;
    made.ufunc =
        &typed_ufunc(symbol, text("random.", row.name), [&] { return function_of(row, dtype); });
    made.parameters = row.parameters;
    made.block_elements = row.block_elements;
    const std::lock_guard lock(all.mutex);
    return all.made.emplace(std::pair{&row, dtype}, std::move(made)).first->second;
}

}  // namespace heald::array
