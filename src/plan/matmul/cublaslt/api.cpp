#include "src/plan/matmul/cublaslt/api.hpp"

#include "src/base/text.hpp"

#include <memory>

namespace heald::cublaslt {

Library& library() {
    static Library& opened =
        *std::make_unique<Library>([] {
             LibrarySpec spec;
             spec.name = "cuBLASLt";
             spec.purpose = "products of matrices on the GPU";
             spec.sonames = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"};
             spec.path_setting = Setting::cublaslt_path;
             spec.package_folders = {"nvidia/cu13/lib", "nvidia/cublas/lib", "nvidia/*/lib"};
             spec.remedy =
                 "pip install nvidia-cublas (with pip's CUDA 12 packages: pip install "
                 "nvidia-cublas-cu12)";
             spec.must_define = "cublasLtMatmul";
             return spec;
         }())
             .release();
    return opened;
}

const Api& api() {
    static const Api& found = *[] {
        auto table = std::make_unique<Api>();
        Library& from = library();
#define HEALD_LOOK_UP(name, ...) table->name = from.function<decltype(table->name)>(#name);
        HEALD_CUBLASLT_SYMBOLS(HEALD_LOOK_UP)
#undef HEALD_LOOK_UP
        return table.release();
    }();
    return found;
}

std::string missing() {
    if (!library().available()) return library().why_missing();
#define HEALD_CHECK(name, ...) \
    if (api().name == nullptr) return text(library().path(), " is too old: it has no ", #name);
    HEALD_CUBLASLT_SYMBOLS(HEALD_CHECK)
#undef HEALD_CHECK
    return {};
}

std::string version_text() {
    const std::size_t version = api().cublasLtGetVersion();
    // 13.1.0 is 130100, 12.9.1 is 120901.
    return text("cuBLASLt ", version / 10000, ".", version / 100 % 100, ".", version % 100);
}

const char* name_of(Status status) noexcept {
    switch (status) {
        case Status::success:
            return "success";
        case Status::not_initialized:
            return "not initialised";
        case Status::alloc_failed:
            return "out of memory";
        case Status::invalid_value:
            return "invalid value";
        case Status::arch_mismatch:
            return "not on this GPU";
        case Status::execution_failed:
            return "execution failed";
        case Status::internal_error:
            return "internal error";
        default:
            return "not supported";
    }
}

}  // namespace heald::cublaslt
