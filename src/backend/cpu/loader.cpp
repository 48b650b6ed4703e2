#include "src/backend/cpu/loader.hpp"

#include "src/backend/cpu/compiler_support.hpp"
#include "src/backend/cpu/elf_object.hpp"
#include "src/backend/cpu/loaded_code_registry.hpp"
#include "src/backend/cpu/relocation.hpp"
#include "src/base/demangle.hpp"

#include <heald/error.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>

namespace heald::cpu {
namespace {

constexpr std::size_t largest_object = std::size_t{1} << 30;

std::size_t rounded_up(std::size_t value, std::size_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

/// What a stretch of the mapping may be used for.
enum class Access : std::uint8_t { execute, read, write };

Access access_of(const Elf64_Shdr& section) {
    if ((section.sh_flags & SHF_EXECINSTR) != 0) return Access::execute;
    return (section.sh_flags & SHF_WRITE) != 0 ? Access::write : Access::read;
}

}  // namespace

/// Lays an object out in memory: code and stubs, then constants and the table of addresses, then
/// variables, each on pages of its own.
class ObjectBuilder {
public:
    ObjectBuilder(std::string_view file, const SymbolResolver& resolve)
        : file_(file),
          elf_(file),
          resolve_(resolve),
          page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
        if (elf_.machine() != native_machine()) fail_object("it is for another machine");
        for (const Relocation& relocation : elf_.relocations()) {
            kinds_.push_back(relocation_kind(relocation.type));
        }
    }

    std::shared_ptr<const LoadedObject> build() {
        number_table_entries();
        lay_out();
        std::shared_ptr<LoadedObject> object(new LoadedObject);
        map(*object);
        copy_sections();
        resolve_symbols();
        fill_table();
        for (std::size_t i = 0; i < kinds_.size(); ++i) {
            relocate(elf_.relocations()[i], kinds_[i]);
        }
        protect();
        publish(*object);
        return object;
    }

private:
    /// Every symbol that is called or reached through the table gets a word in it.
    void number_table_entries() {
        for (std::size_t i = 0; i < kinds_.size(); ++i) {
            const RelocationTarget target = kinds_[i].target;
            if (target != RelocationTarget::got_slot && target != RelocationTarget::call) continue;
            const std::uint32_t symbol = elf_.relocations()[i].symbol;
            entries_.try_emplace(symbol, entries_.size());
        }
    }

    void lay_out() {
        places_.assign(elf_.sections().size(), 0);
        std::size_t end = 0;
        for (const Access access : {Access::execute, Access::read, Access::write}) {
            for (std::size_t i = 0; i < elf_.sections().size(); ++i) {
                const Elf64_Shdr& section = elf_.sections()[i];
                if (!elf_.is_loaded(i) || access_of(section) != access) continue;
                end = rounded_up(end, std::max<std::size_t>(section.sh_addralign, 16));
                places_[i] = end;
                end += section.sh_size;
                if (end > largest_object) fail_object("it is too large");
            }
            if (access == Access::execute) {
                stubs_ = end = rounded_up(end, stub_bytes);
                end += entries_.size() * stub_bytes;
            } else if (access == Access::read) {
                table_ = end = rounded_up(end, 16);
                end += entries_.size() * sizeof(void*);
            } else {
                end = add_commons(end);
            }
            // A page more: code that reads ahead of constants, and room between the kinds.
            end = rounded_up(end, page_);
            ends_[static_cast<std::size_t>(access)] = end;
        }
        bytes_ = end;
    }

    std::size_t add_commons(std::size_t end) {
        for (std::size_t i = 0; i < elf_.symbols().size(); ++i) {
            const ElfSymbol& symbol = elf_.symbols()[i];
            if (symbol.section != SHN_COMMON) continue;
            end = rounded_up(end, std::max<std::size_t>(symbol.value, 16));
            commons_[i] = end;
            end += symbol.size;
            if (end > largest_object) fail_object("it is too large");
        }
        return end;
    }

