#include "python/src/current_stream.hpp"
#include "python/src/deferred.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"
#include "python/src/wait.hpp"

#include <heald/error.hpp>
#include <heald/stream.hpp>

#include <nanobind/stl/string.h>

#include <functional>
#include <memory>
#include <string>

namespace heald::python {

namespace {

// Calls a Python function on a thread of heald's; what it raises becomes the stream's error.
void call_host_function(PyObject* function, PyObject* arguments) {
    ForeignGil gil;
    if (!gil.held()) return;
    PyObject* result = PyObject_CallObject(function, arguments);
    if (result) {
        Py_DECREF(result);
        return;
    }
    std::string message;
    {
        nb::python_error error;
        message = error.what();
    }
    throw Error(ErrorKind::device, "[Stream.host_function] the function raised: " + message);
}

void add_host_function(const Stream& stream, nb::object function, nb::args arguments) {
    if (!PyCallable_Check(function.ptr()))
        throw Error(ErrorKind::type_mismatch,
                    std::string("[Stream.host_function] expected a function, got ") +
                        Py_TYPE(function.ptr())->tp_name);
    std::shared_ptr<void> kept_function = own(function.ptr());
    std::shared_ptr<void> kept_arguments = own(arguments.ptr());
    const GilRelease unlocked;
    stream.host_function([kept_function, kept_arguments] {
        call_host_function(static_cast<PyObject*>(kept_function.get()),
                           static_cast<PyObject*>(kept_arguments.get()));
    });
}

void wait_on(const Stream& stream, nb::handle what) {
    if (nb::isinstance<Event>(what)) {
        const Event& event = nb::cast<Event&>(what);
        const GilRelease unlocked;
        stream.wait(event);
        return;
    }
    const Stream other = stream_argument(what, stream.device(), "Stream.wait");
    const GilRelease unlocked;
    stream.wait(other);
}

nb::object record(const Stream& stream, nb::object event, bool timing) {
    if (event.is_none()) return nb::cast(stream.record(timing));
    nb::cast<Event&>(event).record(stream);
    return event;
}

std::string describe(const Stream& s) {
    if (s.closed()) return "<heald.Stream, closed>";
    return "<heald.Stream of " + s.device().name() + (s.is_default() ? ", default>" : ">");
}

}  // namespace

void init_stream(nb::module_& m) {
    nb::class_<Stream>(
        m, "Stream", nb::is_weak_referenceable(),
        "An ordered queue of work on one device.\n\n"
        "Stream(device=None, priority=0, blocking=False): lower priorities run first; `blocking`\n"
        "orders it with the GPU's legacy default stream. `with stream:` makes it the thread's\n"
        "current stream and does not close it.\n\n"
        ">>> stream = hd.Stream()\n"
        ">>> with stream:\n"
        "...     x = hd.zeros(1000)\n"
        ">>> stream.synchronize()\n")
        .def(
            "__init__",
            [](Stream* self, nb::handle device, int priority, bool blocking) {
                new (self)
                    Stream(device_argument(device, "Stream"), StreamOptions{priority, blocking});
            },
            nb::arg("device") = nb::none(), nb::arg("priority") = 0, nb::arg("blocking") = false)
        .def_static("current", &Stream::current,
                    "The innermost `with stream:` of this thread, else the current device's "
                    "default stream.")
        .def_static(
            "from_handle",
            [](std::uintptr_t handle, nb::handle device) {
                return Stream::from_handle(device_argument(device, "Stream.from_handle"), handle);
            },
            nb::arg("handle"), nb::arg("device") = nb::none(),
            "Wraps a CUstream of another library; never destroys it.")
        .def_prop_ro("device", &Stream::device)
        .def_prop_ro("is_default", &Stream::is_default)
        .def_prop_ro("handle", &Stream::handle, "CUstream; on a CPU an opaque number")
        .def_prop_ro("priority", &Stream::priority)
        .def_prop_ro("done", &Stream::done, "Whether everything enqueued so far has run.")
        .def_prop_ro("closed", &Stream::closed)
        .def(
            "synchronize", [](const Stream& s) { wait_for(s); },
            "Waits until everything enqueued so far is done; raises what failed in it. Ctrl-C "
            "ends the wait, and on a CPU the work.")
        .def("wait", wait_on, nb::arg("event_or_stream"),
             "Work enqueued later starts after the event, or after all work now in the other "
             "stream; either may belong to another device.")
        .def("record", record, nb::arg("event") = nb::none(), nb::arg("timing") = false,
             "Records `event`, or a new one, here and returns it.")
        .def("host_function", add_host_function, nb::arg("function"), nb::arg("args"),
             "Runs function(*args) on a thread of heald's once earlier work is done; later work "
             "waits for it. It must not call the device. What it raises is raised at the next "
             "synchronisation.")
        .def("cancel", &Stream::cancel, nb::call_guard<GilRelease>(),
             "Drops queued work that has not started and asks running CPU kernels to stop. A CUDA "
             "stream cannot be cancelled: UnavailableError.")
        .def("close", &Stream::close, "Later use raises ClosedError; queued work goes on.")
        .def("__cuda_stream__",
             [](const Stream& s) {
                 if (s.device().kind() != DeviceKind::cuda)
                     throw Error(ErrorKind::unavailable,
                                 "[Stream.__cuda_stream__] device cpu has no CUDA stream");
                 return nb::make_tuple(0, s.handle());
             })
        .def("__enter__",
             [](nb::object self) {
                 enter_stream(nb::cast<Stream&>(self));
                 return self;
             })
        .def("__exit__", [](const Stream&, nb::args) { leave_scope(); })
        .def(
            "__eq__",
            [](const Stream& a, nb::handle b) {
                return nb::isinstance<Stream>(b) && a == nb::cast<Stream&>(b);
            },
            nb::arg().none())
        .def("__hash__", [](const Stream& s) { return std::hash<void*>()(s.shared_state().get()); })
        .def("__repr__", describe);
}

}  // namespace heald::python
