#include "src/array/lazy/elementwise_kernel.hpp"

#include "src/array/lazy/kernel_text.hpp"
#include "src/base/text.hpp"

#include <algorithm>
#include <cstdint>

namespace heald::array {
namespace {

using Access = ElementwiseForm::Access;
using Walk = ElementwiseForm::Walk;

constexpr std::int64_t short_row = 64;

Access access_of(const Iteration& iteration, std::size_t operand, Walk walk) {
    if (iteration.is_single(operand)) return Access::single;
    if (walk == Walk::flat) return Access::flat;
    if (walk == Walk::any) return iteration.is_flat(operand) ? Access::flat : Access::strided;
    const std::int64_t inner = iteration.strides[operand].back();
    return inner == 0 ? Access::row_single : inner == 1 ? Access::row : Access::strided;
}

bool aligned(const void* address, std::size_t bytes) {
    return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
}

/// Elements that a thread of a GPU loads together: 16 bytes of the widest operand, at most 8.
int vector_of(const Lowered& lowered, const std::vector<Access>& accesses) {
    std::size_t widest = 1;
    for (const Output& output : lowered.outputs)
        widest = std::max(widest, size_of(output.node->result));
    for (const Input& input : lowered.inputs)
        if (input.range == nullptr) widest = std::max(widest, size_of(input.dtype));
    int vector = static_cast<int>(std::clamp<std::size_t>(16 / widest, 1, 8));
    const std::size_t outputs = lowered.outputs.size();
    for (const Output& output : lowered.outputs)
        while (vector > 1 && output.target.buffer().block() != nullptr &&
               !aligned(output.target.data(),
                        size_of(output.node->result) * static_cast<std::size_t>(vector)))
            vector /= 2;
    for (std::size_t k = 0; k < lowered.inputs.size(); ++k) {
        const Input& input = lowered.inputs[k];
        if (accesses[outputs + k] != Access::flat || input.range != nullptr) continue;
        while (vector > 1 && !aligned(input.array.data(),
                                      size_of(input.dtype) * static_cast<std::size_t>(vector)))
            vector /= 2;
    }
    return vector;
}

/// The offset of an operand, as an expression of the walk's variables.
std::string offset_of(const ElementwiseForm& form, std::size_t operand) {
    switch (form.accesses[operand]) {
        case Access::single:
            return "0";
        case Access::flat:
            return "i";
        case Access::row_single:
            return text("base", operand);
        case Access::row:
            return text("base", operand, " + j");
        case Access::strided:
            break;
    }
    if (form.walk == Walk::rows)
        return text("base", operand, " + j * (I)layout.stride[", operand, "][", form.axes - 1, "]");
    return text("base", operand);
}

class Source {
public:
    Source(const Lowered& lowered, const ElementwiseForm& form, DeviceKind device)
        : lowered_(lowered), form_(form), device_(device), operands_(form.accesses.size()) {}

    std::string text() {
        const std::string body = form_.vector > 1 ? vector_body() : plain_body();
        return heald::text(preamble_.source(device_), layout(),
                           "extern \"C\" __global__ void __launch_bounds__(", elementwise_block,
                           ") fused(", operand_parameters(lowered_, preamble_),
                           "const Layout layout) {\n", body, "}\n");
    }

private:
    std::string layout() const {
        const std::size_t axes = std::max<std::size_t>(form_.axes, 1);
        return heald::text("struct Layout {\n    long long count;\n    long long extent[", axes,
                           "];\n    long long stride[", operands_, "][", axes, "];\n};\n");
    }

    std::string index_type() const { return form_.wide_index ? "long long" : "int"; }

    std::string plain_body() {
        const std::size_t outputs = lowered_.outputs.size();
        std::string body =
            heald::text("    using I = ", index_type(), ";\n", scalar_statements(lowered_), walk());
        for (std::size_t k = 0; k < lowered_.inputs.size(); ++k)
            body += "    " + load_statement(lowered_, k, offset_of(form_, outputs + k));
        body += step_statements(lowered_, preamble_, "    ");
        for (std::size_t k = 0; k < outputs; ++k) {
            const Output& output = lowered_.outputs[k];
            body += heald::text("    o", k, "[", offset_of(form_, k),
                                "] = ", stored_value(lowered_, output), ";\n");
        }
        return body;
    }

    /// Variables of the walk: i or j, and base… of operands that need it.
    std::string walk() const {
        if (form_.walk == Walk::rows) return rows_walk();
        std::string lines =
            heald::text("    const I i = (I)blockIdx.x * ", elementwise_block,
                        " + (I)threadIdx.x;\n    if (i >= (I)layout.count) return;\n");
        return form_.walk == Walk::flat ? lines : lines + bases("i", form_.axes);
    }

    std::string rows_walk() const {
        const std::size_t inner = form_.axes - 1;
        return heald::text("    const I columns = (I)layout.extent[", inner, "];\n",
                           "    const I tiles = (columns + ", elementwise_block - 1, ") / ",
                           elementwise_block, ";\n    const I row = (I)blockIdx.x / tiles;\n",
                           "    const I j = ((I)blockIdx.x - row * tiles) * ", elementwise_block,
                           " + (I)threadIdx.x;\n", bases("row", inner),
                           "    if (j >= columns) return;\n");
    }

