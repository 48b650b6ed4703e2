#pragma once

#include <heald/export.hpp>

#include <string>
#include <vector>

namespace heald {

/// An environment variable that heald reads.
struct SettingInfo {
    std::string name;  ///< "HEALD_DEVICE"
    std::string meaning;
    std::string fallback;  ///< what holds when it is not set
    std::string value;     ///< now; "" if not set
};

HEALD_API std::vector<SettingInfo> settings();

/// Folders in which packages with libraries may be installed, such as Python's site-packages;
/// searched before the system's places. Libraries that are open already stay.
HEALD_API void set_package_folders(std::vector<std::string> folders);

/// Takes warnings in place of standard error; null: standard error again. The handler may run on
/// any thread and while heald holds locks: it must neither call heald nor wait for a thread that
/// does.
HEALD_API void set_warning_handler(void (*handler)(const char* message)) noexcept;

}  // namespace heald
