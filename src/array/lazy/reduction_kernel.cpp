#include "src/array/lazy/reduction_kernel.hpp"

#include "src/array/lazy/fold_state.hpp"
#include "src/array/lazy/kernel_text.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <functional>

namespace heald::array {
namespace {

using Walk = ReductionForm::Walk;

constexpr std::int64_t warp_size = 32;
/// Elements of a warp's segment, and warps that fill a device.
struct Segments {
    std::int64_t least, most, enough;
};
constexpr Segments gpu_segments{512, 16384, 4096}, cpu_segments{4096, 16384, 256};
constexpr int loads_ahead = 4;  ///< runs that a thread loads before it folds them
constexpr std::int64_t thread_segment = 64;
constexpr std::int64_t unrolled = 128;  ///< elements that a warp folds without a loop
constexpr std::int64_t warps_of_block = reduction_block / warp_size;

std::int64_t blocks(std::int64_t count, std::int64_t each) {
    return (count + each - 1) / each;
}

class Source {
public:
    Source(const Lowered& lowered, const ReductionForm& form, DeviceKind device)
        : lowered_(lowered),
          form_(form),
          device_(device),
          operands_(form.from_partials ? 0 : lowered.outputs.size() + lowered.inputs.size()) {}

    std::string text() {
        preamble_.need("shuffle");
        std::string states;
        for (std::size_t f = 0; f < fold_count(); ++f) states += fold_state(f, node(f), preamble_);
        const std::string list = parameters();
        const std::string body = form_.walk == Walk::warp ? warp_body() : thread_body();
        return heald::text(
            preamble_.source(device_), states, layout(),
            "extern \"C\" __global__ void __launch_bounds__(", reduction_block, ") fused(", list,
            ") {\n    using I = ", form_.wide_index ? "long long" : "int", ";\n", body, "}\n");
    }

private:
    [[nodiscard]] const Node& node(std::size_t f) const { return *lowered_.folded[f].node; }
    [[nodiscard]] std::size_t fold_count() const { return lowered_.folded.size(); }

    std::string parameters() {
        std::string list;
        for (std::size_t f = 0; f < fold_count(); ++f)
            list += form_.to_partials
                        ? heald::text("State", f, "* __restrict__ t", f, ", ")
                        : heald::text(memory_type(node(f).result), "* __restrict__ t", f, ", ");
        if (form_.from_partials) {
            for (std::size_t f = 0; f < fold_count(); ++f)
                list += heald::text("const State", f, "* __restrict__ q", f, ", ");
            return list + "const Layout layout";
        }
        return list + operand_parameters(lowered_, preamble_) + "const Layout layout";
    }

    std::string layout() const {
        const std::size_t axes = std::max<std::size_t>(form_.kept + form_.folded, 1);
        return heald::text(
            "struct Layout {\n    long long results, elements, segment, segments;\n    long long "
            "extent[",
            axes, "];\n    long long stride[", std::max<std::size_t>(operands_, 1), "][", axes,
            "];\n};\n");
    }

    std::string for_each_fold(const std::function<std::string(std::size_t)>& line) const {
        std::string all;
        for (std::size_t f = 0; f < fold_count(); ++f) all += line(f);
        return all;
    }

    std::string includes() const {
        return for_each_fold([&](std::size_t f) {
            const Ref& value = lowered_.folded[f].value;
            return heald::text("        include", f, "(a", f, ", ",
                               converted(dtype_of(lowered_, value), node(f).loop, name_of(value)),
                               ", r);\n");
        });
    }

