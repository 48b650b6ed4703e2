#include "src/array/cub/cub_sort.cuh"

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace {

/// The driver's functions come from the driver itself: nothing links to it.
template <class Function>
Function driver_function(const char* name) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    const cudaError_t error = cudaGetDriverEntryPointByVersion(name, &function, 12000,
                                                               cudaEnableDefault, &found);
    return error == cudaSuccess && found == cudaDriverEntryPointSuccess
               ? reinterpret_cast<Function>(function)
               : nullptr;
}

/// Makes a device's context current while it lives.
class CurrentDevice {
public:
    explicit CurrentDevice(int device) {
        if (get_current() != nullptr) get_current()(&before_);
        error = cudaSetDevice(device);
    }
    ~CurrentDevice() {
        if (set_current() != nullptr) set_current()(before_);
    }
    CurrentDevice(const CurrentDevice&) = delete;
    CurrentDevice& operator=(const CurrentDevice&) = delete;

    cudaError_t error = cudaSuccess;

private:
    using Get = CUresult (*)(CUcontext*);
    using Set = CUresult (*)(CUcontext);
    static Get get_current() {
        static const Get function = driver_function<Get>("cuCtxGetCurrent");
        return function;
    }
    static Set set_current() {
        static const Set function = driver_function<Set>("cuCtxSetCurrent");
        return function;
    }

    CUcontext before_ = nullptr;
};

cudaError_t run(heald_cub_sort& sort) {
    using namespace heald::cub_sort;
    const bool wide_values = sort.value_bytes == 8;
    switch (sort.key) {
        case heald_cub_float32:
            return sort_float32(sort);
        case heald_cub_float64:
            return sort_float64(sort);
        case heald_cub_uint64:
            if (sort.value_bytes == 0) return sort_uint64(sort);
            return wide_values ? sort_pairs_64_64(sort) : sort_pairs_64_32(sort);
        default:
            if (sort.value_bytes == 0) return sort_uint32(sort);
            return wide_values ? sort_pairs_32_64(sort) : sort_pairs_32_32(sort);
    }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int heald_cub_get_version(void) {
    return heald_cub_version;
}

extern "C" __attribute__((visibility("default"))) int heald_cub_run(heald_cub_sort* sort) {
    const CurrentDevice current(sort->device);
    return static_cast<int>(current.error != cudaSuccess ? current.error : run(*sort));
}
