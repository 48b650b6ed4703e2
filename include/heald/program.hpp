#pragma once

#include <heald/device.hpp>
#include <heald/error.hpp>
#include <heald/export.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heald {

class Kernel;
class Buffer;

namespace core {
class CodeState;
struct CodeData;
}  // namespace core

/// How a source is compiled. The same options mean the same on every device; one that a device
/// cannot honour is an error that says so.
struct ProgramOptions {
    std::string standard = "c++20";
    std::vector<std::string> include_paths;
    std::vector<std::pair<std::string, std::string>> headers;  ///< name and text, found first
    std::vector<std::string> defines;                          ///< "NAME" or "NAME=value"
    std::vector<std::string> undefines;
    std::optional<std::string> architecture;  ///< "sm_90", "x86-64-v3"; default: the device's own
    bool fast_math = false;  ///< approximate functions and division, flushed denormals
    bool contract = true;    ///< a * b + c may become one fma
    bool debug = false;      ///< for cuda-gdb and gdb
    bool line_info = false;  ///< for profilers
    bool warnings_as_errors = false;
    bool relocatable = false;  ///< device code for the Linker: may refer to other object codes
    std::optional<int> max_registers;  ///< GPU; ignored on a CPU
    std::vector<std::string> extra;    ///< passed to the GPU's compiler as they are
    bool use_cache = true;
};

/// Code for one device architecture, loaded on a device when a kernel is first asked for.
class HEALD_API ObjectCode {
public:
    ObjectCode() = default;

    /// cubin, PTX, LTO-IR or heald's CPU code, found by its contents.
    static ObjectCode from_bytes(std::string bytes, std::string name = "");
    static ObjectCode from_file(const std::string& path);

    [[nodiscard]] const std::string& bytes() const;
    [[nodiscard]] std::string format() const;  ///< "cubin", "ptx", "ltoir", "cpu"
    [[nodiscard]] std::string name() const;
    [[nodiscard]] std::string log() const;  ///< what the compiler said, warnings included
    [[nodiscard]] const std::vector<Diagnostic>& warnings() const;

    /// Names of the kernels that get_kernel takes, as far as they are known without loading.
    [[nodiscard]] std::vector<std::string> kernel_names() const;

    /// A kernel by its plain name, its mangled name, or a name expression such as
    /// "scale<float, 4>". An instance that was not named at compile time is compiled now if that is
    /// safe (no mutable globals, source at hand). Error(not_found) suggests near names.
    [[nodiscard]] Kernel get_kernel(const std::string& name, const Device& device = Device()) const;

    /// The memory of a `__device__` or `__constant__` variable on `device`.
    [[nodiscard]] Buffer get_global(const std::string& name, const Device& device = Device()) const;

    void close();
    [[nodiscard]] bool closed() const noexcept;

    explicit ObjectCode(std::shared_ptr<core::CodeState> state) : state_(std::move(state)) {}
    [[nodiscard]] core::CodeState& state() const;  ///< throws Error(closed)
    [[nodiscard]] const std::shared_ptr<core::CodeState>& shared_state() const noexcept {
        return state_;
    }

private:
    std::shared_ptr<core::CodeState> state_;
};

/// CUDA C++ source, compiled at run time for a device.
class HEALD_API Program {
public:
    explicit Program(std::string source, std::string name = "kernel.cu",
                     ProgramOptions options = {}, const Device& device = Device());

    /// `target`: "" for what the device loads, else "cubin", "ptx" or "ltoir" (GPU) or "cpu".
    /// `names`: template instances and kernels wanted by name expression.
    /// Throws CompileError.
    [[nodiscard]] ObjectCode compile(const std::string& target = "",
                                     const std::vector<std::string>& names = {}) const;

    [[nodiscard]] const std::string& source() const noexcept { return source_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const ProgramOptions& options() const noexcept { return options_; }
    [[nodiscard]] const Device& device() const noexcept { return device_; }

private:
    std::string source_;
    std::string name_;
    ProgramOptions options_;
    Device device_;
};

/// Joins object codes compiled with `relocatable` into one.
class HEALD_API Linker {
public:
    explicit Linker(std::vector<ObjectCode> inputs, ProgramOptions options = {},
                    const Device& device = Device());

    [[nodiscard]] ObjectCode link(const std::string& target = "") const;

private:
    std::vector<ObjectCode> inputs_;
    ProgramOptions options_;
    Device device_;
};

/// Counters of the compile cache since the process started.
struct CacheStatistics {
    std::uint64_t memory_hits = 0;
    std::uint64_t disk_hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t stores = 0;
    std::uint64_t rejected = 0;  ///< damaged or foreign files that were not read
};
HEALD_API CacheStatistics compile_cache_statistics();
HEALD_API std::string compile_cache_directory();
HEALD_API void clear_compile_cache();

}  // namespace heald
