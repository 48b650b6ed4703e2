#pragma once

#include "src/base/text.hpp"

#include <atomic>
#include <string_view>

namespace heald {

enum class LogLevel : int { off, error, warning, info, debug };

/// What HEALD_LOG asks for; `warning` if it does not say.
[[nodiscard]] LogLevel log_level() noexcept;

/// One line on standard error, whole even when several threads write.
void write_log(LogLevel level, std::string_view message) noexcept;

template <class... Parts>
void log(LogLevel level, const Parts&... parts) {
    if (level <= log_level()) [[unlikely]]
        write_log(level, text(parts...));
}

/// Tells the user: through the warning handler (include/heald/settings.hpp) or the log.
void warn(std::string_view message) noexcept;

/// `warn` the first time only.
class WarnOnce {
public:
    template <class... Parts>
    void operator()(const Parts&... parts) noexcept {
        if (!done_.exchange(true, std::memory_order_relaxed)) warn(text(parts...));
    }

private:
    std::atomic<bool> done_{false};
};

}  // namespace heald
