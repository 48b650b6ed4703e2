#pragma once

// What clang is told: the cc1 arguments of a compile, and where the C++ library's headers are.

#include "src/jit/cpu/plugin.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heald::cpu {

/// Folders of libstdc++ and libc, found once. Empty when no C++ library is installed.
struct SystemHeaders {
    std::vector<std::string> cxx;  ///< libstdc++, and the compiler's own headers last
    std::vector<std::string> c;
    std::string stamp;  ///< a file that changes with the library's version
    [[nodiscard]] bool present() const { return !cxx.empty(); }
};
const SystemHeaders& system_headers();

/// What both the prelude and the source are parsed with; they must agree for a PCH to be usable.
struct ParseMode {
    std::string standard = "c++20";
    bool fast_math = false;
    bool contract = true;
    bool system_headers = false;
    bool short_floats = false;  ///< the source includes cuda_fp16.h or cuda_bf16.h

    /// The header that is included first, or its PCH.
    [[nodiscard]] std::string_view prelude() const;
    /// Tells apart modes whose preludes differ.
    [[nodiscard]] std::string key() const;
};

/// Throws CompileError for an unknown standard.
ParseMode parse_mode(const CompileInput& input, bool with_system_headers);

/// Arguments common to the prelude and the source.
std::vector<std::string> mode_arguments(const ParseMode& mode);

/// The rest, for the source. `precompiled`: the prelude comes from a PCH.
std::vector<std::string> source_arguments(const CompileInput& input, const ParseMode& mode,
                                          bool precompiled);

/// `#define` and `#undef` lines for the macros of `input`.
std::string define_lines(const CompileInput& input);

}  // namespace heald::cpu
