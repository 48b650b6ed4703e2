#include "tests/cpp/cpu_compiler/compiled_program.hpp"

#include "src/backend/cpu/runtime_functions.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace heald::test {

cpu::Compiler& compiler() {
    static cpu::Compiler* made = [] {
        void* handle = dlopen(HEALD_COMPILER_FILE, RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) throw std::runtime_error(dlerror());
        void* symbol = dlsym(handle, cpu::create_compiler_symbol);
        return reinterpret_cast<cpu::CreateCompiler>(symbol)(cpu::compiler_abi_version);
    }();
    return *made;
}

cpu::CompileInput source_of(std::string text, std::vector<std::string> names) {
    cpu::CompileInput input;
    input.source = std::move(text);
    input.names = std::move(names);
    return input;
}

CompileError error_of(const cpu::CompileInput& input) {
    try {
        compiler().compile(input);
    } catch (const CompileError& error) {
        return error;
    }
    ADD_FAILURE() << "compiled without an error:\n" << input.source;
    return CompileError("", {}, "");
}

CompiledProgram::CompiledProgram(cpu::CompiledUnit unit, cpu::Target target)
    : unit_(std::move(unit)), target_(std::move(target)) {
    const std::string elf = compiler().build_globals(unit_, target_);
    globals_ = cpu::LoadedObject::load(
        elf, [](std::string_view name) { return cpu::runtime_function(name); });
}

const cpu::KernelRecord& CompiledProgram::record(const std::string& name) const {
    for (const cpu::KernelRecord& kernel : unit_.kernels) {
        if (kernel.name == name || kernel.display_name == name || kernel.expression == name) {
            return kernel;
        }
    }
    throw std::runtime_error("no kernel " + name);
}

void* CompiledProgram::resolve(std::string_view name) const {
    void* address = globals_->find(name);
    return address != nullptr ? address : cpu::runtime_function(name);
}

const CompiledProgram::Built& CompiledProgram::built(const cpu::KernelRecord& kernel,
                                                     const cpu::Variant& variant) {
    const std::string key = kernel.name + " " + std::to_string(variant.lanes) +
                            (variant.contiguous ? "c" : "") + (variant.full ? "f" : "");
    const auto found = built_.find(key);
    if (found != built_.end()) return found->second;
    Built made;
    made.object = compiler().build(unit_, kernel.name, variant, target_);
    made.code = cpu::LoadedObject::load(made.object.elf,
                                        [this](std::string_view name) { return resolve(name); });
    return built_.emplace(key, std::move(made)).first->second;
}

void CompiledProgram::run_packed(const std::string& name, const Shape& shape, void* const* argv,
                                 const cpu::Variant* wanted) {
    const cpu::KernelRecord& kernel = record(name);
    const cpu::Variant variant =
        wanted != nullptr ? *wanted : compiler().choose_variant(kernel, shape.block, 0);
    const Built& code = built(kernel, variant);
    const std::size_t threads = std::size_t{shape.block[0]} * shape.block[1] * shape.block[2];
    const std::size_t warps = threads;  // enough for any variant
    const auto arena = [](std::size_t bytes) {
        const std::size_t unit = cpu::arena_alignment;
        const std::size_t rounded = (bytes / unit + 1) * unit;
        auto* memory = static_cast<std::byte*>(std::aligned_alloc(unit, rounded));
        std::memset(memory, 0xab, rounded);
        return std::unique_ptr<std::byte, void (*)(void*)>(memory, std::free);
    };
    const auto frames = arena(code.object.frame_bytes_per_warp * warps);
    const auto shared = arena(code.object.static_shared_bytes + shape.dynamic_shared);
    const std::uint32_t cancel = 0;
    cpu::BlockContext context{};
    std::copy(shape.grid, shape.grid + 3, context.grid);
    std::copy(shape.block, shape.block + 3, context.block);
    context.dynamic_shared_bytes = shape.dynamic_shared;
    context.cancel = &cancel;
    context.frames = frames.get();
    void* start = code.code->find(cpu::blocks_symbol);
    ASSERT_NE(start, nullptr);
    EXPECT_TRUE(code.code->contains(start));
    reinterpret_cast<cpu::BlocksFunction>(start)(
        argv, &context, shared.get(), 0,
        std::uint64_t{shape.grid[0]} * shape.grid[1] * shape.grid[2]);
}

}  // namespace heald::test
