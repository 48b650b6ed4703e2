#include "src/jit/signature_reader.hpp"

#include <gtest/gtest.h>

namespace heald::jit {
namespace {

Signature read(const char* mangled) {
    auto signature = signature_from_mangled(mangled);
    if (!signature) {
        ADD_FAILURE() << mangled << " has no signature";
        return {};
    }
    return *signature;
}

TEST(SignatureReader, PlainKernels) {
    const Signature add = read("_Z3addPKfPfi");
    EXPECT_EQ(to_string(add), "(const float *, float *, int)");
    ASSERT_EQ(add.parameters.size(), 3u);
    EXPECT_EQ(add.parameters[0].kind, Parameter::Kind::pointer);
    EXPECT_EQ(add.parameters[0].dtype, DType::float32);
    EXPECT_TRUE(add.parameters[0].is_const);
    EXPECT_FALSE(add.parameters[1].is_const);
    EXPECT_EQ(add.parameters[2].kind, Parameter::Kind::scalar);
    EXPECT_EQ(add.parameters[2].dtype, DType::int32);
    EXPECT_EQ(add.parameters[2].size, 4u);
    EXPECT_EQ(add.source, Signature::Source::exact);
}

TEST(SignatureReader, EveryBuiltinScalar) {
    const Signature all = read("_Z1fbcahstijlmxyfd");
    const std::vector<DType> expected{DType::boolean, DType::int8,   DType::int8,  DType::uint8,
                                      DType::int16,   DType::uint16, DType::int32, DType::uint32,
                                      DType::int64,   DType::uint64, DType::int64, DType::uint64,
                                      DType::float32, DType::float64};
    ASSERT_EQ(all.parameters.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(all.parameters[i].dtype, expected[i]) << i;
        EXPECT_EQ(all.parameters[i].size, size_of(expected[i])) << i;
        EXPECT_EQ(all.parameters[i].alignment, size_of(expected[i])) << i;
    }
}

TEST(SignatureReader, NoParameters) {
    EXPECT_TRUE(read("_Z3nopv").parameters.empty());
    EXPECT_EQ(to_string(read("_Z3nopv")), "()");
    EXPECT_FALSE(signature_from_mangled("extern_c_kernel").has_value());
    EXPECT_FALSE(signature_from_mangled("f").has_value());
    EXPECT_FALSE(signature_from_mangled("_Znonsense").has_value());
}

TEST(SignatureReader, TemplatesNamespacesAndSubstitutions) {
    // template <class T, int N> void ns::scale(T*, const T*, ns::P, ns::P*)
    const Signature scale = read("_ZN2ns5scaleIfLi4EEEvPT_PKS1_NS_1PEPS5_");
    EXPECT_EQ(to_string(scale), "(float *, const float *, ns::P, ns::P *)");
    EXPECT_EQ(scale.parameters[2].kind, Parameter::Kind::record);
    EXPECT_EQ(scale.parameters[2].size, 0u);  // the name does not tell
    EXPECT_EQ(scale.parameters[3].dtype, DType::opaque);
    EXPECT_EQ(display_name("_ZN2ns5scaleIfLi4EEEvPT_PKS1_NS_1PEPS5_"), "ns::scale<float, 4>");
    EXPECT_EQ(display_name("plain"), "plain");
}

TEST(SignatureReader, PointersOfEveryKind) {
    // f(void*, const void*, float**, const float* const*, volatile int*, void (*)(int, float),
    // int&)
    const Signature all = read("_Z1fPvPKvPPfPKPKfPViPFvifERi");
    ASSERT_EQ(all.parameters.size(), 7u);
    for (const Parameter& parameter : all.parameters) {
        EXPECT_EQ(parameter.kind, Parameter::Kind::pointer) << parameter.type_name;
        EXPECT_EQ(parameter.size, 8u);
    }
    EXPECT_TRUE(all.parameters[0].is_void);
    EXPECT_FALSE(all.parameters[0].is_const);
    EXPECT_TRUE(all.parameters[1].is_void);
    EXPECT_TRUE(all.parameters[1].is_const);
    EXPECT_EQ(all.parameters[2].dtype, DType::opaque);
    EXPECT_FALSE(all.parameters[2].is_const);
    EXPECT_TRUE(all.parameters[3].is_const);
    EXPECT_EQ(all.parameters[3].type_name, "const float *const *");
    EXPECT_EQ(all.parameters[4].dtype, DType::int32);
    EXPECT_EQ(all.parameters[5].dtype, DType::opaque);
}

TEST(SignatureReader, HalvesComplexNumbersAndVectors) {
    const Signature all = read("_Z1fP6__halfPK13__nv_bfloat16S_6float4St7complexIfEPS6_");
    ASSERT_EQ(all.parameters.size(), 6u);
    EXPECT_EQ(all.parameters[0].dtype, DType::float16);
    EXPECT_EQ(all.parameters[1].dtype, DType::bfloat16);
    EXPECT_EQ(all.parameters[2].kind, Parameter::Kind::scalar);
    EXPECT_EQ(all.parameters[2].size, 2u);
    EXPECT_EQ(all.parameters[3].kind, Parameter::Kind::record);
    EXPECT_EQ(all.parameters[3].size, 16u);
    EXPECT_EQ(all.parameters[3].alignment, 16u);
    EXPECT_EQ(all.parameters[4].dtype, DType::complex64);
    EXPECT_EQ(all.parameters[5].dtype, DType::complex64);
    EXPECT_EQ(read("_Z1fPN6thrust7complexIdEE").parameters[0].dtype, DType::complex128);
}

TEST(SignatureReader, CarriedTypes) {
    // heald_::tag<void (const float*, float*, int), heald_::layout<8, 8, 4>> and the like.
    EXPECT_EQ(to_string(read("_ZN6heald_3tagIFvPKfPfiENS_6layoutIJLy8ELy8ELy4EEEEEE")),
              "(const float *, float *, int)");
    EXPECT_EQ(to_string(read("_ZN6heald_9signatureIPFvPKfPfiEEEvv")),
              "(const float *, float *, int)");
    EXPECT_EQ(to_string(read("_ZN6heald_3tagIFvvENS_6layoutIJEEEEE")), "()");
    // A function pointer among the parameters.
    EXPECT_EQ(read("_ZN6heald_3tagIFvPFifEiENS_6layoutIJEEEEE").parameters.size(), 2u);
}

TEST(SignatureReader, DriverSizesComplete) {
    Signature signature = read("_Z1fPf1Pi");
    const std::size_t sizes[] = {8, 12, 4};
    EXPECT_TRUE(complete_sizes(signature, sizes, 3));
    EXPECT_EQ(signature.parameters[1].size, 12u);
    EXPECT_EQ(signature.parameters[1].alignment, 4u);
    EXPECT_FALSE(complete_sizes(signature, sizes, 2));
    const std::size_t other[] = {8, 12, 8};
    EXPECT_FALSE(complete_sizes(signature, other, 3));
    const Signature only = signature_of_sizes(sizes, 3);
    EXPECT_EQ(only.source, Signature::Source::sizes_only);
    EXPECT_EQ(to_string(only), "(8 bytes, 12 bytes, 4 bytes)");
}

}  // namespace
}  // namespace heald::jit
