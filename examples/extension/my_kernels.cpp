// An extension module of one's own on top of heald: takes an hd.Array, launches a kernel on the
// current stream without the GIL, and returns a new hd.Array that is not waited for.

#include <heald/heald.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <map>
#include <mutex>

namespace nb = nanobind;

namespace {

constexpr const char* source = R"(
extern "C" __global__ void smooth(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float left = in[i > 0 ? i - 1 : 0], right = in[i + 1 < n ? i + 1 : n - 1];
    out[i] = 0.25f * left + 0.5f * in[i] + 0.25f * right;
})";

/// Compiled at the first use on each device; later from memory.
heald::Kernel smooth_kernel(const heald::Device& device) {
    static std::mutex mutex;
    static std::map<std::string, heald::Kernel> kernels;
    const std::lock_guard lock(mutex);
    auto& kernel = kernels[device.name()];
    if (kernel.closed())
        kernel =
            heald::Program(source, "smooth.cu", {}, device).compile().get_kernel("smooth", device);
    return kernel;
}

heald::Array smooth(const heald::Array& in) {
    if (in.dtype() != heald::DType::float32 || in.ndim() != 1 || !in.is_c_contiguous())
        throw heald::Error(heald::ErrorKind::type_mismatch,
                           "[smooth] argument 1 'in' must be a contiguous float32 vector");
    const heald::Stream stream = heald::Stream::current();
    const heald::Array out(in.shape(), in.dtype(), stream);
    const int n = static_cast<int>(in.size());
    const heald::Buffer source_memory = in.buffer().slice(in.offset(), in.nbytes());
    smooth_kernel(in.device())({(n + 255u) / 256u, 256}, stream, source_memory, out.buffer(), n);
    return out;
}

}  // namespace

NB_MODULE(my_kernels, m) {
    nb::module_::import_("heald");  // its types are the ones used here
    m.def("smooth", &smooth, nb::arg("in"), nb::call_guard<nb::gil_scoped_release>(),
          "The vector smoothed with weights 1/4, 1/2, 1/4. Enqueued on the current stream.");
}
