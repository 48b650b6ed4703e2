#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heald {

/// Every environment variable that heald reads, one row each in settings.cpp.
enum class Setting : std::uint8_t {
    device,
    log,
    cache,
    cache_dir,
    cache_size,
    launch_blocking,
    launch_path,
    cpu_target,
    num_threads,
    fusion,
    cpu_compiler_path,
    driver_path,
    nvrtc_path,
    nvjitlink_path,
    onednn_path,
    blas_path,
    cublaslt_path,
    fft_path,
    cufft_path,
    fft_planning,
    count,
};

/// The variable's name, "HEALD_DEVICE".
[[nodiscard]] const char* name_of(Setting setting) noexcept;

/// Its value now; nullopt if it is unset or empty.
[[nodiscard]] std::optional<std::string> setting(Setting setting);
[[nodiscard]] std::string setting_or(Setting setting, std::string_view fallback);

/// "1", "on", "true", "yes" or their contraries; anything else warns and is the fallback.
[[nodiscard]] bool setting_flag(Setting setting, bool fallback);

/// "1073741824", "512 MiB", "1GiB", "2g"; anything else warns and is the fallback.
[[nodiscard]] std::uint64_t setting_bytes(Setting setting, std::uint64_t fallback);

/// The size that such a text means; nullopt if it means none.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text) noexcept;

}  // namespace heald
