#pragma once

// Source and code as they pass between Program, the compile cache and the backends.

#include <heald/error.hpp>
#include <heald/program.hpp>
#include <heald/signature.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heald::core {

/// One compilation.
struct CompileRequest {
    std::string source;
    std::string name;
    ProgramOptions options;
    std::string target;              ///< "", "cubin", "ptx", "ltoir", "cpu"
    std::vector<std::string> names;  ///< name expressions
};

/// A kernel as the compiler reported it.
struct KernelSymbol {
    std::string lowered;     ///< mangled name, or the plain name of an extern "C" kernel
    std::string display;     ///< "ns::scale<float, 4>"
    std::string expression;  ///< as asked for in `names`, else ""
    Signature signature;
    bool has_signature = true;
};

/// A `__device__` or `__constant__` variable as the compiler reported it.
struct VariableSymbol {
    std::string lowered;
    std::string display;
    bool is_constant = false;
};

/// The first bytes of CodeData::bytes in format "cpu".
inline constexpr std::string_view cpu_code_magic = "HEALDCPU";

/// What a compilation gives: contents and facts of an ObjectCode. Serialised into the disk cache by
/// src/jit/code_file.hpp.
struct CodeData {
    DeviceKind kind = DeviceKind::cpu;
    std::string format;  ///< "cubin", "ptx", "ltoir", "cpu"
    std::string name;
    std::string bytes;
    std::vector<KernelSymbol> kernels;
    std::vector<VariableSymbol> variables;
    std::vector<std::string> dependencies;  ///< included files, absolute paths
    std::vector<Diagnostic> warnings;
    std::string log;
    bool symbols_complete = false;     ///< `kernels` lists every kernel of the code
    bool has_mutable_globals = false;  ///< instances compiled later would not share them
};

}  // namespace heald::core
