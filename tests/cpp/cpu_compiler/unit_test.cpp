#include "src/jit/cpu/unit.hpp"
#include "tests/cpp/cpu_compiler/compiled_program.hpp"

#include <gtest/gtest.h>

#include <random>

namespace heald::test {
namespace {

cpu::CompiledUnit sample() {
    auto input = source_of(
        "__constant__ float c[3] = {1, 2, 3};\nstruct S { int a; double b; };\n"
        "template <class T> __global__ void __launch_bounds__(96) k(T* x, S s) {"
        " x[threadIdx.x] = c[1] + s.a / 0; }\n",
        {"k<float>"});
    return compiler().compile(input);
}

TEST(Unit, SurvivesARoundTrip) {
    const cpu::CompiledUnit unit = sample();
    const std::string bytes = cpu::serialize(unit);
    const cpu::CompiledUnit read = cpu::deserialize_unit(bytes);
    EXPECT_EQ(read.bitcode, unit.bitcode);
    ASSERT_EQ(read.kernels.size(), 1U);
    const auto& kernel = read.kernels[0];
    EXPECT_EQ(kernel.name, unit.kernels[0].name);
    EXPECT_EQ(kernel.expression, "k<float>");
    EXPECT_EQ(kernel.max_threads_per_block, 96U);
    ASSERT_EQ(kernel.signature.parameters.size(), 2U);
    EXPECT_EQ(kernel.signature.parameters[1].kind, Parameter::Kind::record);
    EXPECT_EQ(kernel.signature.parameters[1].size, 16U);
    EXPECT_EQ(kernel.work, unit.kernels[0].work);
    ASSERT_EQ(read.globals.size(), 1U);
    EXPECT_TRUE(read.globals[0].is_constant);
    ASSERT_EQ(read.warnings.size(), unit.warnings.size());
    EXPECT_EQ(read.warnings[0].message, unit.warnings[0].message);
    EXPECT_EQ(read.log, unit.log);
    EXPECT_EQ(cpu::serialize(read), bytes);
}

TEST(Unit, ObjectsSurviveARoundTrip) {
    const auto unit = sample();
    cpu::Variant variant;
    variant.lanes = 8;
    variant.full = false;
    const auto object = compiler().build(unit, unit.kernels[0].name, variant, {});
    const auto read = cpu::deserialize_object(cpu::serialize(object));
    EXPECT_EQ(read.elf, object.elf);
    EXPECT_EQ(read.variant, variant);
    EXPECT_EQ(read.frame_bytes_per_warp, object.frame_bytes_per_warp);
}

TEST(Unit, EveryTruncationIsNoticed) {
    const std::string bytes = cpu::serialize(sample());
    for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 16) {
        EXPECT_THROW(cpu::deserialize_unit(std::string_view(bytes).substr(0, size)), Error) << size;
    }
    EXPECT_THROW(cpu::deserialize_unit(bytes + "x"), Error);
    EXPECT_THROW(cpu::deserialize_object(bytes), Error);
}

TEST(Unit, EveryChangedByteIsNoticed) {
    const std::string bytes = cpu::serialize(sample());
    std::mt19937 random(7);
    for (int i = 0; i < 500; ++i) {
        std::string damaged = bytes;
        damaged[random() % damaged.size()] ^= static_cast<char>(1U << (random() % 8));
        EXPECT_THROW(cpu::deserialize_unit(damaged), Error);
    }
}

TEST(Unit, UnknownKernelsAreNamed) {
    try {
        compiler().build(sample(), "nothing", {}, {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::not_found);
    }
}

TEST(Unit, BytesThatAreNoBitcodeAreAnError) {
    cpu::CompiledUnit unit = sample();
    unit.bitcode = std::string(200, 'x');
    EXPECT_THROW(compiler().build(unit, unit.kernels[0].name, {}, {}), Error);
    unit.bitcode = "";
    EXPECT_THROW(compiler().build_globals(unit, {}), Error);
}

TEST(Unit, DisassemblyIsText) {
    const auto unit = sample();
    const auto& name = unit.kernels[0].name;
    EXPECT_NE(compiler().disassemble(unit, name, {}, {}, "llvm").find("define"), std::string::npos);
    EXPECT_NE(compiler().disassemble(unit, name, {}, {}, "asm").find("heald_blocks"),
              std::string::npos);
    EXPECT_THROW(compiler().disassemble(unit, name, {}, {}, "sass"), Error);
}

}  // namespace
}  // namespace heald::test
