#include "src/base/log.hpp"

#include <heald/settings.hpp>

#include "src/base/check.hpp"
#include "src/base/settings.hpp"

#include <unistd.h>
#include <array>
#include <ctime>
#include <utility>

namespace heald {
namespace {

std::atomic<void (*)(const char*)> warning_handler{nullptr};

constexpr std::array<std::string_view, 5> level_names{"off", "error", "warning", "info", "debug"};

LogLevel level_from_environment() noexcept {
    const std::string value = setting_or(Setting::log, "warning");
    for (std::size_t i = 0; i < level_names.size(); ++i)
        if (value == level_names[i]) return static_cast<LogLevel>(i);
    return LogLevel::warning;
}

}  // namespace

LogLevel log_level() noexcept {
    static const LogLevel level = level_from_environment();
    return level;
}

void write_log(LogLevel level, std::string_view message) noexcept {
    try {
        timespec now{};
        clock_gettime(CLOCK_REALTIME, &now);
        tm parts{};
        gmtime_r(&now.tv_sec, &parts);
        std::array<char, 32> time;
        const std::size_t length = strftime(time.data(), time.size(), "%H:%M:%S", &parts);
        const std::string line =
            text("heald ", std::string_view(time.data(), length), " ",
                 level_names[static_cast<std::size_t>(level)], ": ", message, "\n");
        // One write call: lines of several threads do not mix. Failure to log is not an error.
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
    } catch (...) {  // NOLINT(bugprone-empty-catch): no memory for a log line
    }
}

void warn(std::string_view message) noexcept {
    try {
        if (auto* handler = warning_handler.load(std::memory_order_acquire)) {
            handler(std::string(message).c_str());
        } else {
            log(LogLevel::warning, message);
        }
    } catch (...) {  // NOLINT(bugprone-empty-catch): no memory for a warning
    }
}

void set_warning_handler(void (*handler)(const char* message)) noexcept {
    warning_handler.store(handler, std::memory_order_release);
}

void warn_of_exception(std::string_view operation, std::exception_ptr error) noexcept {
    try {
        std::rethrow_exception(std::move(error));
    } catch (const std::exception& caught) {
        try {
            warn(text("[", operation, "] ", caught.what()));
        } catch (...) {
            warn("an operation failed, and there is no memory to say which");
        }
    } catch (...) {
        warn(operation);
    }
}

}  // namespace heald
