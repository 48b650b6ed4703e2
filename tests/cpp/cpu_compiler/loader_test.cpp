#include "src/backend/cpu/loader.hpp"
#include "tests/cpp/cpu_compiler/elf_writer.hpp"

#include <heald/error.hpp>

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>

#if defined(__x86_64__)

namespace heald::test {
namespace {

using cpu::LoadedObject;

int outside(int x) {
    return x * 3;
}

// int first(int x)  { return outside(x) + constant; }
// int bump()        { return ++counter; }
TestObject sample() {
    TestObject object;
    object.text = {
        0x48, 0x83, 0xec, 0x08,           // sub $8, %rsp
        0xe8, 0,    0,    0,    0,        // call outside@PLT        (5)
        0x03, 0x05, 0,    0,    0, 0,     // add constant(%rip), %eax (11)
        0x48, 0x83, 0xc4, 0x08,           // add $8, %rsp
        0xc3,                             // ret
        0x48, 0x8b, 0x05, 0,    0, 0, 0,  // 20: mov counter@GOTPCREL(%rip), %rax (23)
        0xff, 0x00,                       // incl (%rax)
        0x8b, 0x00,                       // mov (%rax), %eax
        0xc3,                             // ret
    };
    object.rodata = {41, 0, 0, 0};
    object.data = {7, 0, 0, 0, 0, 0, 0, 0, /* pointer to counter: */ 0, 0, 0, 0, 0, 0, 0, 0};
    object.bss_bytes = 64;
    object.symbols = {{"first", 1, 0}, {"bump", 1, 20}, {"constant", 2, 0}, {"counter", 3, 0},
                      {"outside", 0},  {"zeros", 4, 0}, {"pointer", 3, 8}};
    object.text_relocations = {{5, R_X86_64_PLT32, 5, -4},
                               {11, R_X86_64_PC32, 3, -4},
                               {23, R_X86_64_REX_GOTPCRELX, 4, -4}};
    object.data_relocations = {{8, R_X86_64_64, 4, 0}};
    return object;
}

void* resolve(std::string_view name) {
    return name == "outside" ? reinterpret_cast<void*>(&outside) : nullptr;
}

TEST(Loader, RunsCodeWithCallsConstantsAndVariables) {
    const auto object = LoadedObject::load(write_elf(sample()), resolve);
    const auto first = reinterpret_cast<int (*)(int)>(object->find("first"));
    const auto bump = reinterpret_cast<int (*)()>(object->find("bump"));
    ASSERT_NE(first, nullptr);
    ASSERT_NE(bump, nullptr);
    EXPECT_EQ(first(5), 56);
    EXPECT_EQ(bump(), 8);
    EXPECT_EQ(bump(), 9);
    EXPECT_EQ(*static_cast<int*>(object->find("counter")), 9);
    EXPECT_EQ(*static_cast<void**>(object->find("pointer")), object->find("counter"));
    const auto* zeros = static_cast<const char*>(object->find("zeros"));
    for (int i = 0; i < 64; ++i) EXPECT_EQ(zeros[i], 0);
    EXPECT_EQ(object->find("nothing"), nullptr);
    EXPECT_EQ(object->find("outside"), nullptr);
}

TEST(Loader, KnowsWhereCodeIs) {
    const void* inside = nullptr;
    {
        const auto object = LoadedObject::load(write_elf(sample()), resolve);
        inside = object->find("bump");
        EXPECT_TRUE(object->contains(inside));
        EXPECT_TRUE(cpu::in_loaded_code(inside));
        EXPECT_FALSE(object->contains(object->find("counter")));
        EXPECT_FALSE(cpu::in_loaded_code(object->find("counter")));
        EXPECT_FALSE(cpu::in_loaded_code(reinterpret_cast<void*>(&outside)));
        EXPECT_FALSE(cpu::in_loaded_code(nullptr));
    }
    EXPECT_FALSE(cpu::in_loaded_code(inside));
}

TEST(Loader, ManyObjectsComeAndGoOnSeveralThreads) {
    const std::string file = write_elf(sample());
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&file] {
            std::vector<std::shared_ptr<const LoadedObject>> kept;
            for (int i = 0; i < 600; ++i) {
                kept.push_back(LoadedObject::load(file, resolve));
                EXPECT_TRUE(cpu::in_loaded_code(kept.back()->find("first")));
                if (i % 3 == 0) kept.erase(kept.begin() + i % static_cast<int>(kept.size()));
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
}

TEST(Loader, UndefinedSymbolsAreNamed) {
    try {
        LoadedObject::load(write_elf(sample()), {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::not_found);
        EXPECT_NE(std::string(error.what()).find("outside"), std::string::npos);
    }
}

TEST(Loader, WeakUndefinedSymbolsAreNull) {
    TestObject object = sample();
    object.symbols.push_back({"maybe", 0, 0, true});
    object.data_relocations.push_back({0, R_X86_64_64, 8, 0});
    const auto loaded = LoadedObject::load(write_elf(object), resolve);
    EXPECT_EQ(*static_cast<void**>(loaded->find("counter")), nullptr);
}

TEST(Loader, WhatDoesNotFitIsAnError) {
    TestObject object = sample();
    object.data_relocations.push_back({0, R_X86_64_32, 5, 0});
    EXPECT_THROW(LoadedObject::load(write_elf(object), resolve), Error);  // out of reach
    object = sample();
    object.data_relocations.push_back({12, R_X86_64_64, 4, 0});
    EXPECT_THROW(LoadedObject::load(write_elf(object), resolve), Error);  // past the section
    object = sample();
    object.text_relocations.push_back({0, 4711, 4, 0});
    EXPECT_THROW(LoadedObject::load(write_elf(object), resolve), Error);  // unknown type
    object = sample();
    object.text_relocations.push_back({0, R_X86_64_PC32, 99, 0});
    EXPECT_THROW(LoadedObject::load(write_elf(object), resolve), Error);  // no such symbol
    object = sample();
    object.symbols[0].value = 1000;
    EXPECT_THROW(LoadedObject::load(write_elf(object), resolve), Error);  // outside its section
    object = sample();
    object.machine = EM_AARCH64;
    EXPECT_THROW(LoadedObject::load(write_elf(object), resolve), Error);
    object = sample();
    object.bss_bytes = ~std::uint64_t{0} - 100;
    EXPECT_THROW(LoadedObject::load(write_elf(object), resolve), Error);
}

TEST(Loader, EveryTruncationIsAnErrorOrLoads) {
    const std::string file = write_elf(sample());
    for (std::size_t size = 0; size < file.size(); ++size) {
        EXPECT_THROW(LoadedObject::load(std::string_view(file).substr(0, size), resolve), Error)
            << size;
    }
}

TEST(Loader, DamagedFilesNeverCrash) {
    const std::string file = write_elf(sample());
    std::mt19937_64 random(11);
    int loaded = 0;
    for (int i = 0; i < 200000; ++i) {
        std::string damaged = file;
        const int changes = 1 + static_cast<int>(random() % 4);
        for (int c = 0; c < changes; ++c) {
            const std::size_t at = random() % damaged.size();
            if (random() % 2 == 0) {
                damaged[at] = static_cast<char>(random());
            } else if (at + 8 <= damaged.size()) {
                const std::uint64_t word = random() % 3 == 0 ? ~random() % 64 : random();
                std::memcpy(&damaged[at], &word, 8);
            }
        }
        try {
            LoadedObject::load(damaged, resolve);  // never run
            ++loaded;
        } catch (const Error&) {
        }
    }
    EXPECT_GT(loaded, 0);
}

}  // namespace
}  // namespace heald::test

#endif
