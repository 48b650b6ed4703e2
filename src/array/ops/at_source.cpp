#include "src/array/ops/at_source.hpp"

#include "src/array/lazy/kernel_text.hpp"
#include "src/base/check.hpp"
#include "src/base/text.hpp"

namespace heald::array {

std::string at_source(const Ufunc& ufunc, DType loop, DType target, DeviceKind device) {
    const DType result = result_dtype(ufunc, loop);
    HEALD_EXPECTS(ufunc.mixed == Mixed::none && ufunc.operands <= 2 &&
                      !expression_of(ufunc, loop).text.empty(),
                  type_mismatch, "[", ufunc.name, ".at] there is no such operation for ",
                  name_of(target));
    Preamble preamble;
    for (const DType dtype : {target, loop, result}) preamble.need_dtype(dtype);
    Step step;
    step.ufunc = &ufunc;
    step.loop = loop;
    const std::string function = preamble.step_function(step);
    std::string arguments = converted(target, loop, "element");
    if (ufunc.operands == 2) arguments += ", " + load(loop, "values[order[at]]");
    // Through void: the elements of float16 and of bool have other types in memory than their own.
    const std::string type = memory_type(target), operand = memory_type(loop);
    return text(preamble.source(device), "extern \"C\" __global__ void at(void* target_memory, ",
                "const long long* places, const long long* order, const void* value_memory, ",
                "long long count) {\n    ", type, "* const target = (", type,
                "*)target_memory;\n    const ", operand, "* const values = (const ", operand,
                "*)value_memory;\n",
                "    long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n",
                "    if (at >= count) return;\n    const long long place = places[order[at]];\n",
                "    if (at > 0 && places[order[at - 1]] == place) return;\n    ",
                value_type(target), " element = ", load(target, "target[place]"), ";\n",
                "    for (; at < count && places[order[at]] == place; ++at) {\n        const ",
                value_type(result), " changed = ", function, "(", arguments,
                ");\n        element = ", converted(result, target, "changed"),
                ";\n    }\n    target[place] = ", stored(target, "element"), ";\n}\n");
}

}  // namespace heald::array