    /// base…: offsets from the coordinates of a number over the first `axes` axes.
    std::string bases(const std::string& number, std::size_t axes) const {
        std::string lines = heald::text("    I rest = ", number, ";\n");
        std::vector<std::string> sums(operands_);
        for (std::size_t axis = axes; axis-- > 0;) {
            if (axis > 0)
                lines +=
                    heald::text("    const I outer", axis, " = rest / (I)layout.extent[", axis,
                                "];\n    const I at", axis, " = rest - outer", axis,
                                " * (I)layout.extent[", axis, "];\n    rest = outer", axis, ";\n");
            else
                lines += "    const I at0 = rest;\n";
            for (std::size_t k = 0; k < operands_; ++k)
                sums[k] += heald::text(sums[k].empty() ? "" : " + ", "at", axis,
                                       " * (I)layout.stride[", k, "][", axis, "]");
        }
        for (std::size_t k = 0; k < operands_; ++k)
            if (form_.accesses[k] != Access::single && form_.accesses[k] != Access::flat)
                lines += heald::text("    const I base", k, " = ", sums[k].empty() ? "0" : sums[k],
                                     ";\n");
        return lines;
    }

    // Loads and stores of `vector` elements at once; the last elements one by one.
    std::string vector_body() {
        const int width = form_.vector;
        std::string compute = "    const auto compute = [&](";
        std::string arguments, tail_arguments;
        const std::size_t outputs = lowered_.outputs.size();
        for (std::size_t k = 0; k < lowered_.inputs.size(); ++k) {
            const Input& input = lowered_.inputs[k];
            const bool packed =
                form_.accesses[outputs + k] == Access::flat && input.range == nullptr;
            const std::string offset =
                form_.accesses[outputs + k] == Access::single ? "0" : "i + k";
            const std::string direct =
                input.range != nullptr ? range_value(input, k, offset)
                                       : load(input.dtype, heald::text("i", k, "[", offset, "]"));
            compute += heald::text("const ", value_type(input.dtype), " x", k, ", ");
            arguments += heald::text(
                packed ? load(input.dtype, heald::text("in", k, ".v[k]")) : direct, ", ");
            tail_arguments += direct + ", ";
        }
        std::string stores, loads, writes, results, tail_results;
        for (std::size_t k = 0; k < lowered_.inputs.size(); ++k) {
            const Input& input = lowered_.inputs[k];
            if (form_.accesses[outputs + k] != Access::flat || input.range != nullptr) continue;
            const std::string pack =
                heald::text("Pack<", memory_type(input.dtype), ", ", width, ">");
            loads += heald::text("        const ", pack, " in", k, " = *(const ", pack, "*)(i", k,
                                 " + i);\n");
        }
        for (std::size_t k = 0; k < outputs; ++k) {
            const Output& output = lowered_.outputs[k];
            const std::string type = memory_type(output.node->result);
            compute += heald::text(type, "& r", k, k + 1 < outputs ? ", " : "");
            loads += heald::text("        Pack<", type, ", ", width, "> out", k, ";\n");
            results += heald::text("out", k, ".v[k]", k + 1 < outputs ? ", " : "");
            tail_results += heald::text("o", k, "[i + k]", k + 1 < outputs ? ", " : "");
            writes += heald::text("        *(Pack<", type, ", ", width, ">*)(o", k, " + i) = out",
                                  k, ";\n");
            stores += heald::text("        r", k, " = ", stored_value(lowered_, output), ";\n");
        }
        compute += ") {\n" + step_statements(lowered_, preamble_, "        ") + stores + "    };\n";
        preamble_.need("pack");
        return heald::text("    using I = ", index_type(), ";\n", scalar_statements(lowered_),
                           compute, "    const I i = ((I)blockIdx.x * ", elementwise_block,
                           " + (I)threadIdx.x) * ", width,
                           ";\n    const I count = (I)layout.count;\n    if (i + ", width,
                           " <= count) {\n", loads, "#pragma unroll\n        for (int k = 0; k < ",
                           width, "; ++k) compute(", arguments, results, ");\n", writes,
                           "    } else {\n        for (int k = 0; i + k < count; ++k) compute(",
                           tail_arguments, tail_results, ");\n    }\n");
    }

    const Lowered& lowered_;
    const ElementwiseForm& form_;
    DeviceKind device_;
    std::size_t operands_;
    Preamble preamble_;
};

}  // namespace

ElementwiseForm choose_form(const Lowered& lowered, const Iteration& iteration, DeviceKind device) {
    ElementwiseForm form;
    const std::size_t operands = iteration.strides.size();
    form.axes = iteration.extents.size();
    form.wide_index = !iteration.fits_32_bits();
    bool flat = true;
    for (std::size_t k = 0; k < operands; ++k)
        flat &= iteration.is_flat(k) || iteration.is_single(k);
    if (!flat)
        form.walk =
            form.axes == 1 || iteration.extents.back() >= short_row ? Walk::rows : Walk::any;
    for (std::size_t k = 0; k < operands; ++k)
        form.accesses.push_back(access_of(iteration, k, form.walk));
    if (form.walk == Walk::flat) {
        form.axes = 1;
        if (device == DeviceKind::cuda) form.vector = vector_of(lowered, form.accesses);
    }
    return form;
}

std::string elementwise_source(const Lowered& lowered, const ElementwiseForm& form,
                               DeviceKind device) {
    return Source(lowered, form, device).text();
}

std::uint64_t elementwise_grid(const ElementwiseForm& form, const Iteration& iteration) noexcept {
    const auto blocks = [](std::uint64_t elements, std::uint64_t per_block) {
        return (elements + per_block - 1) / per_block;
    };
    if (form.walk != Walk::rows)
        return blocks(static_cast<std::uint64_t>(iteration.size()),
                      std::uint64_t{elementwise_block} * static_cast<std::uint64_t>(form.vector));
    const auto row = static_cast<std::uint64_t>(iteration.extents.back());
    return static_cast<std::uint64_t>(iteration.size()) / row * blocks(row, elementwise_block);
}

}  // namespace heald::array
