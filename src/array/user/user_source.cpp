#include "src/array/user/user_source.hpp"

#include <heald/program.hpp>

#include "src/array/lazy/kernel_text.hpp"
#include "src/array/ops/promotion.hpp"
#include "src/base/fork.hpp"
#include "src/base/hash.hpp"
#include "src/base/text.hpp"

#include <memory>
#include <mutex>
#include <set>
#include <utility>

namespace heald::array {

std::string placeholder_types(const UserDtypes& dtypes) {
    std::string types;
    for (const auto& [letter, dtype] : dtypes.placeholders)
        types += text("    using ", letter, " = ", value_type(dtype), ";\n");
    return types;
}

SplitPreamble split_preamble(const std::string& preamble) {
    SplitPreamble split;
    for (std::size_t at = 0; at < preamble.size();) {
        const std::size_t end = std::min(preamble.find('\n', at), preamble.size());
        const std::string line = preamble.substr(at, end - at);
        const std::size_t first = line.find_first_not_of(" \t");
        const bool includes = first != std::string::npos && line.compare(first, 8, "#include") == 0;
        (includes ? split.includes : split.rest) += line + "\n";
        at = end + 1;
    }
    return split;
}

std::string user_statements(const UserText& text) {
    return heald::text("    const auto body_ = [&]() -> void {\n#line 1 \"", text.name, "\"\n",
                       text.body, "\n;\n    };\n    body_();\n");
}

TypedFunction user_function(const UserText& user, const std::string& parameters,
                            std::vector<DType> operands, const std::string& before,
                            const std::string& output, DType result) {
    TypedFunction function;
    function.operands = std::move(operands);
    function.result = result;
    for (const DType dtype : function.operands) {
        if (is_narrow(dtype)) function.functions += text(name_of(dtype), " ");
        if (info(dtype).kind == DTypeKind::complex) function.functions += "complex ";
    }
    std::string value = output;
    if (is_narrow(result)) {
        function.functions += name_of(result);
        value = text("heald_::round_", name_of(result), "((float)", value, ")");
    } else if (info(result).kind == DTypeKind::complex) {
        function.functions += "complex";
    }
    const SplitPreamble preamble = split_preamble(user.preamble);
    const std::string call =
        text("__device__ inline ", value_type(result), " call(", parameters, ") {\n", before,
             user_statements(user), "    return ", value, ";\n}\n");
    const std::string space = "user_" + KeyBuilder().add(user.preamble).add(call).hash().hex();
    function.symbol = space + "::call";
    function.definition =
        text(preamble.includes, "namespace ", space, " {\n", preamble.rest, call, "}\n");
    return function;
}

void check_function(const Ufunc& ufunc, const Device& device) {
    struct Checked {
        ForkMutex mutex;
        std::set<std::pair<const Ufunc*, std::string>> functions;
    };
    static Checked& checked = *std::make_unique<Checked>().release();
    const std::pair key{&ufunc, std::string(device.name())};
    {
        const std::lock_guard lock(checked.mutex);
        if (checked.functions.contains(key)) return;
    }
    Preamble preamble;
    const TypedFunction& function = *ufunc.typed;
    preamble.need_dtype(function.result);
    std::string parameters, arguments;
    for (std::size_t k = 0; k < function.operands.size(); ++k) {
        preamble.need_dtype(function.operands[k]);
        const std::string type = value_type(function.operands[k]);
        parameters += text(", const ", type, "* x", k);
        arguments += text(k > 0 ? ", *x" : "*x", k);
    }
    const std::string called = preamble.typed_function(function);
    const std::string source =
        text(preamble.source(device.kind()), "extern \"C\" __global__ void check(",
             value_type(function.result), "* result", parameters, ") {\n    *result = ", called,
             "(", arguments, ");\n}\n");
    ProgramOptions options;
    options.contract = false;
    (void)Program(source, std::string(ufunc.name), std::move(options), device).compile();
    const std::lock_guard lock(checked.mutex);
    checked.functions.insert(key);
}

}  // namespace heald::array