    // element(r, a0, …): includes element r of the segment's result in the states.
    std::string element() {
        std::string list;
        for (std::size_t f = 0; f < fold_count(); ++f) list += heald::text(", State", f, "& a", f);
        std::string body;
        if (form_.from_partials) {
            body = for_each_fold([&](std::size_t f) {
                return heald::text("        a", f, " = combine", f, "(a", f, ", q", f,
                                   "[(long long)r * layout.results + k]);\n");
            });
        } else {
            body = folded_offsets();
            const std::size_t outputs = lowered_.outputs.size();
            for (std::size_t k = 0; k < lowered_.inputs.size(); ++k)
                body += "        " + load_statement(lowered_, k, heald::text("at", outputs + k));
            body += step_statements(lowered_, preamble_, "        ");
            for (std::size_t k = 0; k < outputs; ++k)
                body += heald::text("        o", k, "[at", k,
                                    "] = ", stored_value(lowered_, lowered_.outputs[k]), ";\n");
            body += includes();
        }
        return heald::text("    const auto element = [&](I r", list, ") {\n", body, "    };\n");
    }

    // at…: offsets of element r: base… and its coordinates over the folded axes.
    std::string folded_offsets() const {
        std::string lines;
        std::vector<std::string> sums(operands_);
        const std::size_t axes = form_.kept + form_.folded;
        if (form_.folded > 1) lines += "        I rest = r;\n";
        for (std::size_t axis = axes; axis-- > form_.kept;) {
            std::string at = "r";
            if (form_.folded > 1) {
                at = heald::text("inner", axis);
                lines +=
                    axis > form_.kept
                        ? heald::text("        const I next", axis, " = rest / (I)layout.extent[",
                                      axis, "];\n        const I inner", axis, " = rest - next",
                                      axis, " * (I)layout.extent[", axis, "];\n        rest = next",
                                      axis, ";\n")
                        : heald::text("        const I inner", axis, " = rest;\n");
            }
            for (std::size_t k = 0; k < operands_; ++k) {
                const bool by_one =
                    axis + 1 == axes && form_.walk == Walk::warp && form_.contiguous[k];
                sums[k] += by_one
                               ? heald::text(" + ", at)
                               : heald::text(" + ", at, " * (I)layout.stride[", k, "][", axis, "]");
            }
        }
        for (std::size_t k = 0; k < operands_; ++k)
            lines += heald::text("        const I at", k, " = base", k, sums[k], ";\n");
        return lines;
    }

    // base…: offsets of result k.
    std::string kept_offsets() const {
        std::string lines;
        std::vector<std::string> sums(operands_);
        if (operands_ > 0 && form_.kept > 1) lines += "    I left = k;\n";
        for (std::size_t axis = form_.kept; operands_ > 0 && axis-- > 0;) {
            std::string at = "k";
            if (form_.kept > 1) {
                at = heald::text("outer", axis);
                lines += axis > 0
                             ? heald::text("    const I above", axis, " = left / (I)layout.extent[",
                                           axis, "];\n    const I outer", axis, " = left - above",
                                           axis, " * (I)layout.extent[", axis,
                                           "];\n    left = above", axis, ";\n")
                             : heald::text("    const I outer", axis, " = left;\n");
            }
            for (std::size_t k = 0; k < operands_; ++k) {
                const bool by_one =
                    axis + 1 == form_.kept && form_.walk == Walk::thread && form_.contiguous[k];
                sums[k] += by_one ? heald::text(sums[k].empty() ? "" : " + ", at)
                                  : heald::text(sums[k].empty() ? "" : " + ", at,
                                                " * (I)layout.stride[", k, "][", axis, "]");
            }
        }
        for (std::size_t k = 0; k < operands_; ++k)
            lines +=
                heald::text("    const I base", k, " = ", sums[k].empty() ? "0" : sums[k], ";\n");
        return lines;
    }

    std::string begin_states(int copies) const {
        std::string lines;
        for (int copy = 0; copy < copies; ++copy)
            lines += for_each_fold([&](std::size_t f) {
                return heald::text("    State", f, " ", static_cast<char>('a' + copy), f,
                                   " = begin", f, "();\n");
            });
        return lines;
    }

