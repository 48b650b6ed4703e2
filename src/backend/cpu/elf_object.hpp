#pragma once

// A relocatable ELF file, read with every offset checked. Failures are Error(invalid_value).

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heald::cpu {

[[noreturn]] void fail_object(const std::string& why);

/// One relocation with the section it changes.
struct Relocation {
    std::size_t section = 0;
    std::uint64_t offset = 0;
    std::uint32_t type = 0;
    std::uint32_t symbol = 0;
    std::int64_t addend = 0;
};

struct ElfSymbol {
    std::string_view name;
    std::uint16_t section = SHN_UNDEF;
    std::uint8_t type = STT_NOTYPE;
    std::uint8_t binding = STB_LOCAL;
    std::uint64_t value = 0;
    std::uint64_t size = 0;
};

class ElfObject {
public:
    explicit ElfObject(std::string_view file);

    [[nodiscard]] const std::vector<Elf64_Shdr>& sections() const noexcept { return sections_; }
    [[nodiscard]] const std::vector<ElfSymbol>& symbols() const noexcept { return symbols_; }
    /// Of the sections that are loaded.
    [[nodiscard]] const std::vector<Relocation>& relocations() const noexcept {
        return relocations_;
    }
    [[nodiscard]] std::uint16_t machine() const noexcept { return machine_; }
    /// Of a section's header in the file.
    [[nodiscard]] std::uint64_t header_offset(std::size_t section) const noexcept {
        return headers_ + section * sizeof(Elf64_Shdr);
    }
    [[nodiscard]] bool has_line_information() const;
    /// The bytes of a section in the file.
    [[nodiscard]] std::string_view contents(std::size_t section) const;
    /// Whether the section occupies memory when loaded.
    [[nodiscard]] bool is_loaded(std::size_t section) const noexcept;

private:
    template <typename T>
    T read(std::uint64_t offset) const;
    std::string_view text_at(std::string_view table, std::uint64_t offset) const;
    void read_sections();
    void read_symbols(std::size_t table);
    void read_relocations(std::size_t table);

    std::string_view file_;
    std::uint16_t machine_ = 0;
    std::uint64_t headers_ = 0;
    std::size_t names_ = 0;  // the section of sections' names
    std::vector<Elf64_Shdr> sections_;
    std::vector<ElfSymbol> symbols_;
    std::vector<Relocation> relocations_;
    std::size_t symbol_table_ = 0;
};

}  // namespace heald::cpu
