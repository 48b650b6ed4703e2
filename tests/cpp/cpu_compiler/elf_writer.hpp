#pragma once

// Small relocatable objects written by hand, to see how the loader takes right and wrong ones.

#include <cstdint>
#include <string>
#include <vector>

namespace heald::test {

struct TestRelocation {
    std::uint64_t offset;
    std::uint32_t type;
    std::uint32_t symbol;  ///< index in `symbols`, from 1
    std::int64_t addend;
};

struct TestSymbol {
    std::string name;
    int section;  ///< 0: undefined, 1: text, 2: rodata, 3: data, 4: bss
    std::uint64_t value = 0;
    bool weak = false;
};

struct TestObject {
    std::vector<unsigned char> text;
    std::vector<unsigned char> rodata;
    std::vector<unsigned char> data;
    std::uint64_t bss_bytes = 0;
    std::vector<TestSymbol> symbols;
    std::vector<TestRelocation> text_relocations;
    std::vector<TestRelocation> data_relocations;
    std::uint16_t machine = 62;  ///< EM_X86_64
};

std::string write_elf(const TestObject& object);

}  // namespace heald::test
