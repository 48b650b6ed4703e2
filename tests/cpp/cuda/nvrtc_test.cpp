// Compiles with the real NVRTC, which needs no GPU. Skipped, visibly, where there is none.

#include "src/jit/nvrtc/api.hpp"
#include "src/jit/nvrtc/compiler.hpp"
#include "src/jit/nvrtc/include_folders.hpp"
#include "src/jit/nvrtc/linker.hpp"
#include "src/jit/nvrtc/nvjitlink.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

namespace heald::nvrtc {
namespace {

class Nvrtc : public ::testing::Test {
protected:
    void SetUp() override {
        if (!library().available()) GTEST_SKIP() << library().why_missing();
    }

    static core::CompileRequest request(std::string source, std::vector<std::string> names = {}) {
        core::CompileRequest result;
        result.source = std::move(source);
        result.name = "k.cu";
        result.names = std::move(names);
        return result;
    }

    static core::CodeData compile(const std::string& source, std::vector<std::string> names = {}) {
        return nvrtc::compile(request(source, std::move(names)), "sm_90");
    }

    static const core::KernelSymbol& kernel(const core::CodeData& code, const std::string& name) {
        const auto found =
            std::find_if(code.kernels.begin(), code.kernels.end(), [&](const auto& symbol) {
                return symbol.display == name || symbol.lowered == name ||
                       symbol.expression == name;
            });
        if (found == code.kernels.end()) throw std::runtime_error("no kernel " + name);
        return *found;
    }

    static std::string signature(const core::CodeData& code, const std::string& name) {
        const core::KernelSymbol& symbol = kernel(code, name);
        return symbol.has_signature ? to_string(symbol.signature) : "unknown";
    }

