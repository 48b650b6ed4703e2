#include "src/array/lazy/kernel_text.hpp"
#include "src/array/ops/promotion.hpp"
#include "src/array/user/user_elementwise.hpp"
#include "src/base/text.hpp"

#include <algorithm>

namespace heald::array {
namespace {

// What a raw parameter is in the kernel: indexed by an element's number in C order.
constexpr const char* raw_type = R"(
template <class E, int axes, bool in_order> struct RawArray_ {
    static constexpr int ndim = axes;
    E* data_;
    const long long *size_, *shape_, *strides_;
    __device__ long long size() const { return *size_; }
    __device__ const long long* shape() const { return shape_; }
    __device__ const long long* strides() const { return strides_; }
    __device__ E& operator[](long long at) const {
        if (in_order) return data_[at];
        long long place = 0;
        for (int axis = axes - 1; axis >= 0; --axis) {
            place += at % shape_[axis] * strides_[axis];
            at /= shape_[axis];
        }
        return data_[place];
    }
};
)";

/// Where the array of number k has its extents and strides in the layout: size, extents, strides.
struct Places {
    std::string size, shape, strides;
};

Places places_of(std::size_t k) {
    return {text("&layout.size", k), text("layout.extent", k), text("layout.stride", k)};
}

}  // namespace

std::string raw_source(const UserText& user, std::span<const UserParameter> inputs,
                       std::span<const UserParameter> outputs, const UserDtypes& dtypes,
                       std::span<const bool> is_array, const RawForm& form, DeviceKind device) {
    Preamble preamble;
    std::string parameters, begin, end;
    const std::size_t room = std::max<std::size_t>(form.shape_axes, 1);
    std::string layout = text("struct Layout {\n    long long count, extent[", room, "];\n");
    if (form.shape_axes == 0) layout = "struct Layout {\n    long long count;\n";
    const auto place = [&](std::size_t k) {
        if (form.in_order[k]) return std::string("i");
        std::string sum = "0";
        for (std::size_t axis = 0; axis < form.shape_axes; ++axis)
            sum += text(" + at_[", axis, "] * layout.stride", k, "[", axis, "]");
        return sum;
    };
    const auto add = [&](const UserParameter& parameter, DType dtype, std::size_t k, bool output) {
        preamble.need_dtype(dtype);
        const std::string type = value_type(dtype);
        if (!is_array[k]) {
            parameters += text("const ", memory_type(dtype), " p", k, ", ");
            begin += text("    const ", type, " ", parameter.name, " = ", load(dtype, text("p", k)),
                          ";\n");
            return;
        }
        layout += text("    long long size", k, ";\n");
        if (form.axes[k] > 0)
            layout += text("    long long extent", k, "[", form.axes[k], "], stride", k, "[",
                           form.axes[k], "];\n");
        parameters += text(output ? "" : "const ", memory_type(dtype), "* p", k, ", ");
        if (parameter.raw) {
            const Places at = places_of(k);
            const char* constant = output ? "" : "const ";
            const std::string element =
                dtype == DType::boolean ? std::string("bool") : memory_type(dtype);
            begin += text("    const RawArray_<", constant, element, ", ", form.axes[k], ", ",
                          form.in_order[k] ? "true" : "false", "> ", parameter.name, "{(", constant,
                          element, "*)p", k, ", ", at.size, ", ",
                          form.axes[k] > 0 ? at.shape : "nullptr", ", ",
                          form.axes[k] > 0 ? at.strides : "nullptr", "};\n");
        } else if (output) {
            begin += text("    ", type, " ", parameter.name, "{};\n");
            end += text("    p", k, "[", place(k), "] = ",
                        stored(dtype, is_narrow(dtype) ? text("heald_::round_", name_of(dtype), "(",
                                                              parameter.name, ")")
                                                       : parameter.name),
                        ";\n");
        } else {
            begin += text("    const ", type, " ", parameter.name, " = ",
                          load(dtype, text("p", k, "[", place(k), "]")), ";\n");
        }
    };
    for (std::size_t k = 0; k < inputs.size(); ++k) add(inputs[k], dtypes.inputs[k], k, false);
    for (std::size_t k = 0; k < outputs.size(); ++k)
        add(outputs[k], dtypes.outputs[k], inputs.size() + k, true);
    std::string coordinates = text("    long long at_[", room, "] = {0};\n");
    if (form.shape_axes > 0) {
        coordinates += "    {\n        long long rest_ = i;\n";
        for (std::size_t axis = form.shape_axes; axis-- > 0;)
            coordinates += text("        at_[", axis, "] = rest_ % layout.extent[", axis,
                                "];\n        rest_ /= layout.extent[", axis, "];\n");
        coordinates += "    }\n";
    }
    const std::string indexer = text(
        "struct Indexer_ {\n    long long size_;\n    const long long *extent_, *at_;\n"
        "    static constexpr int ndim = ",
        form.shape_axes,
        ";\n    __device__ long long size() const { return size_; }\n"
        "    __device__ const long long* shape() const { return extent_; }\n"
        "    __device__ const long long* get() const { return at_; }\n};\n");
    return text(preamble.source(device), raw_type, indexer, layout, "};\n", user.preamble,
                "\nextern \"C\" __global__ void __launch_bounds__(256) fused(", parameters,
                "const Layout layout) {\n    const long long i = (long long)blockIdx.x * 256 + "
                "threadIdx.x, n = layout.count;\n    if (i >= n) return;\n",
                placeholder_types(dtypes), coordinates, "    const Indexer_ _ind{n, ",
                form.shape_axes > 0 ? "layout.extent" : "nullptr", ", at_};\n", begin,
                user_statements(user), end, "    (void)_ind;\n}\n");
}

}  // namespace heald::array
