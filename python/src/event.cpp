#include "python/src/current_stream.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"
#include "python/src/wait.hpp"

#include <heald/stream.hpp>

#include <nanobind/stl/string.h>

#include <string>

namespace heald::python {

namespace {

void record(Event& event, nb::handle stream) {
    const Stream on = stream_argument(stream, event.device(), "Event.record");
    const GilRelease unlocked;
    event.record(on);
}

}  // namespace

void init_event(nb::module_& m) {
    nb::class_<Event>(m, "Event", nb::is_weak_referenceable(),
                      "A point in a stream. Event(device=None, timing=False).\n\n"
                      ">>> start = stream.record(timing=True)\n"
                      ">>> kernel.launch(grid, block, args, stream)\n"
                      ">>> stop = stream.record(timing=True)\n"
                      ">>> stop.synchronize()\n"
                      ">>> milliseconds = stop - start\n")
        .def(
            "__init__",
            [](Event* self, nb::handle device, bool timing) {
                new (self) Event(device_argument(device, "Event"), timing);
            },
            nb::arg("device") = nb::none(), nb::arg("timing") = false)
        .def("record", record, nb::arg("stream") = nb::none(),
             "Moves the event to where the stream is now.")
        .def(
            "synchronize", [](const Event& e) { wait_for(e); }, "Waits until it is reached.")
        .def_prop_ro("done", &Event::done)
        .def_prop_ro("recorded", &Event::recorded)
        .def_prop_ro("timing", &Event::timing)
        .def_prop_ro("device", &Event::device)
        .def_prop_ro("handle", &Event::handle)
        .def_prop_ro("closed", &Event::closed)
        .def("elapsed_since", &Event::elapsed_since, nb::arg("start"),
             "Milliseconds from `start` to this event. Both must be recorded with timing, on one "
             "device, and done; the error says which of these does not hold.")
        .def("__sub__", &Event::elapsed_since, nb::arg("start"), nb::is_operator())
        .def("close", &Event::close)
        .def("__enter__", [](nb::object self) { return self; })
        .def("__exit__", [](Event& e, nb::args) { e.close(); })
        .def("__repr__", [](const Event& e) -> std::string {
            if (e.closed()) return "<heald.Event, closed>";
            const char* state = !e.recorded() ? "not recorded" : e.done() ? "done" : "pending";
            return "<heald.Event of " + e.device().name() + ", " + state + ">";
        });
}

}  // namespace heald::python
