#pragma once

// The file system that clang sees: the source, the user's headers and heald's headers in memory,
// on top of the disk.

#include "src/jit/cpu/plugin.hpp"

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <string>
#include <string_view>

namespace heald::cpu {

inline constexpr std::string_view source_root = "/heald/source";
inline constexpr std::string_view user_header_root = "/heald/headers";
inline constexpr std::string_view device_root = "/heald/device";
inline constexpr std::string_view standalone_root = "/heald/std";
/// The lines that include the prelude; a PCH is made of each. The second has the 16-bit floats too.
inline constexpr std::string_view prelude_path = "/heald/prelude.h";
inline constexpr std::string_view half_prelude_path = "/heald/prelude_half.h";
inline constexpr std::string_view precompiled_path = "/heald/prelude.pch";
inline constexpr std::string_view defines_path = "/heald/defines.h";

struct VirtualFiles {
    std::string_view main_text;    ///< with the name expressions
    std::string_view defines;      ///< #define lines
    std::string_view precompiled;  ///< the PCH, or empty
};

/// All texts must outlive the file system.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> make_file_system(const CompileInput& input,
                                                                 const VirtualFiles& files);

/// A path as the user knows it: heald's roots removed.
std::string user_path(std::string_view path);

/// True for files of heald's own that a user never wrote.
bool is_internal_path(std::string_view path);

}  // namespace heald::cpu
