#include "src/jit/nvrtc/declarations.hpp"

#include <gtest/gtest.h>

namespace heald::nvrtc {
namespace {

std::vector<std::string> kernels(std::string_view source) {
    std::vector<std::string> names;
    for (const auto& kernel : find_declarations(source).kernels)
        names.push_back(kernel.name + (kernel.is_template ? "<>" : ""));
    return names;
}

using Names = std::vector<std::string>;

TEST(Declarations, FindsKernelsInScopes) {
    EXPECT_EQ(kernels(R"(
        extern "C" __global__ void a(float* x) { x[0] = 1; }
        extern "C" { __global__ void b() {} }
        namespace n { namespace { __global__ void c(int) {} } inline namespace v { } }
        namespace p::q { template <class T> __global__ void d(T* x) { if (x) { } } }
        static __global__ void __launch_bounds__(256, 2) e(const float* __restrict__ x, int n);
        __global__ __launch_bounds__(128) void f() {}
        struct S { int x; void g() { } };
        __device__ int h(int x) { return x; }
        void __global__ i(void) {}
    )"),
              (Names{"a", "b", "n::c", "p::q::d<>", "e", "f", "i"}));
}

TEST(Declarations, IgnoresWhatIsNotCode) {
    EXPECT_EQ(kernels(R"code(
        // __global__ void a() {}
        /* __global__ void b() {} */
        #define KERNEL __global__ void c() \
            {}
        const char* text = "__global__ void d() { ";
        const char* raw = R"x(__global__ void e() { " )x";
        constexpr int million = 1'000'000; constexpr char brace = '{';
        __global__ void f() {}
    )code"),
              (Names{"f"}));
}

TEST(Declarations, SurvivesBrokenSource) {
    for (const char* source :
         {"__global__ void a(", "__global__ void a(int {", "}}} __global__", "template <", "\"",
          "/*", "R\"x(", "namespace", "namespace a = b;", "#include", "#include <",
          "__global__ void", "extern \"C\" {", "__constant__", "__device__ int x", "'"})
        (void)find_declarations(source);
    EXPECT_EQ(kernels("} } __global__ void a() {} namespace n { __global__ void b() {} "),
              (Names{"a", "n::b"}));
}

TEST(Declarations, NamesParametersWhereTheyHaveNames) {
    const auto found = find_declarations(
        "__global__ void k(const float* __restrict__ x, unsigned long, float4 v, int (*t)[4],"
        " std::array<int, 3> a, int n = 2, float y[], unsigned int count, void* const p) {}"
        "__global__ void none() {} __global__ void nothing(void) {}");
    ASSERT_EQ(found.kernels.size(), 3u);
    EXPECT_EQ(found.kernels[0].parameters, (Names{"x", "", "v", "", "a", "n", "y", "count", "p"}));
    EXPECT_TRUE(found.kernels[1].parameters.empty());
    EXPECT_TRUE(found.kernels[2].parameters.empty());
}

TEST(Declarations, ADefinitionWinsOverItsPrototype) {
    const auto found = find_declarations(
        "__global__ void k(float*, int);"
        "__global__ void k(float* x, int n) { }");
    ASSERT_EQ(found.kernels.size(), 1u);
    EXPECT_EQ(found.kernels[0].parameters, (Names{"x", "n"}));
}

TEST(Declarations, FindsVariables) {
    const auto found = find_declarations(R"(
        __constant__ float weights[16];
        namespace n { __device__ int counter = 0; }
        __device__ __align__(16) float4 table[4];
        extern __shared__ float tile[];
        template <class T> __device__ T generic;
        __device__ float f(float x) { return x; }
        struct __align__(8) P { int x; };
        __device__ P point{1};
        int host;
    )");
    Names names;
    for (const auto& variable : found.variables) names.push_back(variable.name);
    EXPECT_EQ(names, (Names{"weights", "n::counter", "table", "point"}));
    EXPECT_TRUE(found.variables[0].is_constant);
    EXPECT_FALSE(found.variables[1].is_constant);
    EXPECT_TRUE(found.has_mutable_globals);
}

TEST(Declarations, KnowsWhetherInstancesWouldShareState) {
    EXPECT_FALSE(find_declarations("__global__ void k(int* x) { static const int a = 1; }")
                     .has_mutable_globals);
    EXPECT_FALSE(find_declarations("__device__ const int a = 1; __device__ constexpr int b = 2;")
                     .has_mutable_globals);
    EXPECT_TRUE(find_declarations("__device__ int f() { static int calls; return ++calls; }")
                    .has_mutable_globals);
    EXPECT_TRUE(find_declarations("template <class T> __device__ T x;").has_mutable_globals);
    EXPECT_TRUE(find_declarations("__managed__ int x;").has_mutable_globals);
}

TEST(Declarations, ListsIncludes) {
    const auto found = find_declarations(
        "#include <a.h>\n  #  include \"b/c.h\" // x\n"
        "// #include <d.h>\n#include MACRO\n");
    ASSERT_EQ(found.includes.size(), 2u);
    EXPECT_EQ(found.includes[0].name, "a.h");
    EXPECT_FALSE(found.includes[0].quoted);
    EXPECT_EQ(found.includes[1].name, "b/c.h");
    EXPECT_TRUE(found.includes[1].quoted);
}

}  // namespace
}  // namespace heald::nvrtc
