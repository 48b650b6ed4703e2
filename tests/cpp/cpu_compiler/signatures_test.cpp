#include "tests/cpp/cpu_compiler/compiled_program.hpp"

#include <gtest/gtest.h>

namespace heald::test {
namespace {

using Kind = Parameter::Kind;

std::vector<Parameter> parameters_of(const std::string& list, const std::string& before = "") {
    const auto unit = compiler().compile(
        source_of(before + "\nextern \"C\" __global__ void k(" + list + ") {}\n"));
    EXPECT_EQ(unit.kernels.size(), 1U);
    return unit.kernels.at(0).signature.parameters;
}

struct Row {
    const char* type;
    DType dtype;
    std::size_t size;
};

class ScalarParameter : public testing::TestWithParam<Row> {};

TEST_P(ScalarParameter, HasItsDtypeByValueAndBehindAPointer) {
    const std::string type = GetParam().type;
    const auto found = parameters_of(type + " value, " + type + "* out, const " + type + "* in");
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].kind, Kind::scalar);
    EXPECT_EQ(found[0].dtype, GetParam().dtype);
    EXPECT_EQ(found[0].size, GetParam().size);
    EXPECT_EQ(found[0].alignment, GetParam().size);
    EXPECT_EQ(found[0].name, "value");
    for (int i : {1, 2}) {
        EXPECT_EQ(found[i].kind, Kind::pointer);
        EXPECT_EQ(found[i].dtype, GetParam().dtype);
        EXPECT_EQ(found[i].size, sizeof(void*));
        EXPECT_EQ(found[i].is_const, i == 2);
        EXPECT_FALSE(found[i].is_void);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Types, ScalarParameter,
    testing::Values(Row{"bool", DType::boolean, 1}, Row{"char", DType::int8, 1},
                    Row{"signed char", DType::int8, 1}, Row{"unsigned char", DType::uint8, 1},
                    Row{"short", DType::int16, 2}, Row{"unsigned short", DType::uint16, 2},
                    Row{"int", DType::int32, 4}, Row{"unsigned", DType::uint32, 4},
                    Row{"long", DType::int64, 8}, Row{"unsigned long", DType::uint64, 8},
                    Row{"long long", DType::int64, 8}, Row{"unsigned long long", DType::uint64, 8},
                    Row{"size_t", DType::uint64, 8}, Row{"wchar_t", DType::int32, 4},
                    Row{"char16_t", DType::uint16, 2}, Row{"float", DType::float32, 4},
                    Row{"double", DType::float64, 8}, Row{"_Float16", DType::float16, 2},
                    Row{"__bf16", DType::bfloat16, 2}));

TEST(Signatures, ResolveTypedefsAndMacros) {
    const auto found = parameters_of("real a, const vec* b, COUNT n",
                                     "typedef float real; using vec = const real;\n"
                                     "#define COUNT unsigned int\n");
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].dtype, DType::float32);
    EXPECT_EQ(found[1].type_name, "const float *");
    EXPECT_TRUE(found[1].is_const);
    EXPECT_EQ(found[2].type_name, "unsigned int");
}

TEST(Signatures, KnowVoidPointersStructuresAndPointersToPointers) {
    const auto found = parameters_of("void* a, const void* b, S s, S* p, float** q",
                                     "struct S { double x; char c; };");
    ASSERT_EQ(found.size(), 5U);
    EXPECT_TRUE(found[0].is_void);
    EXPECT_FALSE(found[0].is_const);
    EXPECT_TRUE(found[1].is_void);
    EXPECT_TRUE(found[1].is_const);
    EXPECT_EQ(found[2].kind, Kind::record);
    EXPECT_EQ(found[2].size, 16U);
    EXPECT_EQ(found[2].alignment, 8U);
    EXPECT_EQ(found[2].type_name, "S");
    EXPECT_EQ(found[3].kind, Kind::pointer);
    EXPECT_EQ(found[3].dtype, DType::opaque);
    EXPECT_EQ(found[4].dtype, DType::opaque);
}

TEST(Signatures, TreatEnumerationsAsTheirIntegers) {
    const auto found =
        parameters_of("E e, F f", "enum class E : unsigned char { a }; enum F { b };");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].dtype, DType::uint8);
    EXPECT_EQ(found[0].size, 1U);
    EXPECT_EQ(found[1].size, 4U);
}

TEST(Signatures, DropRestrictAndTopLevelConst) {
    const auto found = parameters_of("const int n, float* __restrict__ const out");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].type_name, "int");
    EXPECT_EQ(found[1].type_name, "float *");
    EXPECT_FALSE(found[1].is_const);
}

TEST(Signatures, KnowHalfTypesOfTheHeaders) {
    const auto unit = compiler().compile(source_of(
        "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
        "extern \"C\" __global__ void k(__half a, const half* b, __nv_bfloat16* c) {}\n"));
    const auto& found = unit.kernels.at(0).signature.parameters;
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].dtype, DType::float16);
    EXPECT_EQ(found[0].kind, Kind::scalar);
    EXPECT_EQ(found[1].dtype, DType::float16);
    EXPECT_EQ(found[2].dtype, DType::bfloat16);
}

TEST(Signatures, KeepLaunchBounds) {
    const auto unit = compiler().compile(
        source_of("constexpr int N = 64;\n"
                  "extern \"C\" __global__ void __launch_bounds__(N * 2) a() {}\n"
                  "template <int M> __global__ void __launch_bounds__(M, 2) b() {}\n"
                  "template __global__ void b<96>();\n"
                  "extern \"C\" __global__ void c() {}\n"));
    std::map<std::string, std::uint32_t> bounds;
    for (const auto& kernel : unit.kernels) {
        bounds[kernel.display_name] = kernel.max_threads_per_block;
    }
    EXPECT_EQ(bounds.at("a"), 128U);
    EXPECT_EQ(bounds.at("b<96>"), 96U);
    EXPECT_EQ(bounds.at("c"), 0U);
}

TEST(Signatures, RejectReferences) {
    const CompileError error = error_of(source_of("__global__ void k(\n    const float& x) {}\n"));
    ASSERT_FALSE(error.diagnostics().empty());
    EXPECT_EQ(error.diagnostics()[0].line, 2);
    EXPECT_EQ(error.diagnostics()[0].column, 18);
    EXPECT_NE(std::string(error.what()).find("reference"), std::string::npos);
}

}  // namespace
}  // namespace heald::test
