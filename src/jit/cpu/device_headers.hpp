#pragma once

// The headers that src/device/headers.txt lists, as text inside the plug-in, so that nothing on
// disk is read. Setting HEALD_DEVICE_HEADERS to a folder reads them from there instead, for work on
// the headers.

#include <string>
#include <string_view>
#include <vector>

namespace heald::cpu {

struct DeviceHeader {
    std::string_view name;  ///< as it is included
    std::string_view text;
    bool standalone = false;  ///< stands in for the C++ library where no system headers are used
};

/// Every header, in the order of names.
const std::vector<DeviceHeader>& device_headers();

/// Hash of the passes' sources and the headers.
std::string_view passes_hash();

/// The header that every source starts with.
inline constexpr const char* prelude_name = "heald_device.h";

}  // namespace heald::cpu