    std::string call_element(const std::string& r, int copy) const {
        std::string call = heald::text("element(", r);
        for (std::size_t f = 0; f < fold_count(); ++f)
            call += heald::text(", ", static_cast<char>('a' + copy), f);
        return call + ");\n";
    }

    std::string write_results() const {
        return for_each_fold([&](std::size_t f) {
            if (form_.to_partials)
                return heald::text("    t", f, "[(long long)s * layout.results + k] = a", f, ";\n");
            const DType from = node(f).fold->position ? DType::int64 : node(f).loop;
            return heald::text(
                "    t", f, "[k] = ",
                stored(node(f).result,
                       converted(from, node(f).result, heald::text("finish", f, "(a", f, ")"))),
                ";\n");
        });
    }

    // fold(r, x0, …, a0, …): includes an element whose inputs were loaded.
    std::string fold() {
        std::string list = "I r";
        for (std::size_t k = 0; k < lowered_.inputs.size(); ++k)
            list += heald::text(", const ", value_type(lowered_.inputs[k].dtype), " x", k);
        for (std::size_t f = 0; f < fold_count(); ++f) list += heald::text(", State", f, "& a", f);
        return heald::text("    const auto fold = [&](", list, ") {\n",
                           step_statements(lowered_, preamble_, "        "), includes(),
                           "    };\n");
    }

    // Loads of `runs` runs of neighbours, and a call of fold() for each element.
    std::string packed_runs(int runs) const {
        std::string loads, calls;
        for (int run = 0; run < runs; ++run) {
            const std::int64_t at = run * unrolled;
            for (std::size_t k = 0; k < lowered_.inputs.size(); ++k) {
                if (!form_.contiguous[k] || lowered_.inputs[k].range != nullptr) continue;
                const std::string pack = heald::text("Pack<", memory_type(lowered_.inputs[k].dtype),
                                                     ", ", form_.run, ">");
                loads += heald::text("        const ", pack, " in", k, "_", run, " = *(const ",
                                     pack, "*)(i", k, " + base", k, " + r + ", at, ");\n");
            }
            for (int copy = 0; copy < form_.run; ++copy) calls += packed_call(run, copy);
        }
        return loads + calls;
    }

    std::string packed_call(int run, int copy) const {
        const std::string r = heald::text("r + ", run * unrolled + copy);
        std::string call = "        fold(" + r;
        for (std::size_t k = 0; k < lowered_.inputs.size(); ++k) {
            const Input& input = lowered_.inputs[k];
            const std::string step = form_.contiguous[k] ? " + " + r : "";
            if (input.range != nullptr)
                call += ", " + range_value(input, k, heald::text("base", k, step));
            else if (form_.contiguous[k])
                call += ", " + load(input.dtype, heald::text("in", k, "_", run, ".v[", copy, "]"));
            else
                call += ", " + load(input.dtype, heald::text("i", k, "[base", k, "]"));
        }
        for (std::size_t f = 0; f < fold_count(); ++f)
            call += heald::text(", ", static_cast<char>('a' + copy), f);
        return call + ");\n";
    }

