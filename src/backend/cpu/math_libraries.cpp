#include "src/backend/cpu/math_libraries.hpp"

#include "src/backend/cpu/compiled_code.hpp"
#include "src/backend/cpu/runtime_functions.hpp"

#include <dlfcn.h>
#include <link.h>
#include <cstdint>
#include <string>

namespace heald::cpu {
namespace {

/// One library; its code may run inside kernels.
class MathLibrary {
public:
    explicit MathLibrary(const char* soname) : handle_(dlopen(soname, RTLD_NOW | RTLD_LOCAL)) {
        link_map* map = nullptr;
        if (handle_ == nullptr || dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0) return;
        base_ = map->l_addr;
        dl_iterate_phdr(
            [](dl_phdr_info* info, std::size_t, void* self) {
                return static_cast<MathLibrary*>(self)->note_code(*info);
            },
            this);
    }

    [[nodiscard]] bool found() const noexcept { return handle_ != nullptr; }

    /// dlsym also looks into what the library depends on (libc), hence the check.
    [[nodiscard]] void* symbol(const std::string& name) const {
        void* address = handle_ != nullptr ? dlsym(handle_, name.c_str()) : nullptr;
        const auto value = reinterpret_cast<std::uintptr_t>(address);
        return value >= begin_ && value < end_ ? address : nullptr;
    }

private:
    int note_code(const dl_phdr_info& info) {
        if (info.dlpi_addr != base_) return 0;
        for (int i = 0; i < info.dlpi_phnum; ++i) {
            const ElfW(Phdr)& header = info.dlpi_phdr[i];
            if (header.p_type != PT_LOAD || !(header.p_flags & PF_X)) continue;
            begin_ = info.dlpi_addr + header.p_vaddr;
            end_ = begin_ + header.p_memsz;
            add_callable_range(reinterpret_cast<void*>(begin_), reinterpret_cast<void*>(end_));
        }
        return 1;
    }

    void* handle_;
    std::uintptr_t base_ = 0;
    std::uintptr_t begin_ = 0;
    std::uintptr_t end_ = 0;
};

const MathLibrary& scalar_math() {
    static const MathLibrary& library = *new MathLibrary("libm.so.6");
    return library;
}

const MathLibrary& vector_math() {
    static const MathLibrary& library = *new MathLibrary("libmvec.so.1");
    return library;
}

}  // namespace

void* math_function(std::string_view name) {
    const std::string text(name);
    return name.starts_with("_ZGV") ? vector_math().symbol(text) : scalar_math().symbol(text);
}

bool vector_math_available() {
    return vector_math().found();
}

}  // namespace heald::cpu
