// Modules, kernels and the linker.

#include "tests/cpp/cuda/fake_driver/internals.hpp"

#include "src/jit/nvrtc/cubin_kernels.hpp"

#include <elf.h>
#include <algorithm>
#include <cstring>

namespace heald::cuda::driver {

using fake::control;

ModuleHandle::~ModuleHandle() {
    for (auto& [name, function] : functions) delete function;
}

Result cuModuleLoadDataEx(Module* module, const void* image, unsigned, JitOption*, void**) {
    ENTER(cuModuleLoadDataEx);
    *module = new ModuleHandle;
    if (std::memcmp(image, ELFMAG, SELFMAG) == 0) {
        Elf64_Ehdr header;
        std::memcpy(&header, image, sizeof header);
        // A cubin's section or program headers come last: their end is the end of the file.
        const std::size_t size =
            std::max(header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize,
                     header.e_phoff + std::size_t{header.e_phnum} * header.e_phentsize);
        const auto names = heald::nvrtc::kernels_of_cubin({static_cast<const char*>(image), size});
        (*module)->kernels.insert(names.begin(), names.end());
    }
    ++control().modules_alive;
    return Result::success;
}
Result cuModuleUnload(Module module) {
    ENTER(cuModuleUnload);
    delete module;
    --control().modules_alive;
    return Result::success;
}
Result cuModuleGetFunction(Function* function, Module module, const char* name) {
    ENTER(cuModuleGetFunction);
    const bool known = module->kernels.empty() ? control().parameter_sizes.contains(name)
                                               : module->kernels.contains(name);
    if (!known) return Result::not_found;
    auto& entry = module->functions[name];
    if (entry == nullptr) entry = new FunctionHandle{name};
    *function = entry;
    return Result::success;
}
Result cuModuleGetGlobal_v2(DevicePointer* address, std::size_t* size, Module module,
                            const char* name) {
    ENTER(cuModuleGetGlobal_v2);
    const auto known = control().globals.find(name);
    if (known == control().globals.end()) return Result::not_found;
    auto& bytes = module->globals[name];
    bytes.resize(known->second);
    *address = reinterpret_cast<DevicePointer>(bytes.data());
    *size = bytes.size();
    return Result::success;
}
Result cuFuncGetAttribute(int* value, FunctionAttribute which, Function function) {
    ENTER(cuFuncGetAttribute);
    switch (which) {
        case FunctionAttribute::max_threads_per_block:
            *value = 1024;
            break;
        case FunctionAttribute::num_regs:
            *value = 32;
            break;
        case FunctionAttribute::binary_version:
            *value = 90;
            break;
        case FunctionAttribute::max_dynamic_shared_size_bytes:
            *value = function->max_dynamic_shared;
            break;
        default:
            *value = 0;
    }
    return Result::success;
}
Result cuFuncSetAttribute(Function function, FunctionAttribute which, int value) {
    ENTER(cuFuncSetAttribute);
    if (which == FunctionAttribute::max_dynamic_shared_size_bytes)
        function->max_dynamic_shared = value;
    return Result::success;
}
Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function, int block, std::size_t) {
    *blocks = 2048 / block;
    return Result::success;
}
Result cuOccupancyMaxPotentialBlockSize(int* grid, int* block, Function, std::size_t (*)(int),
                                        std::size_t, int) {
    *grid = 264;
    *block = 1024;
    return Result::success;
}
#ifndef HEALD_FAKE_OLD
Result cuModuleGetFunctionCount(unsigned* count, Module module) {
    *count = static_cast<unsigned>(module->kernels.size());
    return Result::success;
}
Result cuModuleEnumerateFunctions(Function* functions, unsigned count, Module module) {
    ENTER(cuModuleEnumerateFunctions);
    unsigned i = 0;
    for (const std::string& name : module->kernels) {
        if (i == count) break;
        auto& entry = module->functions[name];
        if (entry == nullptr) entry = new FunctionHandle{name};
        functions[i++] = entry;
    }
    return Result::success;
}
Result cuFuncGetName(const char** name, Function function) {
    *name = function->name.c_str();
    return Result::success;
}
Result cuFuncGetParamInfo(Function function, std::size_t index, std::size_t* offset,
                          std::size_t* size) {
    ENTER(cuFuncGetParamInfo);
    const auto& sizes = control().parameter_sizes[function->name];
    if (index >= sizes.size()) return Result::invalid_value;
    *size = sizes[index];
    *offset = 0;
    return Result::success;
}
#endif
Result cuLinkCreate_v2(unsigned, JitOption*, void**, LinkState* state) {
    ENTER(cuLinkCreate_v2);
    *state = new LinkStateHandle;
    return Result::success;
}
Result cuLinkAddData_v2(LinkState state, JitInput, void* data, std::size_t size, const char*,
                        unsigned, JitOption*, void**) {
    ENTER(cuLinkAddData_v2);
    state->bytes.assign(static_cast<const char*>(data), size);
    return Result::success;
}
Result cuLinkComplete(LinkState state, void** cubin, std::size_t* size) {
    ENTER(cuLinkComplete);
    *cubin = state->bytes.data();
    *size = state->bytes.size();
    return Result::success;
}
Result cuLinkDestroy(LinkState state) {
    delete state;
    return Result::success;
}

// For the benchmarks' C program.
extern "C" __attribute__((visibility("default"))) Result cuModuleLoadData(Module* module,
                                                                          const void* image) {
    return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

}  // namespace heald::cuda::driver