    template <class Action>
    static CompileError compile_error_of(Action action) {
        try {
            action();
        } catch (const CompileError& error) {
            return error;
        }
        return CompileError("nothing was thrown", {}, "");
    }
};

TEST_F(Nvrtc, GivesExactSignatures) {
    const auto code = compile(R"(
        struct S { float a; double b; };
        typedef unsigned int word;
        #define REAL float
        extern "C" __global__ void plain(REAL* __restrict__ x, const double* y, const int n, S s,
                                         word w, bool b, void* p, const void* q, long long l) {}
        namespace ns { template <class T, int N> __global__ void scale(T* x, T a) { x[0] = a * N; } }
        __global__ void none() {}
        static __global__ void hidden(unsigned char c) {}
    )",
                              {"ns::scale<float, 4>", "ns::scale<double,2>"});
    const auto& plain = kernel(code, "plain");
    ASSERT_TRUE(plain.has_signature);
    const auto& p = plain.signature.parameters;
    ASSERT_EQ(p.size(), 9u);
    using Kind = Parameter::Kind;
    EXPECT_EQ(p[0].kind, Kind::pointer);
    EXPECT_EQ(p[0].dtype, DType::float32);
    EXPECT_FALSE(p[0].is_const);
    EXPECT_EQ(p[0].name, "x");
    EXPECT_EQ(p[1].dtype, DType::float64);
    EXPECT_TRUE(p[1].is_const);
    EXPECT_EQ(p[2].kind, Kind::scalar);
    EXPECT_EQ(p[2].dtype, DType::int32);
    EXPECT_EQ(p[3].kind, Kind::record);
    EXPECT_EQ(p[3].size, 16u);
    EXPECT_EQ(p[3].alignment, 8u);
    EXPECT_EQ(p[4].dtype, DType::uint32);
    EXPECT_EQ(p[5].dtype, DType::boolean);
    EXPECT_TRUE(p[6].is_void && !p[6].is_const);
    EXPECT_TRUE(p[7].is_void && p[7].is_const);
    EXPECT_EQ(p[8].dtype, DType::int64);
    const auto& scale = kernel(code, "ns::scale<float, 4>").signature.parameters;
    ASSERT_EQ(scale.size(), 2u);
    EXPECT_EQ(scale[0].dtype, DType::float32);
    EXPECT_EQ(scale[1].dtype, DType::float32);
    EXPECT_EQ(kernel(code, "ns::scale<double,2>").signature.parameters[1].dtype, DType::float64);
    EXPECT_TRUE(kernel(code, "none").signature.parameters.empty());
    EXPECT_TRUE(kernel(code, "none").has_signature);
    EXPECT_EQ(kernel(code, "hidden").signature.parameters[0].dtype, DType::uint8);
    EXPECT_TRUE(code.symbols_complete);
    EXPECT_EQ(code.format, "cubin");
    EXPECT_EQ(code.bytes.substr(1, 3), "ELF");
}

TEST_F(Nvrtc, FindsKernelsThatMacrosHide) {
    const auto code = compile(R"(
        #define KERNEL(name, T) extern "C" __global__ void name(T* x, int n) { x[0] = n; }
        KERNEL(first, float)
        KERNEL(second, double)
        #define OTHER(name) __global__ void name(short s) {}
        OTHER(third)
    )");
    ASSERT_EQ(code.kernels.size(), 3u);
    EXPECT_EQ(kernel(code, "first").signature.parameters.at(0).dtype, DType::float32);
    EXPECT_EQ(kernel(code, "second").signature.parameters.at(0).dtype, DType::float64);
    EXPECT_EQ(kernel(code, "third").signature.parameters.at(0).dtype, DType::int16);
}

TEST_F(Nvrtc, SignaturesNeverBreakAGoodCompile) {
    // Inactive branches, overloads, deleted declarations and a user's own macros.
    const auto code = compile(R"(
        #if 0
        __global__ void inactive(int*) {}
        __device__ int inactive_variable;
        #endif
        __global__ void twice(int* x) { x[0] = 1; }
        __global__ void twice(float* x) { x[0] = 1; }
        __global__ void good(int* x) { x[0] = 1; }
    )");
    EXPECT_EQ(code.kernels.size(), 3u);
    EXPECT_EQ(kernel(code, "good").signature.parameters.at(0).dtype, DType::int32);
    EXPECT_EQ(kernel(code, "_Z5twicePf").signature.parameters.at(0).dtype, DType::float32);
    const auto odd = compile(
        "__global__ void good(int* x) { x[0] = 1; }\n"
        "#define tag no such thing\n#define template struct");
    EXPECT_EQ(kernel(odd, "good").signature.parameters.at(0).dtype, DType::int32);
}

TEST_F(Nvrtc, ErrorsHaveTheUsersLinesAndColumns) {
    const auto error = compile_error_of([] {
        (void)compile(
            "__global__ void f(int* a) {\n    int x = 1;\n    b = 3;\n}\n"
            "__global__ void g() { return 1 }\n");
    });
    ASSERT_GE(error.diagnostics().size(), 2u) << error.what();
    const Diagnostic& first = error.diagnostics()[0];
    EXPECT_EQ(first.file, "k.cu");
    EXPECT_EQ(first.line, 3);
    EXPECT_EQ(first.column, 5);
    EXPECT_NE(first.message.find("\"b\" is undefined"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("k.cu:3:5"), std::string::npos) << error.what();
    EXPECT_EQ(error.log().find("heald"), std::string::npos) << error.log();
    EXPECT_NE(
        compile_error_of([] { (void)compile("#include <nothere.h>\n"); }).log().find("nothere.h"),
        std::string::npos);
    EXPECT_NE(compile_error_of([] { (void)compile("__global__ void f() { asm(\"bogus;\"); }"); })
                  .log()
                  .find("bogus"),
              std::string::npos);
}

TEST_F(Nvrtc, WarningsAreKept) {
    const std::string source = "__global__ void f(int* a) { int unused; a[0] = 1; }\n";
    const auto code = compile(source);
    ASSERT_EQ(code.warnings.size(), 1u) << code.log;
    EXPECT_EQ(code.warnings[0].line, 1);
    EXPECT_EQ(code.warnings[0].severity, Diagnostic::Severity::warning);
    auto strict = request(source);
    strict.options.warnings_as_errors = true;
    EXPECT_NE(std::string(compile_error_of([&] { (void)nvrtc::compile(strict, "sm_90"); }).what())
                  .find("never referenced"),
              std::string::npos);
}

TEST_F(Nvrtc, UnknownNamesSuggestNearOnes) {
    try {
        (void)compile("template <class T> __global__ void scale(T*) {}", {"scal<float>"});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::not_found);
        EXPECT_NE(std::string(error.what()).find("did you mean 'scale'"), std::string::npos)
            << error.what();
    }
}

TEST_F(Nvrtc, FindsVariables) {
    const auto code = compile(
        "__constant__ float weights[4]; namespace n { __device__ int count; }"
        "__global__ void f(float* x) { x[0] = weights[n::count]; }");
    ASSERT_EQ(code.variables.size(), 2u);
    EXPECT_EQ(code.variables[0].display, "weights");
    EXPECT_EQ(code.variables[0].lowered, "weights");
    EXPECT_TRUE(code.variables[0].is_constant);
    EXPECT_EQ(code.variables[1].display, "n::count");
    EXPECT_EQ(code.variables[1].lowered, "_ZN1n5countE");
    EXPECT_TRUE(code.has_mutable_globals);
}

TEST_F(Nvrtc, OptionsReachTheCompiler) {
    auto asked = request(
        "#if !defined(A) || B != 3 || __cplusplus < 201703L || defined(C)\n"
        "#error options\n#endif\n#include \"own.h\"\n"
        "__global__ void f(float* x) { x[0] = own(x[1]); }");
    asked.options.defines = {"A", "B=3", "C"};
    asked.options.undefines = {"C"};
    asked.options.standard = "c++17";
    asked.options.headers = {{"own.h", "__device__ float own(float x) { return x / 3; }"}};
    asked.options.fast_math = true;
    asked.options.max_registers = 32;
    asked.options.line_info = true;
    asked.options.contract = false;
    asked.options.extra = {"--device-int128"};
    asked.target = "ptx";
    const auto code = nvrtc::compile(asked, "sm_90");
    EXPECT_EQ(code.format, "ptx");
    EXPECT_NE(code.bytes.find("div.approx.ftz"), std::string::npos);
    EXPECT_NE(code.bytes.find(".target sm_90"), std::string::npos);
    asked.options.extra = {"--no-such-option"};
    try {
        (void)nvrtc::compile(asked, "sm_90");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("--no-such-option"), std::string::npos)
            << error.what();
    }
}

