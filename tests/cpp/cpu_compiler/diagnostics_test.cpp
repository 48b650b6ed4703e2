#include "tests/cpp/cpu_compiler/compiled_program.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace heald::test {
namespace {

using Severity = Diagnostic::Severity;

const Diagnostic& first_error(const CompileError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) {
        if (diagnostic.severity == Severity::error) return diagnostic;
    }
    throw std::runtime_error("no error in: " + error.log());
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(Diagnostics, PlaceAndCountAreTheUsers) {
    auto input = source_of(
        "extern \"C\" __global__ void k(float* x) {\n"
        "    int i = threadIdx.x;\n"
        "    x[i] = undefined_name;\n"
        "    other_name = 1;\n"
        "}\n");
    input.name = "add.cu";
    const CompileError error = error_of(input);
    const Diagnostic& first = first_error(error);
    EXPECT_EQ(first.file, "add.cu");
    EXPECT_EQ(first.line, 3);
    EXPECT_EQ(first.column, 12);
    EXPECT_EQ(first.message, "use of undeclared identifier 'undefined_name'");
    EXPECT_EQ(std::string(error.what()),
              "add.cu:3:12: error: use of undeclared identifier 'undefined_name' (2 errors)");
    EXPECT_TRUE(has(error.log(), "    x[i] = undefined_name;")) << error.log();
    EXPECT_TRUE(has(error.log(), "^")) << error.log();
    EXPECT_EQ(error.kind(), ErrorKind::compile);
}

TEST(Diagnostics, OneErrorHasNoCount) {
    const CompileError error = error_of(source_of("__global__ void k() { x = 1; }\n"));
    EXPECT_EQ(std::string(error.what()), "kernel.cu:1:23: error: use of undeclared identifier 'x'");
}

TEST(Diagnostics, ErrorsInUserHeadersNameTheHeader) {
    auto input = source_of("#include \"lib/util.h\"\n__global__ void k() {}\n");
    input.headers = {{"lib/util.h", "\n\n__device__ int f() { return y; }\n"}};
    const CompileError error = error_of(input);
    const Diagnostic& first = first_error(error);
    EXPECT_EQ(first.file, "lib/util.h");
    EXPECT_EQ(first.line, 3);
    EXPECT_EQ(first.column, 29);
    EXPECT_FALSE(has(error.log(), "/heald/")) << error.log();
}

TEST(Diagnostics, ErrorsInHeadersOnDiskNameTheFile) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("heald_headers_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "disk.h") << "__device__ int f() { return zz; }\n";
    auto input = source_of("#include <disk.h>\n__global__ void k() {}\n");
    input.include_paths = {folder.string()};
    const CompileError error = error_of(input);
    EXPECT_EQ(first_error(error).file, (folder / "disk.h").string());
    EXPECT_EQ(first_error(error).line, 1);
    std::ofstream(folder / "disk.h") << "__device__ int f() { return 1; }\n";
    const auto unit = compiler().compile(input);
    EXPECT_EQ(unit.dependencies, std::vector<std::string>{(folder / "disk.h").string()});
    std::filesystem::remove_all(folder);
}

TEST(Diagnostics, AMissingHeaderIsNamed) {
    const CompileError error = error_of(source_of("\n#include \"nowhere.h\"\n"));
    EXPECT_EQ(first_error(error).line, 2);
    EXPECT_EQ(first_error(error).message, "'nowhere.h' file not found");
}

TEST(Diagnostics, WarningsAreKeptAndCanBeErrors) {
    auto input = source_of("__global__ void k(int* x) { *x = 5 / 0; }\n");
    const auto unit = compiler().compile(input);
    ASSERT_EQ(unit.warnings.size(), 1U);
    EXPECT_EQ(unit.warnings[0].severity, Severity::warning);
    EXPECT_EQ(unit.warnings[0].line, 1);
    EXPECT_TRUE(has(unit.log, "warning: division by zero")) << unit.log;
    input.warnings_as_errors = true;
    EXPECT_TRUE(has(error_of(input).what(), "division by zero"));
}

TEST(Diagnostics, ACleanSourceHasNoWarnings) {
    const auto unit =
        compiler().compile(source_of("__global__ void k(float* x) { x[threadIdx.x] = "
                                     "sinf(x[threadIdx.x]); __syncthreads(); }\n"));
    EXPECT_TRUE(unit.warnings.empty()) << unit.log;
    EXPECT_EQ(unit.log, "");
}

TEST(Diagnostics, MistakesInCallsOfHeadersPointAtTheUsersLine) {
    const CompileError error = error_of(
        source_of("struct S { int a; };\n__global__ void k(S* s) {\n    atomicAdd(s, 1);\n}\n"));
    EXPECT_EQ(first_error(error).file, "kernel.cu");
    EXPECT_EQ(first_error(error).line, 3);
}

TEST(Diagnostics, UnbalancedSourcesAreReportedInTheSource) {
    const CompileError error = error_of(
        source_of("template <class T> __global__ void k(T* x) {\n    *x = 1;\n", {"k<int>"}));
    const Diagnostic& first = first_error(error);
    EXPECT_EQ(first.file, "kernel.cu");
    EXPECT_LE(first.line, 3);
    EXPECT_FALSE(has(error.log(), "__heald_name")) << error.log();
}

TEST(Diagnostics, MacrosOfTheUserPointAtTheirUse) {
    auto input = source_of("\n__global__ void k(int* x) { *x = BAD; }\n");
    input.defines = {"BAD=no_such_thing"};
    EXPECT_EQ(first_error(error_of(input)).line, 2);
}

TEST(Diagnostics, InlineAssemblyIsRefused) {
    const CompileError error =
        error_of(source_of("\n__global__ void k(int* x) { int y; asm(\"mov.u32 %0, %laneid;\" : "
                           "\"=r\"(y)); *x = y; }\n"));
    EXPECT_TRUE(has(error.what(), "inline assembly")) << error.what();
    EXPECT_EQ(first_error(error).line, 2) << error.what();
    EXPECT_EQ(first_error(error).file, "kernel.cu");
}

TEST(Diagnostics, BarriersWhereTheyCannotBeHaveALine) {
    const CompileError error = error_of(
        source_of("__device__ int f(int n) {\n  if (n == 0) return 0;\n  __syncthreads();\n"
                  "  return f(n - 1) + 1;\n}\n__global__ void k(int* x) { x[0] = f(*x); }\n"));
    EXPECT_TRUE(has(error.what(), "f(int)")) << error.what();
    EXPECT_FALSE(has(error.what(), "__heald")) << error.what();
    EXPECT_GT(first_error(error).line, 0) << error.what();
}

TEST(Diagnostics, EmptyAssemblyIsABarrierForTheCompiler) {
    CompiledProgram program(
        "extern \"C\" __global__ void k(float* x) { float y = x[threadIdx.x];"
        " asm volatile(\"\" : \"+r\"(*(int*)&y)); asm volatile(\"\" ::: \"memory\");"
        " x[threadIdx.x] = y + 1; }\n");
    std::vector<float> x(40, 2.0F);
    program.run("k", line(1, 40), x.data());
    EXPECT_EQ(x, std::vector<float>(40, 3.0F));
}

TEST(Diagnostics, PtxConstraintsAreExplained) {
    const CompileError error = error_of(source_of(
        "__global__ void k(float* x) { float y; asm(\"rcp.approx.f32 %0, %1;\" : \"=f\"(y) :"
        " \"f\"(*x)); *x = y; }\n"));
    EXPECT_TRUE(has(error.what(), "PTX")) << error.what();
}

TEST(Diagnostics, HostFunctionsInKernelsAreRefused) {
    const CompileError error = error_of(source_of(
        "__host__ int host() { return 1; }\n__global__ void k(int* x) { *x = host(); }\n"));
    EXPECT_EQ(first_error(error).line, 2);
    EXPECT_TRUE(has(error.log(), "__host__ function")) << error.log();
}

TEST(Diagnostics, UnknownStandardsAreListed) {
    auto input = source_of("");
    input.standard = "c++11";
    EXPECT_TRUE(has(error_of(input).what(), "c++20"));
}

TEST(Diagnostics, AnyFileNameWillDo) {
    for (const char* name :
         {"<string>", "-x y\"q.cu", "a/b c.cu", "/no/where.cu", "x", "\u00fc.cu"}) {
        auto input = source_of("\n\n__global__ void k(int* x) { *x = y; }\n", {"t<int>"});
        input.name = name;
        const CompileError error = error_of(input);
        EXPECT_EQ(first_error(error).file, name) << error.log();
        EXPECT_EQ(first_error(error).line, 3) << name;
        EXPECT_EQ(error.log().find(name), 0U) << error.log();
    }
    auto input = source_of("__global__ void k(int* x) { *x = y; }\n");
    input.name = "";
    EXPECT_EQ(first_error(error_of(input)).file, "kernel.cu");
}

TEST(Diagnostics, OddBytesAndLineEndsDoNotShiftLines) {
    const CompileError error =
        error_of(source_of("\xef\xbb\xbf__global__ void k(int* x) {\r\n  *x = 1;\r\n  bad;\r\n}"));
    EXPECT_EQ(first_error(error).line, 3);
    EXPECT_EQ(first_error(error).column, 3);
    error_of(source_of(std::string("__global__ void k() {}\0garbage", 30)));
    error_of(source_of("/* never closed"));
    error_of(source_of("#if 1\n__global__ void k() {}\n"));
    error_of(source_of("__global__ void k() {" + std::string(3000, '(')));
}

TEST(Diagnostics, FileMacroIsTheUsersName) {
    auto input = source_of("__global__ void k(int* x) { *x = sizeof(__FILE__); }\n");
    input.name = "abc.cu";
    CompiledProgram program(compiler().compile(input));
    int size = 0;
    program.run("k", line(1, 1), &size);
    EXPECT_EQ(size, 7);
}

}  // namespace
}  // namespace heald::test
