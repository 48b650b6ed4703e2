#pragma once

// nvJitLink's ABI, declared by heald, and the library opened at run time.
// tests/cpp/cuda/check_nvjitlink_abi.cpp compares it with the real header where that is installed.

#include "src/base/library.hpp"
#include "src/jit/nvrtc/linker.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace heald::nvrtc::nvjitlink {

using Handle = struct Opaque*;

enum class Result : int { success = 0 };
enum class Input : int { none = 0, cubin = 1, ptx = 2, ltoir = 3 };

#define HEALD_NVJITLINK_SYMBOLS(X)                                                    \
    X(nvJitLinkCreate, Result(Handle*, std::uint32_t, const char**))                  \
    X(nvJitLinkDestroy, Result(Handle*))                                              \
    X(nvJitLinkAddData, Result(Handle, Input, const void*, std::size_t, const char*)) \
    X(nvJitLinkComplete, Result(Handle))                                              \
    X(nvJitLinkGetLinkedCubinSize, Result(Handle, std::size_t*))                      \
    X(nvJitLinkGetLinkedCubin, Result(Handle, void*))                                 \
    X(nvJitLinkGetLinkedPtxSize, Result(Handle, std::size_t*))                        \
    X(nvJitLinkGetLinkedPtx, Result(Handle, char*))                                   \
    X(nvJitLinkGetErrorLogSize, Result(Handle, std::size_t*))                         \
    X(nvJitLinkGetErrorLog, Result(Handle, char*))                                    \
    X(nvJitLinkGetInfoLogSize, Result(Handle, std::size_t*))                          \
    X(nvJitLinkGetInfoLog, Result(Handle, char*))                                     \
    X(nvJitLinkVersion, Result(unsigned*, unsigned*))

Library& library();

/// True if it is there and has every function that heald calls; otherwise `why` says what is wrong.
[[nodiscard]] bool usable(std::string& why);

/// "13.0"; "" if it is not usable.
[[nodiscard]] std::string version();

/// Throws CompileError. Only if usable.
[[nodiscard]] LinkResult link(const LinkJob& job);

}  // namespace heald::nvrtc::nvjitlink
