#include "python/src/array.hpp"
#include "python/src/current_stream.hpp"
#include "python/src/dtype.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"
#include "python/src/operand.hpp"

#include "src/array/random/draw.hpp"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heald::python {

namespace {

Array draw_array(const Generator& generator, const std::string& name, nb::handle size,
                 nb::handle dtype, nb::handle device, nb::args parameters) {
    std::vector<array::UfuncOperand> operands;
    for (nb::handle parameter : parameters) operands.push_back(operand_argument(parameter, name));
    std::optional<Shape> shape;
    if (!size.is_none()) shape = shape_argument(size, name.c_str());
    // Without a device, that of the parameters.
    Device on = device_argument(nb::none(), name.c_str());
    if (!device.is_none()) {
        on = device_argument(device, name.c_str());
    } else {
        for (const array::UfuncOperand& operand : operands)
            if (const auto* x = std::get_if<Array>(&operand)) on = x->device();
    }
    const Stream stream = current_stream(on);
    const DType type = dtype_from_python(dtype, name.c_str());
    const GilRelease unlocked;
    return array::draw(generator, name, std::move(shape), type, operands, stream);
}

nb::tuple state_of(const Generator& generator) {
    const Generator::State state = generator.state();
    return nb::make_tuple(state.key, state.stream, state.position);
}

Generator::State state_from(std::uint64_t key, std::uint64_t stream, std::uint64_t position) {
    return {key, stream, position};
}

}  // namespace

void init_random(nb::module_& m) {
    nb::class_<Generator>(m, "RandomSequence", "The engine of hd.random.Generator.")
        .def(
            "__init__",
            [](Generator* self, std::uint64_t key, std::uint64_t stream, std::uint64_t position) {
                new (self) Generator(state_from(key, stream, position));
            },
            nb::arg("key"), nb::arg("stream") = 0, nb::arg("position") = 0)
        .def_prop_ro("state", state_of, "(key, stream, position)")
        .def(
            "set_state",
            [](const Generator& self, std::uint64_t key, std::uint64_t stream,
               std::uint64_t position) { self.set_state(state_from(key, stream, position)); },
            nb::arg("key"), nb::arg("stream"), nb::arg("position"))
        .def(
            "skip", [](const Generator& self, std::uint64_t blocks) { (void)self.take(blocks); },
            nb::arg("blocks"))
        .def("draw", draw_array, nb::arg("distribution"), nb::arg("size").none(), nb::arg("dtype"),
             nb::arg("device").none(), nb::arg("parameters"),
             "Records random numbers; see include/heald/random.hpp.");
    m.def(
        "random_key", [](std::uint64_t seed) { return Generator(seed).state().key; },
        nb::arg("seed"), "The key that a seed gives.");
}

}  // namespace heald::python