    // The loop takes four elements of each thread: neighbours (run), or a warp apart.
    std::string warp_body() {
        const bool run = form_.run > 1;
        const std::int64_t apart = run ? 1 : warp_size;
        if (form_.packed) preamble_.need("pack");
        std::string body = heald::text(
            "    const I warp = (I)blockIdx.x * ", warps_of_block,
            " + (I)threadIdx.y;\n    if (warp >= (I)(layout.results * layout.segments)) return;\n",
            "    const I k = warp / (I)layout.segments;\n    const I s = warp - k * "
            "(I)layout.segments;\n",
            form_.from_partials ? "" : scalar_statements(lowered_), kept_offsets(), element(),
            form_.packed ? fold() : "", segment_bounds(), "    I r = first + (I)threadIdx.x * ",
            form_.run, ";\n", begin_states(4));
        const auto guarded = [&](int copies) {
            for (int copy = 0; copy < copies; ++copy) {
                const std::string r = heald::text("r + ", copy * apart);
                body += heald::text("    if (", r, " < end) ", call_element(r, copy));
            }
        };
        if (form_.short_segment) {
            guarded(4);
        } else {
            if (form_.packed)
                body += heald::text("    for (; r + ", (loads_ahead - 1) * unrolled + 3,
                                    " < end; r += ", loads_ahead * unrolled, ") {\n",
                                    packed_runs(loads_ahead), "    }\n");
            body += run ? run_loop() : turn_loop();
            if (run) guarded(3);
        }
        body += for_each_fold([](std::size_t f) {
            return heald::text("    a", f, " = combine", f, "(combine", f, "(a", f, ", b", f,
                               "), combine", f, "(c", f, ", d", f, "));\n");
        });
        for (int distance = warp_size / 2; distance > 0; distance /= 2)
            body += for_each_fold([&](std::size_t f) {
                return heald::text("    a", f, " = combine", f, "(a", f, ", shuffle", f, "(a", f,
                                   ", ", distance, "));\n");
            });
        return body + "    if (threadIdx.x != 0) return;\n" + write_results();
    }

    std::string run_loop() const {
        std::string body = heald::text("    for (; r + 3 < end; r += ", unrolled, ") {\n");
        if (form_.packed)
            body += packed_runs(1);
        else
            for (int copy = 0; copy < 4; ++copy)
                body += "        " + call_element(heald::text("r + ", copy), copy);
        return body + "    }\n";
    }

    // All threads of a warp make the same number of turns: a CPU needs no masks for them.
    std::string turn_loop() const {
        std::string body =
            heald::text("    I turn = first;\n    for (; turn + ", unrolled,
                        " <= end; turn += ", unrolled, ") {\n        r = turn + (I)threadIdx.x;\n");
        for (int copy = 0; copy < 4; ++copy)
            body += "        " + call_element(heald::text("r + ", copy * warp_size), copy);
        return body +
               heald::text("    }\n    for (r = turn + (I)threadIdx.x; r < end; r += ", warp_size,
                           ") ", call_element("r", 0));
    }

    static std::string segment_bounds() {
        return "    const I first = s * (I)layout.segment;\n"
               "    const I end = first + (I)layout.segment < (I)layout.elements ? first + "
               "(I)layout.segment : (I)layout.elements;\n";
    }

    std::string thread_body() {
        return heald::text(
            "    const I k = (I)blockIdx.x * ", reduction_block,
            " + (I)threadIdx.x;\n    if (k >= (I)layout.results) return;\n    const I s = "
            "(I)blockIdx.y;\n",
            form_.from_partials ? "" : scalar_statements(lowered_), kept_offsets(), element(),
            segment_bounds(), begin_states(1),
            device_ == DeviceKind::cuda ? "#pragma unroll 8\n" : "",
            "    for (I r = first; r < end; ++r) ", call_element("r", 0), write_results());
    }

