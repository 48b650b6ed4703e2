#include "src/base/settings.hpp"

#include <heald/settings.hpp>

#include "src/base/log.hpp"
#include "src/base/text.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace heald {
namespace {

struct Row {
    Setting setting;
    const char* name;
    const char* fallback;
    const char* meaning;
};

constexpr std::array<Row, static_cast<std::size_t>(Setting::count)> rows{{
    {Setting::device, "HEALD_DEVICE", "the first usable GPU, else cpu",
     "the default device: cpu, cuda or cuda:N"},
    {Setting::log, "HEALD_LOG", "warning",
     "what is written to standard error: off, error, warning, info or debug"},
    {Setting::cache, "HEALD_CACHE", "1", "0: compile without the disk cache"},
    {Setting::cache_dir, "HEALD_CACHE_DIR", "$XDG_CACHE_HOME/heald or ~/.cache/heald",
     "folder of the compile cache"},
    {Setting::cache_size, "HEALD_CACHE_SIZE", "1GiB",
     "size that the compile cache may take; least recently used entries go first"},
    {Setting::launch_blocking, "HEALD_LAUNCH_BLOCKING", "0",
     "1: every launch waits for its end, so that an error names the launch that failed"},
    {Setting::launch_path, "HEALD_LAUNCH_PATH", "auto",
     "how GPU launches go down: plain driver calls, graph (cached one-node graphs) or auto"},
    {Setting::cpu_target, "HEALD_CPU_TARGET", "this machine",
     "instruction set of CPU kernels: x86-64-v2, x86-64-v3 or x86-64-v4"},
    {Setting::num_threads, "HEALD_NUM_THREADS", "the processors that the process may use",
     "worker threads of the CPU device"},
    {Setting::fusion, "HEALD_FUSION", "eager",
     "eager: a new fused kernel is compiled in the background, while single operations answer; "
     "wait: it is compiled before it runs; off: only single operations run"},
    {Setting::cpu_compiler_path, "HEALD_CPU_COMPILER_PATH", "beside libheald.so",
     "the CPU kernel compiler, libheald_cpu_compiler.so: file or folder"},
    {Setting::driver_path, "HEALD_DRIVER_PATH", "the system's", "libcuda.so.1: file or folder"},
    {Setting::nvrtc_path, "HEALD_NVRTC_PATH", "pip, conda, toolkit or system",
     "libnvrtc.so: file or folder"},
    {Setting::nvjitlink_path, "HEALD_NVJITLINK_PATH", "pip, conda, toolkit or system",
     "libnvJitLink.so: file or folder"},
    {Setting::onednn_path, "HEALD_ONEDNN_PATH", "beside libheald.so",
     "products of matrices through oneDNN, libheald_onednn.so: file or folder"},
    {Setting::blas_path, "HEALD_BLAS_PATH", "NumPy's own OpenBLAS, else the system's",
     "a library with cblas_dgemm, such as libopenblas.so.0 or libmkl_rt.so.2: file or folder"},
    {Setting::cublaslt_path, "HEALD_CUBLASLT_PATH", "pip, conda, toolkit or system",
     "libcublasLt.so: file or folder"},
    {Setting::fft_path, "HEALD_FFT_PATH", "pip, conda or system",
     "library with the FFTW3 interface for the CPU: folder"},
    {Setting::cufft_path, "HEALD_CUFFT_PATH", "pip, conda, toolkit or system",
     "libcufft.so: file or folder"},
    {Setting::fft_planning, "HEALD_FFT_PLANNING", "auto",
     "plans of Fourier transforms on the CPU: estimate, measure, or auto (estimated, and measured "
     "once they are used often)"},
}};

constexpr bool rows_in_order() {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (static_cast<std::size_t>(rows[i].setting) != i) return false;
    return true;
}
static_assert(rows_in_order(), "one row per Setting, in the order of the enumeration");

const Row& row(Setting setting) noexcept {
    return rows[static_cast<std::size_t>(setting)];
}

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

}  // namespace

const char* name_of(Setting setting) noexcept {
    return row(setting).name;
}

std::optional<std::string> setting(Setting setting) {
    const char* value = std::getenv(row(setting).name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::string(value);
}

std::string setting_or(Setting which, std::string_view fallback) {
    auto value = setting(which);
    return value ? std::move(*value) : std::string(fallback);
}

bool setting_flag(Setting which, bool fallback) {
    const auto value = setting(which);
    if (!value) return fallback;
    const std::string word = lower(trimmed(*value));
    if (word == "1" || word == "on" || word == "true" || word == "yes") return true;
    if (word == "0" || word == "off" || word == "false" || word == "no") return false;
    warn(text(name_of(which), "=", *value, " is neither 1 nor 0: ignored"));
    return fallback;
}

std::optional<std::uint64_t> parse_bytes(std::string_view input) noexcept {
    const std::string_view number = trimmed(input);
    double value = 0;
    const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (status != std::errc{} || !(value >= 0)) return std::nullopt;
    std::string_view unit = trimmed(number.substr(static_cast<std::size_t>(end - number.data())));
    constexpr std::string_view letters = "kmgtpe";
    if (!unit.empty()) {
        const char first = static_cast<char>(std::tolower(static_cast<unsigned char>(unit[0])));
        if (const auto power = letters.find(first); power != std::string_view::npos) {
            value = std::ldexp(value, static_cast<int>(10 * (power + 1)));
            unit.remove_prefix(1);
            if (!unit.empty() && (unit[0] == 'i' || unit[0] == 'I')) unit.remove_prefix(1);
        }
        if (!unit.empty() && (unit[0] == 'b' || unit[0] == 'B')) unit.remove_prefix(1);
        if (!unit.empty()) return std::nullopt;
    }
    if (value >= 0x1p64) return std::nullopt;
    return static_cast<std::uint64_t>(value);
}

std::uint64_t setting_bytes(Setting which, std::uint64_t fallback) {
    const auto value = setting(which);
    if (!value) return fallback;
    if (const auto bytes = parse_bytes(*value)) return *bytes;
    warn(text(name_of(which), "=", *value, " is not a size such as 512MiB: ignored"));
    return fallback;
}

std::vector<SettingInfo> settings() {
    std::vector<SettingInfo> result;
    for (const Row& entry : rows)
        result.push_back(
            {entry.name, entry.meaning, entry.fallback, setting(entry.setting).value_or("")});
    return result;
}

}  // namespace heald
