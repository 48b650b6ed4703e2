#include "python/src/kernel.hpp"

#include "python/src/current_stream.hpp"
#include "python/src/gil.hpp"
#include "python/src/launch_site.hpp"
#include "python/src/signature.hpp"
#include "python/src/wait.hpp"

#include <heald/error.hpp>

#include <optional>

namespace heald::python {

namespace {

/// The stream of a launch; copies none if an hd.Stream was given.
class LaunchStream {
public:
    LaunchStream(PyObject* stream, const Device& device) {
        if (stream && Py_TYPE(stream) == stream_type() && nb::inst_ready(stream)) {
            stream_ = nb::inst_ptr<Stream>(nb::handle(stream));
        } else {
            own_.emplace(stream_argument(stream, device, "Kernel.launch"));
            stream_ = &*own_;
        }
    }
    [[nodiscard]] const Stream& get() const noexcept { return *stream_; }

private:
    static PyTypeObject* stream_type() {
        static auto* type = reinterpret_cast<PyTypeObject*>(nb::type<Stream>().ptr());
        return type;
    }

    std::optional<Stream> own_;
    const Stream* stream_ = nullptr;
};

// A signature given by the user must fit the sizes that the driver knows.
void check_sizes(const std::string& name, const Signature& given, const Signature& known) {
    bool fits = given.parameters.size() == known.parameters.size();
    for (std::size_t i = 0; fits && i < known.parameters.size(); ++i)
        fits = given.parameters[i].size == known.parameters[i].size;
    if (!fits)
        throw Error(ErrorKind::invalid_value, "[Kernel] the signature " + to_string(given) +
                                                  " does not fit '" + name + "' " +
                                                  to_string(known));
}

}  // namespace

KernelData load_kernel(const DeviceCode& code, const std::string& name, nb::handle device,
                       nb::handle signature) {
    const Device on = code.device_for(device, "Kernel");
    Kernel kernel = [&] {
        const GilRelease unlocked;
        return code.code.get_kernel(name, on);
    }();
    Signature known = kernel.signature();
    if (signature.is_valid() && !signature.is_none()) {
        Signature given = signature_argument(signature);
        check_sizes(kernel.name(), given, known);
        known = std::move(given);
    }
    ArgumentPlan plan(kernel.name(), std::move(known), kernel.device());
    return {std::move(kernel), std::move(plan)};
}

void launch_kernel(KernelData& data, const LaunchConfig& config, PyObject* stream,
                   PyObject* const* arguments, std::size_t count) {
    const LaunchStream on(stream, data.plan.device);
    ArgumentPack pack(data.plan, on.get());
    pack.fill(arguments, count);
    const LaunchSite site = launch_site();
    {
        // A full queue blocks, and a small kernel may run right here.
        const GilRelease unlocked;
        data.kernel.launch_packed(config, on.get(), pack.packed(), site);
    }
    if (pack.must_wait()) {
        wait_for(on.get());
        pack.finish();
    }
}

BoundData bind_kernel(KernelData& data, const LaunchConfig& config, PyObject* stream,
                      PyObject* const* arguments, std::size_t count) {
    const LaunchStream on(stream, data.plan.device);
    ArgumentPack pack(data.plan, on.get());
    pack.keep_all();
    pack.fill(arguments, count);
    if (pack.must_wait())
        throw Error(ErrorKind::invalid_value,
                    "[Kernel.bind] hd.Out and hd.InOut are copied at a launch and cannot be bound: "
                    "pass an hd.Array or hd.Buffer");
    BoundLaunch bound =
        data.kernel.bind_packed(config, on.get(), pack.packed(), pack.take_kept(), launch_site());
    return {std::move(bound), data.plan.name};
}

}  // namespace heald::python
