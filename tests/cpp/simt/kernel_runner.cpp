#include "tests/cpp/simt/kernel_runner.hpp"

#include "src/backend/cpu/kernel_abi.hpp"
#include "src/jit/cpu/codegen.hpp"
#include "src/jit/cpu/compile.hpp"
#include "src/jit/cpu/simt/simt.hpp"
#include "src/jit/cpu/target.hpp"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/TargetSelect.h>

#include <dlfcn.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <tuple>

namespace heald::cpu::test {
namespace {

Target target_named(const std::string& name) {
    if (name.empty()) return resolve_target({});
    setenv("HEALD_CPU_TARGET", name.c_str(), 1);
    Target target = resolve_target({});
    unsetenv("HEALD_CPU_TARGET");
    return target;
}

void relax() {
    if (KernelRunner::on_relax) KernelRunner::on_relax();
}

[[noreturn]] void trap(unsigned x, unsigned y, unsigned z) {
    std::fprintf(stderr, "trap in thread (%u, %u, %u)\n", x, y, z);
    std::abort();
}

[[noreturn]] void assert_fail(const char* expression, const char*, unsigned line, const char*,
                              unsigned x, unsigned y, unsigned z) {
    std::fprintf(stderr, "line %u: assertion '%s' failed\n", line, expression);
    trap(x, y, z);
}

/// The functions that compiled code calls, apart from those of libc and libm.
llvm::orc::SymbolMap runtime_symbols(llvm::orc::LLJIT& jit) {
    llvm::orc::SymbolMap symbols;
    const auto add = [&](const char* name, auto* function) {
        symbols[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                              llvm::JITSymbolFlags::Exported};
    };
    add("__heald_relax", &relax);
    add("__heald_trap", &trap);
    add("__heald_assert_fail", &assert_fail);
    return symbols;
}

template <typename T>
T value_of(llvm::Expected<T> expected) {
    if (!expected) throw std::runtime_error(llvm::toString(expected.takeError()));
    return std::move(*expected);
}

std::unique_ptr<llvm::MemoryBuffer> buffer_of(const std::string& elf) {
    return llvm::MemoryBuffer::getMemBufferCopy(elf, "object");
}

}  // namespace

std::function<void()> KernelRunner::on_relax;
std::uint32_t KernelRunner::cancel = 0;

struct KernelRunner::State {
    struct Loaded {
        KernelObject object;
        BlocksFunction function = nullptr;
    };
    using Key = std::tuple<std::string, unsigned, bool, bool>;

    CompiledUnit unit;
    Target target;
    std::unique_ptr<llvm::orc::LLJIT> jit;
    std::map<Key, Loaded> loaded;
};

KernelRunner::KernelRunner(const std::string& source, const std::string& target)
    : state_(std::make_unique<State>()) {
    static const bool initialised = [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
        return dlopen("libmvec.so.1", RTLD_NOW | RTLD_GLOBAL) != nullptr;
    }();
    if (!initialised) throw std::runtime_error("libmvec.so.1 cannot be opened");
    CompileInput input;
    input.source = source;
    state_->unit = compile_source(input);
    state_->target = target_named(target);
    state_->jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
    auto& main = state_->jit->getMainJITDylib();
    const char prefix = state_->jit->getDataLayout().getGlobalPrefix();
    main.addGenerator(
        llvm::cantFail(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix)));
    llvm::cantFail(main.define(llvm::orc::absoluteSymbols(runtime_symbols(*state_->jit))));
    llvm::cantFail(
        state_->jit->addObjectFile(buffer_of(build_unit_globals(state_->unit, state_->target))));
}

KernelRunner::~KernelRunner() = default;

const CompiledUnit& KernelRunner::unit() const {
    return state_->unit;
}

const KernelRecord& KernelRunner::kernel(const std::string& name) const {
    for (const KernelRecord& record : state_->unit.kernels) {
        if (record.name == name) return record;
    }
    throw std::runtime_error("no kernel " + name);
}

std::string KernelRunner::vectorised(const std::string& kernel, const Variant& variant) const {
    return disassemble_variant(state_->unit, kernel, variant, state_->target, "simt");
}

void KernelRunner::run(const std::string& kernel, const Variant& variant, const Launch& launch,
                       const std::vector<void*>& arguments) {
    State::Loaded& loaded =
        state_->loaded[{kernel, variant.lanes, variant.contiguous, variant.full}];
    if (!loaded.function) {
        loaded.object = build_variant(state_->unit, kernel, variant, state_->target);
        auto& library = llvm::cantFail(
            state_->jit->createJITDylib(kernel + std::to_string(state_->loaded.size())));
        library.addToLinkOrder(state_->jit->getMainJITDylib());
        llvm::cantFail(state_->jit->addObjectFile(library, buffer_of(loaded.object.elf)));
        loaded.function =
            value_of(state_->jit->lookup(library, blocks_symbol)).toPtr<BlocksFunction>();
    }
    BlockContext context{};
    std::copy(launch.grid.begin(), launch.grid.end(), context.grid);
    std::copy(launch.block.begin(), launch.block.end(), context.block);
    context.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    context.cancel = &cancel;
    const auto rounded = [](std::size_t bytes) {
        return (bytes + arena_alignment) / arena_alignment * arena_alignment;
    };
    const auto allocate = [&](std::size_t bytes) {
        auto* memory = static_cast<std::byte*>(std::aligned_alloc(arena_alignment, rounded(bytes)));
        std::fill_n(memory, rounded(bytes), std::byte{0xAB});
        return std::unique_ptr<std::byte, void (*)(void*)>(memory, std::free);
    };
    const std::size_t warps = simt::warps_per_block(variant, launch.block.data());
    const auto frames = allocate(warps * loaded.object.frame_bytes_per_warp);
    const auto shared = allocate(loaded.object.static_shared_bytes + launch.dynamic_shared_bytes);
    context.frames = frames.get();
    const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    // In two parts, so that starting in the middle of the grid is covered too.
    if (blocks > 1) {
        loaded.function(arguments.data(), &context, shared.get(), 0, blocks / 2);
    }
    loaded.function(arguments.data(), &context, shared.get(), blocks / 2, blocks);
}

Variant variant_for(unsigned lanes, const Dim& block) {
    Variant variant;
    variant.lanes = static_cast<std::uint8_t>(lanes);
    const std::uint32_t threads = block[0] * block[1] * block[2];
    variant.contiguous = block[1] * block[2] == 1 || block[0] % lanes == 0;
    variant.full = threads % lanes == 0;
    return variant;
}

bool can_run(const std::string& target) {
    if (target == "x86-64-v4") return __builtin_cpu_supports("x86-64-v4");
    if (target == "x86-64-v3") return __builtin_cpu_supports("x86-64-v3");
    return true;
}

}  // namespace heald::cpu::test
