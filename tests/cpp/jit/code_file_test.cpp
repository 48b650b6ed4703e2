#include "src/jit/code_file.hpp"

#include <gtest/gtest.h>

namespace heald::jit {
namespace {

core::CodeData sample() {
    core::CodeData code;
    code.kind = DeviceKind::cuda;
    code.format = "cubin";
    code.name = "a.cu";
    code.bytes = std::string("\0\1\2bytes", 8);
    core::KernelSymbol kernel{"_Z1fPf", "f", "f<float>", {}, true};
    kernel.signature.parameters.push_back(
        {Parameter::Kind::pointer, DType::float32, true, false, 8, 8, "const float *", "x"});
    code.kernels = {kernel, {"g", "g", "", {}, false}};
    code.variables = {{"_Z1t", "t", true}};
    code.dependencies = {"/a.h", "/b.h"};
    code.warnings = {{Diagnostic::Severity::warning, "a.cu", 3, 4, "unused"}};
    code.log = "log";
    code.symbols_complete = true;
    code.has_mutable_globals = true;
    return code;
}

TEST(CodeFile, RoundTrip) {
    const auto code = deserialize(serialize(sample()));
    ASSERT_TRUE(code.has_value());
    EXPECT_EQ(code->kind, DeviceKind::cuda);
    EXPECT_EQ(code->format, "cubin");
    EXPECT_EQ(code->bytes, sample().bytes);
    ASSERT_EQ(code->kernels.size(), 2u);
    EXPECT_EQ(code->kernels[0].expression, "f<float>");
    const Parameter& parameter = code->kernels[0].signature.parameters.at(0);
    EXPECT_EQ(parameter.dtype, DType::float32);
    EXPECT_TRUE(parameter.is_const);
    EXPECT_EQ(parameter.type_name, "const float *");
    EXPECT_EQ(parameter.name, "x");
    EXPECT_FALSE(code->kernels[1].has_signature);
    EXPECT_TRUE(code->variables.at(0).is_constant);
    EXPECT_EQ(code->dependencies, sample().dependencies);
    EXPECT_EQ(code->warnings.at(0).line, 3);
    EXPECT_TRUE(code->symbols_complete);
    EXPECT_TRUE(code->has_mutable_globals);
    EXPECT_EQ(serialize(*code), serialize(sample()));
}

TEST(CodeFile, EveryTruncationIsRefused) {
    const std::string bytes = serialize(sample());
    for (std::size_t length = 0; length < bytes.size(); ++length)
        EXPECT_FALSE(deserialize(std::string_view(bytes).substr(0, length)).has_value()) << length;
    EXPECT_FALSE(deserialize(bytes + "x").has_value());
}

TEST(CodeFile, DamageNeverCrashes) {
    const std::string bytes = serialize(sample());
    for (std::size_t at = 0; at < bytes.size(); ++at)
        for (const char value : {'\0', '\x7f', '\xff'}) {
            std::string damaged = bytes;
            damaged[at] = value;
            (void)deserialize(damaged);
        }
}

}  // namespace
}  // namespace heald::jit
