// What `heald doctor` says of the CUDA libraries.

#include "src/backend/cuda/backend.hpp"
#include "src/base/check.hpp"
#include "src/jit/nvrtc/api.hpp"
#include "src/jit/nvrtc/include_folders.hpp"
#include "src/jit/nvrtc/nvjitlink.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace heald::cuda {
namespace {

/// Libraries that heald only opens for particular work: the report looks for them.
struct Row {
    const char* name;
    const char* purpose;
    std::array<const char*, 3> sonames;
    const char* package_folder;
    const char* remedy;
};

constexpr Row optional_libraries[] = {
    {"cuBLASLt",
     "matrix products",
     {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"},
     "nvidia/cublas/lib",
     "pip install nvidia-cublas"},
    {"cuFFT",
     "Fourier transforms",
     {"libcufft.so.12", "libcufft.so.11", "libcufft.so"},
     "nvidia/cufft/lib",
     "pip install nvidia-cufft"},
    {"cuSOLVER",
     "linear algebra",
     {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"},
     "nvidia/cusolver/lib",
     "pip install nvidia-cusolver"},
    {"NCCL",
     "exchange between GPUs",
     {"libnccl.so.2", "libnccl.so", "libnccl.so"},
     "nvidia/nccl/lib",
     "pip install nvidia-nccl-cu13"},
};

std::string version_text(int version) {
    return text(version / 1000, ".", version % 1000 / 10);
}

LibraryReport report_driver() {
    LibraryReport report = driver::library().report();
    report.required = true;
    int version = 0;
    if (driver::api().cuDriverGetVersion(&version) == driver::Result::success)
        report.version = text("CUDA ", version_text(version));
    return report;
}

LibraryReport report_nvrtc(const std::string& architecture) {
    LibraryReport report = nvrtc::library().report();
    report.required = true;
    if (!report.found) return report;
    try {
        const nvrtc::Api& api = nvrtc::api("doctor");
        report.version = text(api.major, ".", api.minor);
        const std::string number = architecture.substr(architecture.find('_') + 1);
        const bool knows = api.architectures.empty() ||
                           std::any_of(api.architectures.begin(), api.architectures.end(),
                                       [&](int a) { return std::to_string(a) == number; });
        if (!knows) report.remedy = nvrtc::library().spec().remedy;
    } catch (const Error& error) {
        report.found = false;
        report.tried.emplace_back(error.what());
        report.remedy = nvrtc::library().spec().remedy;
    }
    return report;
}

LibraryReport report_headers() {
    LibraryReport report;
    report.name = "CUDA headers";
    report.purpose = "cuda_fp16.h, cooperative_groups.h, CCCL in GPU kernels";
    const auto& folders = nvrtc::cuda_include_folders();
    report.found = !folders.empty();
    report.path = join(folders, ":");
    if (folders.empty()) report.remedy = "pip install nvidia-cuda-runtime nvidia-cuda-cccl";
    return report;
}

LibraryReport report_nvjitlink() {
    LibraryReport report = nvrtc::nvjitlink::library().report();
    std::string why;
    report.version = nvrtc::nvjitlink::version();
    if (report.found && !nvrtc::nvjitlink::usable(why)) {
        report.remedy = nvrtc::nvjitlink::library().spec().remedy;
        report.tried.push_back(why);
    }
    return report;
}

LibraryReport report_optional(const Row& row) {
    LibrarySpec spec;
    spec.name = row.name;
    spec.purpose = row.purpose;
    spec.sonames.assign(row.sonames.begin(), row.sonames.end());
    spec.package_folders = {"nvidia/cu13/lib", row.package_folder};
    spec.remedy = row.remedy;
    LibraryReport report = Library(spec).report();
    // These libraries carry their version in the file's name.
    std::error_code ignored;
    const std::string file = std::filesystem::weakly_canonical(report.path, ignored).string();
    if (const auto suffix = file.rfind(".so."); report.found && suffix != std::string::npos)
        report.version = file.substr(suffix + 4);
    return report;
}

}  // namespace

void Backend::report(DoctorReport& report) {
    report.libraries.push_back(report_driver());
    report.libraries.push_back(report_nvrtc(properties_.architecture));
    report.libraries.push_back(report_headers());
    report.libraries.push_back(report_nvjitlink());
    for (const Row& row : optional_libraries) report.libraries.push_back(report_optional(row));
    if (context_->faulted())
        report.problems.push_back(text(context_->name(),
                                       ": its CUDA context is lost after a fault "
                                       "of a kernel; start a new process"));
}

}  // namespace heald::cuda