    void map(LoadedObject& object) {
        if (bytes_ == 0) return;  // the variables of a source that has none
        void* base =
            mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (base == MAP_FAILED) {
            throw Error(ErrorKind::out_of_memory,
                        "no memory for " + std::to_string(bytes_) + " bytes of compiled code");
        }
        object.base_ = base;
        object.bytes_ = bytes_;
        base_ = static_cast<std::byte*>(base);
    }

    void copy_sections() {
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (!elf_.is_loaded(i)) continue;
            const std::string_view bytes = elf_.contents(i);
            if (!bytes.empty()) std::memcpy(base_ + places_[i], bytes.data(), bytes.size());
        }
    }

    void* defined(std::size_t index) const {
        const ElfSymbol& symbol = elf_.symbols()[index];
        if (symbol.section == SHN_ABS) return reinterpret_cast<void*>(symbol.value);
        if (symbol.section == SHN_COMMON) return base_ + commons_.at(index);
        if (symbol.section == SHN_UNDEF || !elf_.is_loaded(symbol.section)) return nullptr;
        return base_ + places_[symbol.section] + symbol.value;
    }

    void resolve_symbols() {
        addresses_.assign(elf_.symbols().size(), nullptr);
        std::vector<bool> needed(elf_.symbols().size(), false);
        for (std::size_t i = 0; i < kinds_.size(); ++i) {
            if (kinds_[i].target != RelocationTarget::none &&
                kinds_[i].target != RelocationTarget::got_base) {
                needed[elf_.relocations()[i].symbol] = true;
            }
        }
        for (std::size_t i = 0; i < addresses_.size(); ++i) {
            const ElfSymbol& symbol = elf_.symbols()[i];
            if (symbol.section != SHN_UNDEF) {
                addresses_[i] = defined(i);
                if (needed[i] && addresses_[i] == nullptr && symbol.section != SHN_ABS) {
                    fail_object("a relocation refers to a section that is not loaded");
                }
                continue;
            }
            if (!needed[i] || symbol.name.empty()) continue;
            addresses_[i] = find_elsewhere(symbol);
        }
    }

    void* find_elsewhere(const ElfSymbol& symbol) const {
        if (void* address = resolve_ ? resolve_(symbol.name) : nullptr) return address;
        if (void* address = compiler_support_function(symbol.name)) return address;
        if (symbol.binding == STB_WEAK) return nullptr;
        throw Error(ErrorKind::not_found, "the kernel uses '" + demangle(symbol.name) +
                                              "', which no code defines: link the object code "
                                              "that does");
    }

    std::byte* table_word(std::uint32_t symbol) {
        return base_ + table_ + entries_.at(symbol) * sizeof(void*);
    }
    std::byte* stub(std::uint32_t symbol) {
        return base_ + stubs_ + entries_.at(symbol) * stub_bytes;
    }

    void fill_table() {
        for (const auto& [symbol, index] : entries_) {
            std::memcpy(table_word(symbol), &addresses_[symbol], sizeof(void*));
            write_stub(std::span<std::byte, stub_bytes>(stub(symbol), stub_bytes),
                       reinterpret_cast<std::uintptr_t>(table_word(symbol)));
        }
    }

    void relocate(const Relocation& relocation, const RelocationKind& kind) {
        if (kind.target == RelocationTarget::none) return;
        const Elf64_Shdr& section = elf_.sections()[relocation.section];
        if (section.sh_type == SHT_NOBITS || relocation.offset > section.sh_size ||
            section.sh_size - relocation.offset < kind.bytes) {
            fail_object("a relocation lies outside its section");
        }
        std::byte* place = base_ + places_[relocation.section] + relocation.offset;
        const auto at = reinterpret_cast<std::uintptr_t>(place);
        std::uintptr_t target = 0;
        switch (kind.target) {
            case RelocationTarget::none:
                return;
            case RelocationTarget::got_base:
                target = reinterpret_cast<std::uintptr_t>(base_ + table_);
                break;
            case RelocationTarget::got_slot:
                target = reinterpret_cast<std::uintptr_t>(table_word(relocation.symbol));
                break;
            case RelocationTarget::symbol:
            case RelocationTarget::call:
                target = reinterpret_cast<std::uintptr_t>(addresses_[relocation.symbol]);
                break;
        }
        const auto value_to = [&](std::uintptr_t address) {
            return static_cast<std::int64_t>(
                address + static_cast<std::uint64_t>(relocation.addend) - (kind.relative ? at : 0));
        };
        std::int64_t value = value_to(target);
        if (kind.bytes == 4 && !fits(value, kind)) {
            if (kind.target != RelocationTarget::call) fail_object("a symbol is out of reach");
            value = value_to(reinterpret_cast<std::uintptr_t>(stub(relocation.symbol)));
            if (!fits(value, kind)) fail_object("a symbol is out of reach");
        }
        std::memcpy(place, &value, kind.bytes);
    }

