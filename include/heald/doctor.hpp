#pragma once

#include <heald/export.hpp>

#include <string>
#include <vector>

namespace heald {

/// A library that heald opens at run time.
struct LibraryReport {
    std::string name;     ///< "NVRTC"
    std::string purpose;  ///< "compiles CUDA C++ for the GPU"
    bool found = false;
    std::string path;  ///< where it was found
    std::string version;
    std::vector<std::string> tried;  ///< names and folders that were looked at, in order
    std::string remedy;              ///< the command that would fix it, "" if nothing is wrong
    bool required = false;           ///< for a device that is present
};

struct DeviceReport {
    std::string name;  ///< "cuda:0"
    std::string model;
    bool usable = false;
    bool chosen = false;  ///< the default device
    std::string reason;   ///< why it is (not) usable or chosen
};

struct DoctorReport {
    std::string heald_version;
    std::vector<DeviceReport> devices;
    std::vector<LibraryReport> libraries;
    std::vector<std::string> problems;  ///< each with its remedy; empty if all is well
    std::string cache_directory;
};

HEALD_API DoctorReport doctor();
HEALD_API std::string to_string(const DoctorReport& report);

}  // namespace heald