    const Lowered& lowered_;
    const ReductionForm& form_;
    DeviceKind device_;
    std::size_t operands_;
    Preamble preamble_;
};

/// Whether threads may load runs of neighbours at once.
bool can_pack(const Lowered& lowered, const Iteration& iteration, const ReductionForm& form) {
    if (form.walk != Walk::warp || form.folded != 1 || !lowered.outputs.empty()) return false;
    for (std::size_t k = 0; k < lowered.inputs.size(); ++k) {
        const auto& steps = iteration.strides[k];
        if (steps.back() != 1 && steps.back() != 0) return false;
        if (steps.back() == 0 || lowered.inputs[k].range != nullptr) continue;
        for (std::size_t axis = 0; axis + 1 < steps.size(); ++axis)
            if (steps[axis] % form.run != 0) return false;
        const auto address = reinterpret_cast<std::uintptr_t>(lowered.inputs[k].array.data());
        if (address % (size_of(lowered.inputs[k].dtype) * static_cast<std::size_t>(form.run)) != 0)
            return false;
    }
    return true;
}

}  // namespace

ReductionForm choose_reduction_form(const Lowered& lowered, const Iteration& iteration,
                                    DeviceKind device) {
    ReductionForm form;
    form.device = device;
    const std::size_t axes = iteration.extents.size();
    form.kept = iteration.kept;
    form.folded = axes - form.kept;
    form.wide_index = !iteration.fits_32_bits();
    std::int64_t results = 1, elements = 1;
    for (std::size_t axis = 0; axis < axes; ++axis)
        (axis < form.kept ? results : elements) *= iteration.extents[axis];
    // Neighbours in memory belong to different results: a thread for each result.
    bool across = form.kept > 0 && iteration.extents[form.kept - 1] >= warp_size;
    if (across && form.folded > 0) {
        bool folded_by_one = false, kept_by_one = false;
        for (const auto& steps : iteration.strides) {
            folded_by_one |= steps.back() == 1;
            kept_by_one |= steps[form.kept - 1] == 1;
        }
        across = kept_by_one && !folded_by_one;
    }
    form.walk = across || elements < warp_size ? Walk::thread : Walk::warp;
    if (results == 1) form.walk = Walk::warp;
    for (const auto& steps : iteration.strides) {
        const std::size_t inner = form.walk == Walk::warp ? axes : form.kept;
        form.contiguous.push_back(inner > 0 && steps[inner - 1] == 1);
    }
    if (device == DeviceKind::cuda && form.walk == Walk::warp) {
        form.run = 4;
        form.packed = can_pack(lowered, iteration, form);
    }
    return form;
}

ReductionForm partials_form(std::int64_t results, std::int64_t elements, DeviceKind device) {
    ReductionForm form;
    form.device = device;
    form.from_partials = true;
    form.wide_index = results * elements > (std::int64_t{1} << 30);
    form.walk = results >= warp_size ? Walk::thread : Walk::warp;
    if (device == DeviceKind::cuda && form.walk == Walk::warp) form.run = 4;
    return form;
}

ReductionPass plan_pass(const ReductionForm& form, std::int64_t results, std::int64_t elements) {
    ReductionPass pass{results, elements, elements, 1};
    if (form.walk == Walk::warp) {
        // Long segments are cheap, but there must be enough of them to fill a device.
        const Segments& of = form.device == DeviceKind::cuda ? gpu_segments : cpu_segments;
        const std::int64_t wanted =
            blocks(blocks(results * elements, of.enough), unrolled) * unrolled;
        pass.segment = std::min(elements, std::clamp(wanted, of.least, of.most));
    } else {
        // grid.y counts the segments.
        constexpr std::int64_t most_segments = 65535;
        const std::int64_t wanted = results < 65536 ? thread_segment : 8 * thread_segment;
        pass.segment =
            elements < 2 * wanted ? elements : std::max(wanted, blocks(elements, most_segments));
    }
    pass.segment = std::max<std::int64_t>(pass.segment, 1);
    pass.segments = std::max<std::int64_t>(blocks(elements, pass.segment), 1);
    return pass;
}

void finish_form(ReductionForm& form, const ReductionPass& pass) {
    form.to_partials = pass.segments > 1;
    form.short_segment = form.walk == Walk::warp && pass.segment <= unrolled;
}

std::string reduction_source(const Lowered& lowered, const ReductionForm& form, DeviceKind device) {
    return Source(lowered, form, device).text();
}

LaunchConfig reduction_launch(const ReductionForm& form, const ReductionPass& pass) {
    const auto number = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
    if (form.walk == Walk::thread)
        return {Dim3(number(blocks(pass.results, reduction_block)), number(pass.segments)),
                Dim3(reduction_block)};
    return {Dim3(number(blocks(pass.results * pass.segments, warps_of_block))),
            Dim3(number(warp_size), number(warps_of_block))};
}

}  // namespace heald::array
