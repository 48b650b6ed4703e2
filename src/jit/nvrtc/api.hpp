#pragma once

// NVRTC's ABI, declared by heald, and the library opened at run time.
// tests/cpp/cuda/check_nvrtc_abi.cpp compares it with the real nvrtc.h where that is installed.

#include "src/base/library.hpp"

#include <cstddef>
#include <string>
#include <type_traits>

namespace heald::nvrtc {

using ProgramHandle = struct ProgramOpaque*;

enum class Result : int {
    success = 0,
    out_of_memory = 1,
    program_creation_failure = 2,
    invalid_input = 3,
    invalid_program = 4,
    invalid_option = 5,
    compilation = 6,
    builtin_operation_failure = 7,
    name_expression_not_valid = 10,
    internal_error = 11,
};

/// X(exported name, signature). All but the optional ones have been in NVRTC since CUDA 11.
#define HEALD_NVRTC_SYMBOLS(X)                                                  \
    X(nvrtcVersion, Result(int*, int*))                                         \
    X(nvrtcGetErrorString, const char*(Result))                                 \
    X(nvrtcCreateProgram, Result(ProgramHandle*, const char*, const char*, int, \
                                 const char* const*, const char* const*))       \
    X(nvrtcDestroyProgram, Result(ProgramHandle*))                              \
    X(nvrtcAddNameExpression, Result(ProgramHandle, const char*))               \
    X(nvrtcCompileProgram, Result(ProgramHandle, int, const char* const*))      \
    X(nvrtcGetLoweredName, Result(ProgramHandle, const char*, const char**))    \
    X(nvrtcGetProgramLogSize, Result(ProgramHandle, std::size_t*))              \
    X(nvrtcGetProgramLog, Result(ProgramHandle, char*))                         \
    X(nvrtcGetPTXSize, Result(ProgramHandle, std::size_t*))                     \
    X(nvrtcGetPTX, Result(ProgramHandle, char*))

/// May be missing: what needs them says so.
#define HEALD_NVRTC_OPTIONAL_SYMBOLS(X)                       \
    X(nvrtcGetNumSupportedArchs, Result(int*))                \
    X(nvrtcGetSupportedArchs, Result(int*))                   \
    X(nvrtcGetCUBINSize, Result(ProgramHandle, std::size_t*)) \
    X(nvrtcGetCUBIN, Result(ProgramHandle, char*))            \
    X(nvrtcGetLTOIRSize, Result(ProgramHandle, std::size_t*)) \
    X(nvrtcGetLTOIR, Result(ProgramHandle, char*))

struct Api {
#define HEALD_MEMBER(name, ...) std::add_pointer_t<__VA_ARGS__> name = nullptr;
    HEALD_NVRTC_SYMBOLS(HEALD_MEMBER)
    HEALD_NVRTC_OPTIONAL_SYMBOLS(HEALD_MEMBER)
#undef HEALD_MEMBER
    int major = 0;
    int minor = 0;
    std::vector<int> architectures;  ///< that it compiles for: 75, 80, 90, …; empty: it cannot say
};

/// libnvrtc, not opened before it is asked for something.
Library& library();

/// The entry points. Throws Error(unavailable) if there is no NVRTC or it is too old.
const Api& api(const std::string& operation);

/// Throws if a call other than compilation failed.
void check(Result result, const char* call);

}  // namespace heald::nvrtc