TEST_F(Nvrtc, TargetsAreChecked) {
    auto asked = request("__global__ void f() {}");
    const auto error = [&](const char* target, std::optional<std::string> architecture) {
        asked.target = target;
        asked.options.architecture = std::move(architecture);
        try {
            (void)nvrtc::compile(asked, "sm_90");
        } catch (const Error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    EXPECT_EQ(error("cubin", {}), "");
    EXPECT_EQ(error("ltoir", {}), "");
    EXPECT_EQ(error("", "compute_90"), "");
    EXPECT_NE(error("cpu", {}).find("'cpu' is not one of"), std::string::npos);
    EXPECT_NE(error("cubin", "compute_90").find("sm_90"), std::string::npos);
    EXPECT_NE(error("", "x86-64-v3").find("not a GPU architecture"), std::string::npos);
    EXPECT_NE(error("", "sm_20").find("does not compile for sm_20"), std::string::npos);
}

TEST_F(Nvrtc, ADeviceNewerThanTheCompilerGetsPtx) {
    const auto code = nvrtc::compile(request("__global__ void f() {}"), "sm_999");
    EXPECT_EQ(code.format, "ptx");
    EXPECT_EQ(kernel(code, "f").lowered, "_Z1fv");
}

TEST_F(Nvrtc, IncludedFilesAreDependencies) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("heald_nvrtc_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder / "deep");
    std::ofstream(folder / "a.h") << "#include \"deep/b.h\"\n";
    std::ofstream(folder / "deep" / "b.h") << "#include \"c.h\"\n__device__ int state;\n";
    std::ofstream(folder / "deep" / "c.h") << "struct C { int x; };\n";
    auto asked = request("#include <a.h>\n__global__ void f(C c, int* x) { x[0] = c.x + state; }");
    asked.options.include_paths = {folder.string()};
    const auto code = nvrtc::compile(asked, "sm_90");
    std::filesystem::remove_all(folder);
    ASSERT_EQ(code.dependencies.size(), 3u);
    EXPECT_TRUE(code.dependencies[0].ends_with("/a.h"));
    EXPECT_TRUE(code.dependencies[2].ends_with("/deep/c.h"));
    EXPECT_TRUE(code.has_mutable_globals) << "declared in an included file";
    EXPECT_EQ(kernel(code, "f").signature.parameters.at(0).size, 4u);
}

TEST_F(Nvrtc, CudaHeadersAreFound) {
    if (cuda_include_folders().empty()) GTEST_SKIP() << "no CUDA headers on this machine";
    const auto code = compile(
        "#include <cuda_fp16.h>\n#include <cuda/std/array>\n"
        "__global__ void f(__half* x, cuda::std::array<int, 3> a)"
        " { x[0] = __float2half(a[0]); }");
    const auto& p = kernel(code, "f").signature.parameters;
    ASSERT_EQ(p.size(), 2u);
    EXPECT_EQ(p[0].dtype, DType::float16);
    EXPECT_EQ(p[1].size, 12u);
}

TEST_F(Nvrtc, TheStandardHeadersThatKernelsUseAreThere) {
    const auto code = compile(R"(
        #include <cassert>
        #include <cfloat>
        #include <climits>
        #include <cmath>
        #include <cstddef>
        #include <cstdint>
        #include <cstdio>
        #include <cstdlib>
        #include <cstring>
        #include <limits>
        #include <new>
        #include <type_traits>
        #include <utility>
        #include <assert.h>
        #include <float.h>
        #include <limits.h>
        #include <math.h>
        #include <stddef.h>
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        template <class T> constexpr T twice(T x) { return 2 * x; }
        int plain(int x) { return x + 1; }
        template <size_t... I> __device__ int sum(std::index_sequence<I...>) { return (int(I) + ...); }
        enum class Color : uint8_t { red };
        struct Pod { int x; };
        static_assert(std::is_same_v<std::decay_t<const int (&)[3]>, const int*>);
        static_assert(std::is_same_v<std::make_unsigned_t<int64_t>, uint64_t>);
        static_assert(std::is_same_v<std::underlying_type_t<Color>, std::uint8_t>);
        static_assert(std::is_same_v<std::common_type_t<int, float>, float>);
        static_assert(std::is_trivially_copyable_v<Pod> && !std::is_integral_v<float>);
        static_assert(std::is_pointer_v<int*> && std::is_signed_v<int> && !std::is_signed_v<unsigned>);
        static_assert(std::is_same_v<std::conditional_t<true, int, float>, int>);
        static_assert(std::numeric_limits<int>::max() == INT_MAX);
        static_assert(std::numeric_limits<int>::min() == INT_MIN);
        static_assert(std::numeric_limits<uint64_t>::max() == UINT64_MAX);
        static_assert(std::numeric_limits<bool>::max() == true);
        static_assert(std::numeric_limits<float>::max() == FLT_MAX);
        static_assert(std::numeric_limits<double>::epsilon() == DBL_EPSILON);
        static_assert(std::numeric_limits<float>::infinity() > FLT_MAX);
        static_assert(sizeof(std::ptrdiff_t) == 8);
        __global__ void k(float* x, std::size_t n, int64_t i, std::uint32_t u) {
            x[0] = std::sqrt(x[1]) + std::pow(x[2], 2.0f) + std::abs(x[3]) + float(M_PI);
            x[1] = std::isnan(x[0]) ? INFINITY : NAN;
            x[2] = twice(3.0f) + plain(2) + sum(std::make_index_sequence<4>{});
            auto [a, b] = std::make_pair(1, 2.5f);
            std::swap(x[4], x[5]);
            int moved = std::move(a);
            std::memcpy(x + 6, x, 4);
            if (n == 0) std::printf("%d\n", moved);
            assert(b > 0);
            x[3] = std::numeric_limits<float>::quiet_NaN() + std::fmax(x[4], float(i + u));
        }
    )");
    const auto& p = kernel(code, "k").signature.parameters;
    ASSERT_EQ(p.size(), 4u);
    EXPECT_EQ(p[1].dtype, DType::uint64);
    EXPECT_EQ(p[2].dtype, DType::int64);
    EXPECT_EQ(p[3].dtype, DType::uint32);
}

TEST_F(Nvrtc, TheUsersHeadersWinOverHealdsOwn) {
    auto asked = request("#include <cstdint>\n__global__ void k(own_t x) {}");
    asked.options.headers = {{"cstdint", "typedef short own_t;"}};
    const auto code = nvrtc::compile(asked, "sm_90");
    EXPECT_EQ(kernel(code, "k").signature.parameters.at(0).dtype, DType::int16);
}

TEST_F(Nvrtc, ThreadsCompileAtOnce) {
    std::vector<std::thread> threads;
    std::atomic<int> good{0};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            const auto code = compile("__global__ void f" + std::to_string(t) + "(int* x) {}");
            good += code.kernels.size() == 1 && code.kernels[0].display == "f" + std::to_string(t);
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(good, 4);
}

TEST_F(Nvrtc, ObjectCodesAreLinked) {
    std::string why;
    if (!nvjitlink::usable(why)) GTEST_SKIP() << why;
    for (const char* target : {"cubin", "ptx", "ltoir"}) {
        auto user = request(
            "__device__ float f(float x);\n"
            "extern \"C\" __global__ void k(float* x, int n) { x[n] = f(x[n]); }");
        auto provider = request("__device__ float f(float x) { return 2 * x; }");
        user.options.relocatable = provider.options.relocatable = true;
        user.target = provider.target = target;
        const auto first = nvrtc::compile(user, "sm_90");
        const auto second = nvrtc::compile(provider, "sm_90");
        core::CompileRequest job;
        const auto by_driver = [](const LinkJob&) -> LinkResult { throw std::logic_error("no"); };
        const auto linked = nvrtc::link({&first, &second}, job, "sm_90", by_driver);
        EXPECT_EQ(linked.format, "cubin");
        const auto& p = kernel(linked, "k").signature.parameters;
        ASSERT_EQ(p.size(), 2u) << target;
        EXPECT_EQ(p[0].dtype, DType::float32);
        const auto error =
            compile_error_of([&] { (void)nvrtc::link({&first}, job, "sm_90", by_driver); });
        EXPECT_NE(error.log().find("_Z1ff"), std::string::npos) << target << error.what();
    }
}

}  // namespace
}  // namespace heald::nvrtc
