#pragma once

// Loads the relocatable ELF objects that the CPU compiler makes: no LLVM, no system linker. Every
// offset is checked against the file, so a damaged file is an error and never a crash.

#include "src/backend/cpu/debugger.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heald::cpu {

/// The address of a symbol that the object leaves undefined; null if there is none.
using SymbolResolver = std::function<void*(std::string_view name)>;

/// Code and data of one object, mapped writable or executable but never both. Unmapped with the
/// last reference.
class LoadedObject {
public:
    struct Symbol {
        std::string name;
        void* address = nullptr;
        std::size_t size = 0;
    };

    /// Throws Error(invalid_value) for bytes that are no such object for this machine, and
    /// Error(not_found), naming the symbol, for one that nothing defines.
    static std::shared_ptr<const LoadedObject> load(std::string_view elf,
                                                    const SymbolResolver& resolve);

    LoadedObject(const LoadedObject&) = delete;
    LoadedObject& operator=(const LoadedObject&) = delete;
    ~LoadedObject();

    /// A function or variable that the object defines for others; null if it defines none of that
    /// name.
    [[nodiscard]] void* find(std::string_view name) const noexcept;
    [[nodiscard]] const std::vector<Symbol>& symbols() const noexcept { return symbols_; }
    [[nodiscard]] bool contains(const void* address) const noexcept;
    [[nodiscard]] std::size_t mapped_bytes() const noexcept { return bytes_; }

private:
    LoadedObject() = default;

    void* base_ = nullptr;
    std::size_t bytes_ = 0;
    std::size_t code_bytes_ = 0;  // at the start
    std::size_t registration_ = 0;
    std::vector<Symbol> symbols_;
    std::unique_ptr<DebuggerEntry> debugger_;

    friend class ObjectBuilder;
};

/// Whether the address lies in the code of any loaded object. Takes no lock, safe in signal
/// handlers.
[[nodiscard]] bool in_loaded_code(const void* address) noexcept;

}  // namespace heald::cpu