    static bool fits(std::int64_t value, const RelocationKind& kind) {
        return kind.is_signed
                   ? value == static_cast<std::int32_t>(value)
                   : value == static_cast<std::int64_t>(static_cast<std::uint32_t>(value));
    }

    void protect() {
        const std::size_t code = ends_[0];
        const std::size_t constants = ends_[1];
        int failed = 0;
        if (code > 0) failed |= mprotect(base_, code, PROT_READ | PROT_EXEC);
        if (constants > code) failed |= mprotect(base_ + code, constants - code, PROT_READ);
        if (failed != 0) {
            throw Error(ErrorKind::unavailable,
                        "this system does not let compiled code run (mprotect: " +
                            std::string(std::strerror(errno)) + ")");
        }
    }

    void publish(LoadedObject& object) {
        for (std::size_t i = 0; i < elf_.symbols().size(); ++i) {
            const ElfSymbol& symbol = elf_.symbols()[i];
            if (symbol.binding == STB_LOCAL || symbol.name.empty()) continue;
            void* address = defined(i);
            if (address == nullptr || symbol.section == SHN_ABS) continue;
            object.symbols_.push_back({std::string(symbol.name), address, symbol.size});
        }
        if (ends_[0] == 0) return;
        object.registration_ = 1 + register_code(base_, ends_[0]);
        object.code_bytes_ = ends_[0];
        if (elf_.has_line_information())
            object.debugger_ = std::make_unique<DebuggerEntry>(placed_file());
    }

    /// The object's file with the addresses in memory in its section headers.
    std::string placed_file() const {
        std::string file(file_);
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (!elf_.is_loaded(i)) continue;
            const auto address = reinterpret_cast<std::uintptr_t>(base_ + places_[i]);
            std::memcpy(file.data() + elf_.header_offset(i) + offsetof(Elf64_Shdr, sh_addr),
                        &address, sizeof address);
        }
        return file;
    }

    std::string_view file_;
    ElfObject elf_;
    const SymbolResolver& resolve_;
    std::size_t page_;
    std::vector<RelocationKind> kinds_;
    std::unordered_map<std::uint32_t, std::size_t> entries_;
    std::unordered_map<std::size_t, std::size_t> commons_;
    std::vector<std::size_t> places_;
    std::size_t ends_[3] = {};
    std::size_t stubs_ = 0;
    std::size_t table_ = 0;
    std::size_t bytes_ = 0;
    std::byte* base_ = nullptr;
    std::vector<void*> addresses_;
};

std::shared_ptr<const LoadedObject> LoadedObject::load(std::string_view elf,
                                                       const SymbolResolver& resolve) {
    return ObjectBuilder(elf, resolve).build();
}

LoadedObject::~LoadedObject() {
    if (registration_ != 0) unregister_code(registration_ - 1);
    if (base_ != nullptr) munmap(base_, bytes_);
}

void* LoadedObject::find(std::string_view name) const noexcept {
    for (const Symbol& symbol : symbols_) {
        if (symbol.name == name) return symbol.address;
    }
    return nullptr;
}

bool LoadedObject::contains(const void* address) const noexcept {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    const auto begin = reinterpret_cast<std::uintptr_t>(base_);
    return value >= begin && value - begin < code_bytes_;
}

bool in_loaded_code(const void* address) noexcept {
    return is_registered_code(address);
}

}  // namespace heald::cpu
