#pragma once

// The interface of the CPU kernel compiler, a plug-in library (libheald_cpu_compiler.so) that the
// engine opens at the first compile. Nothing of LLVM or clang appears here.

#include <heald/error.hpp>
#include <heald/signature.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heald::cpu {

inline constexpr std::uint32_t compiler_abi_version = 3;

/// The machine that code is made for. Empty strings mean this host. HEALD_CPU_TARGET
/// ("x86-64-v2", "x86-64-v3", "x86-64-v4") overrides, so one machine can test all.
struct Target {
    std::string cpu;       ///< LLVM's name
    std::string features;  ///< "+avx2,+fma,…"
};

/// What the user asked for. Headers are served from memory first, then from `include_paths`.
struct CompileInput {
    std::string source;
    std::string name = "kernel.cu";                            ///< file name in diagnostics
    std::vector<std::pair<std::string, std::string>> headers;  ///< name, text
    std::vector<std::string> include_paths;
    std::vector<std::string> defines;  ///< "NAME" or "NAME=value"
    std::vector<std::string> undefines;
    std::vector<std::string> names;  ///< kernels wanted by name expression: "scale<float, 4>"
    std::string standard = "c++20";
    bool fast_math = false;  ///< __expf for expf, flush denormals, approximate division
    bool contract = true;    ///< a * b + c may become one fma, as nvcc does
    bool debug = false;
    bool line_info = false;
    bool warnings_as_errors = false;
    Target target;
};

/// One `__global__` function or template instance.
struct KernelRecord {
    std::string name;          ///< mangled; for extern "C" the plain name
    std::string display_name;  ///< "ns::scale<float, 4>"
    std::string expression;    ///< as asked for in `names`, else ""
    Signature signature;
    std::size_t static_shared_bytes = 0;
    std::uint32_t max_threads_per_block = 0;  ///< from __launch_bounds__; 0: none
    bool has_barrier = false;
    bool uses_warp = false;           ///< shuffles, votes: lanes per vector are 32
    bool has_unbounded_loop = false;  ///< some loop has no bound that the compiler knows
    bool has_dynamic_shared = false;
    bool has_yield_loop = false;     ///< a loop waits for other threads
    bool has_lane_yield = false;     ///< threads of one warp may wait for each other: lanes are 1
    bool calls_out_of_line = false;  ///< recursion or function pointers; needs the globals' object
    bool flush_denormals = false;    ///< fast math, and single precision only
    std::uint64_t work = 0;  ///< instructions per thread, at most; 0: no constant bounds a loop
};

/// A `__device__` or `__constant__` variable.
struct GlobalRecord {
    std::string name;  ///< mangled
    std::string display_name;
    std::string type_name;
    std::size_t size = 0;      ///< bytes
    bool is_constant = false;  ///< `__constant__`
};

/// How a kernel is specialised to the shape of a launch.
struct Variant {
    std::uint8_t lanes = 32;  ///< threads per vector "warp": 1, 4, 8, 16, 32 or 64
    bool contiguous = true;   ///< 1-D block, or blockDim.x % lanes == 0
    bool full = true;         ///< threads per block % lanes == 0

    bool operator==(const Variant&) const = default;
};

/// Machine code of one (kernel, variant): a relocatable ELF object that defines `heald_blocks`
/// (kernel_abi.hpp), with module globals left undefined.
struct KernelObject {
    std::string elf;
    std::size_t static_shared_bytes = 0;
    std::size_t frame_bytes_per_warp =
        0;  ///< 0 without barriers; the arena holds all warps' frames
    Variant variant;
};

/// A kernel's machine code that travels with its unit.
struct ReadyKernel {
    std::string kernel;  ///< mangled
    KernelObject object;
};

/// A compiled source: position- and shape-independent, the contents of an ObjectCode on the CPU.
/// `serialize` / `deserialize` (unit.hpp) make it one byte string for the disk cache.
struct CompiledUnit {
    std::string bitcode;             ///< normalised LLVM IR, one entry function per kernel
    std::vector<ReadyKernel> ready;  ///< machine code made beforehand: no compiler is needed for it
    std::string ready_globals;       ///< likewise, of the object that defines the variables
    std::vector<KernelRecord> kernels;
    std::vector<GlobalRecord> globals;
    std::vector<std::string> dependencies;  ///< included files on disk, for the cache key
    std::vector<Diagnostic> warnings;
    std::string log;
};

class Compiler {
public:
    virtual ~Compiler() = default;

    /// "clang 19.1.7, passes 3f2a…": part of every cache key, changes when the passes or the device
    /// headers change.
    virtual std::string identity() const = 0;

    /// The target that empty fields of `target` stand for, with HEALD_CPU_TARGET applied.
    virtual Target resolve(const Target& target) const = 0;

    /// Throws CompileError. Thread-safe, as all of these.
    virtual CompiledUnit compile(const CompileInput& input) = 0;

    /// Which variant runs a launch of this shape best. `maximum_lanes` 0: no limit.
    virtual Variant choose_variant(const KernelRecord& kernel, const std::uint32_t block[3],
                                   std::uint32_t maximum_lanes) const = 0;

    virtual KernelObject build(const CompiledUnit& unit, const std::string& kernel,
                               const Variant& variant, const Target& target) = 0;

    /// An ELF object that defines every global of the unit with its initial value.
    virtual std::string build_globals(const CompiledUnit& unit, const Target& target) = 0;

    /// Joins units: kernels and external device functions of one may use those of another.
    virtual CompiledUnit link(const std::vector<const CompiledUnit*>& units) = 0;

    /// LLVM IR or assembly of a variant, for people. `what`: "llvm", "asm".
    virtual std::string disassemble(const CompiledUnit& unit, const std::string& kernel,
                                    const Variant& variant, const Target& target,
                                    const std::string& what) = 0;
};

/// Exported by the plug-in with C linkage; null when `abi_version` is not its own.
using CreateCompiler = Compiler* (*)(std::uint32_t abi_version);
inline constexpr const char* create_compiler_symbol = "heald_create_cpu_compiler";

}  // namespace heald::cpu
