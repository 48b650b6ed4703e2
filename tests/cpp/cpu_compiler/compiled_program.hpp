#pragma once

// Compiles CUDA C++ with the plug-in and runs its kernels on the calling thread.

#include "src/backend/cpu/kernel_abi.hpp"
#include "src/backend/cpu/loader.hpp"
#include "src/jit/cpu/plugin.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heald::test {

/// The plug-in, opened once.
cpu::Compiler& compiler();

cpu::CompileInput source_of(std::string text, std::vector<std::string> names = {});

/// The CompileError that the source gives; fails the test if it compiles.
CompileError error_of(const cpu::CompileInput& input);

struct Shape {
    std::uint32_t grid[3] = {1, 1, 1};
    std::uint32_t block[3] = {1, 1, 1};
    std::uint32_t dynamic_shared = 0;
};

inline Shape line(std::uint32_t blocks, std::uint32_t threads) {
    return {{blocks, 1, 1}, {threads, 1, 1}, 0};
}

/// A unit with its global variables loaded.
class CompiledProgram {
public:
    explicit CompiledProgram(cpu::CompiledUnit unit, cpu::Target target = {});
    explicit CompiledProgram(const std::string& source)
        : CompiledProgram(compiler().compile(source_of(source))) {}

    [[nodiscard]] const cpu::CompiledUnit& unit() const { return unit_; }
    [[nodiscard]] const cpu::KernelRecord& record(const std::string& name) const;

    /// Runs the kernel of that name, display name or expression on copies of `arguments`.
    template <typename... Arguments>
    void run(const std::string& kernel, const Shape& shape, Arguments... arguments) {
        void* argv[] = {static_cast<void*>(&arguments)..., nullptr};
        run_packed(kernel, shape, argv);
    }
    /// As above with a variant chosen by the caller.
    void run_packed(const std::string& kernel, const Shape& shape, void* const* argv,
                    const cpu::Variant* variant = nullptr);

    /// Address of a variable of the unit.
    template <typename T>
    T* variable(const std::string& name) {
        return static_cast<T*>(globals_->find(name));
    }

private:
    struct Built {
        cpu::KernelObject object;
        std::shared_ptr<const cpu::LoadedObject> code;
    };
    const Built& built(const cpu::KernelRecord& kernel, const cpu::Variant& variant);
    void* resolve(std::string_view name) const;

    cpu::CompiledUnit unit_;
    cpu::Target target_;
    std::shared_ptr<const cpu::LoadedObject> globals_;
    std::map<std::string, Built> built_;
};

}  // namespace heald::test
