#pragma once

#include <heald/doctor.hpp>

#include "src/base/settings.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heald {

/// A library that is opened at run time: what it is called and where it may be.
struct LibrarySpec {
    std::string name;                     ///< for people: "NVRTC"
    std::string purpose;                  ///< "compiles CUDA C++ for the GPU"
    std::vector<std::string> sonames;     ///< best first: "libnvrtc.so.13", "libnvrtc.so.12"
    std::optional<Setting> path_setting;  ///< a file or folder that the user insists on
    /// Folders under a package folder, such as "nvidia/cu13/lib"; one '*' stands for any name.
    std::vector<std::string> package_folders;
    std::string remedy;         ///< "pip install nvidia-cuda-nvrtc"
    bool beside_heald = false;  ///< look in libheald.so's own folder too
    bool only_system = false;   ///< the system's loader path only (a driver)
    std::string must_define;    ///< a symbol without which a file is not this library; "": any
};

/// Opens a library once, at the first need, from whichever thread comes first; never closes it.
class Library {
public:
    explicit Library(LibrarySpec spec) : spec_(std::move(spec)) {}
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    /// Opens it if that was not tried yet.
    [[nodiscard]] bool available();

    /// Throws Error(unavailable) that says what was looked for, where, and how to get it.
    void require(const std::string& operation);

    /// The address of a symbol; null if the library lacks it or is not there.
    [[nodiscard]] void* symbol(const char* name);

    template <class Function>
    [[nodiscard]] Function function(const char* name) {
        return reinterpret_cast<Function>(symbol(name));
    }

    /// The address of a function that the library must have. Throws Error(unavailable), too_old().
    template <class Function>
    void look_up(Function& function_, const char* name) {
        function_ = function<Function>(name);
        if (function_ == nullptr) fail_too_old(name);
    }
    /// What to say of a library that lacks a symbol.
    [[nodiscard]] std::string too_old(std::string_view symbol);

    [[nodiscard]] const std::string& path();  ///< "" if not found
    [[nodiscard]] const LibrarySpec& spec() const noexcept { return spec_; }
    [[nodiscard]] std::string why_missing();  ///< "" if found

    /// Everything but the version, which the caller asks the library for.
    [[nodiscard]] LibraryReport report();

private:
    [[noreturn]] void fail_too_old(const char* symbol);
    void open_once();
    bool try_open(const std::string& file, bool only_if_loaded);
    bool try_folder(const std::string& folder);
    bool try_place(const std::string& place);
    void search();

    LibrarySpec spec_;
    std::once_flag once_;
    void* handle_ = nullptr;
    std::string path_;
    std::vector<std::string> tried_;
    std::string first_failure_;  ///< of a file that exists and could not be opened
};

/// Folders that packages are searched in (set_package_folders).
[[nodiscard]] std::vector<std::string> package_folders();

/// The folder of libheald.so, or of the program that holds it.
[[nodiscard]] std::string own_folder();

}  // namespace heald
