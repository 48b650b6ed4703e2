// Kernels by name, launches and their checks.

#include "tests/cpp/core/fake_backend.hpp"

#include <heald/heald.hpp>

#include <gtest/gtest.h>
#include <thread>

namespace heald {
namespace {

/// The kind and text that a call fails with.
template <class Function>
std::pair<ErrorKind, std::string> failure(Function&& function) {
    try {
        function();
    } catch (const Error& error) {
        return {error.kind(), error.what()};
    }
    ADD_FAILURE() << "did not throw";
    return {ErrorKind::device, ""};
}

#define EXPECT_HAS(text, part) \
    EXPECT_NE((text).find(part), std::string::npos) << "'" << (part) << "' is not in: " << (text)

class Launch : public ::testing::Test {
protected:
    fake::Machine machine;
    Stream stream = machine.device.default_stream();

    static ProgramOptions uncached() {
        ProgramOptions options;
        options.use_cache = false;
        return options;
    }
    ObjectCode compile(const std::string& source, const std::vector<std::string>& names = {}) {
        return Program(source, "test.cu", uncached(), machine.device).compile("", names);
    }
    Kernel kernel(const std::string& line = "kernel add add in out int") {
        const ObjectCode code = compile(line);
        return code.get_kernel(code.kernel_names().front(), machine.device);
    }
};

TEST_F(Launch, RunsWithCheckedArguments) {
    const Kernel add = kernel();
    const Buffer x(64, stream);
    const Buffer y(64, stream);
    add({1, 32}, stream, x, y, 16);
    add({1, 32}, stream, x, y, std::uint64_t{16});
    add({1, 32}, stream, nullptr, y, 16);
    EXPECT_EQ(machine.backend->take_log().size(), 3u);
}

TEST_F(Launch, CountAndTypesAreChecked) {
    const Kernel add = kernel();
    const Buffer x(64, stream);
    auto [kind, what] = failure([&] { add({1, 32}, stream, x, x); });
    EXPECT_EQ(kind, ErrorKind::type_mismatch);
    EXPECT_HAS(what, "takes 3 arguments (in, out, int), got 2");

    std::tie(kind, what) = failure([&] { add({1, 32}, stream, x, x, 1.5); });
    EXPECT_EQ(kind, ErrorKind::type_mismatch);
    EXPECT_HAS(what, "argument 3 of 'add' is int, got float64 1.5");

    std::tie(kind, what) = failure([&] { add({1, 32}, stream, x, x, std::int64_t{1} << 40); });
    EXPECT_EQ(kind, ErrorKind::invalid_value);
    EXPECT_HAS(what, "does not fit");

    std::tie(kind, what) = failure([&] { add({1, 32}, stream, 1, x, 1); });
    EXPECT_EQ(kind, ErrorKind::type_mismatch);
    EXPECT_HAS(what, "argument 1 of 'add' is in, got int32 1");

    std::tie(kind, what) = failure([&] { add({1, 32}, stream, x, x, x); });
    EXPECT_EQ(kind, ErrorKind::type_mismatch);
    EXPECT_TRUE(machine.backend->take_log().empty());
}

TEST_F(Launch, ArraysBringTheirDtype) {
    const Kernel add = kernel();
    const Array good({16}, DType::float32, stream);
    const Array wrong({16}, DType::float64, stream);
    add({1, 32}, stream, good, good, 16);
    auto [kind, what] = failure([&] { add({1, 32}, stream, wrong, good, 16); });
    EXPECT_EQ(kind, ErrorKind::type_mismatch);
    EXPECT_HAS(what, "float64");
    const Array square({4, 4}, DType::float32, stream);
    std::tie(kind, what) = failure([&] { add({1, 32}, stream, square.transpose(), good, 16); });
    EXPECT_EQ(kind, ErrorKind::type_mismatch);
    EXPECT_HAS(what, "not C-contiguous");
}

TEST_F(Launch, ReadOnlyMemoryIsNotWritten) {
    const Kernel add = kernel();
    char memory[64] = {};
    const Buffer constant = Buffer::wrap(memory, 64, machine.device, nullptr, true);
    const Buffer y(64, stream);
    add({1, 32}, stream, constant, y, 16);
    const auto [kind, what] = failure([&] { add({1, 32}, stream, y, constant, 16); });
    EXPECT_EQ(kind, ErrorKind::type_mismatch);
    EXPECT_HAS(what, "read-only");
}

TEST_F(Launch, MemoryOfAnotherDeviceIsRefused) {
    fake::Machine other;
    const Kernel add = kernel();
    const Buffer here(64, stream);
    const Buffer there(64, other.device.default_stream());
    const auto [kind, what] = failure([&] { add({1, 32}, stream, there, here, 16); });
    EXPECT_EQ(kind, ErrorKind::invalid_value);
    EXPECT_HAS(what, "got memory of cpu");
}

TEST_F(Launch, ConfigurationIsChecked) {
    const Kernel nop = kernel("kernel nop nop");
    const auto launch = [&](const LaunchConfig& config) {
        return failure([&] { nop(config, stream); });
    };
    EXPECT_HAS(launch({0, 32}).second, "the grid (0, 1, 1) of 'nop' is empty");
    EXPECT_HAS(launch({{1, 0, 1}, 32}).second, "is empty");
    EXPECT_HAS(launch({1, 0}).second, "the block (0, 1, 1) of 'nop' is empty");
    EXPECT_HAS(launch({{1, 65536}, 32}).second, "grid.y may be at most 65535");
    EXPECT_HAS(launch({1, {1, 1, 65}}).second, "block.z may be at most 64");
    EXPECT_HAS(launch({1, {1024, 2}}).second, "has 2048 threads: at most 1024 are allowed");
    EXPECT_HAS(launch({1, 513}).second, "this kernel allows at most 512 (its __launch_bounds__");
    EXPECT_HAS(launch({1, 32, 50000}).second, "50000 bytes of dynamic shared memory");
    LaunchConfig cluster{2, 32};
    cluster.cluster = {2, 1, 1};
    EXPECT_EQ(launch(cluster).first, ErrorKind::unavailable);
    LaunchConfig cooperative{1, 32};
    cooperative.cooperative = true;
    EXPECT_EQ(launch(cooperative).first, ErrorKind::unavailable);
    nop({1, 512, 48 * 1024}, stream);  // the next correct call works
    EXPECT_EQ(machine.backend->take_log().size(), 1u);
}

TEST_F(Launch, ClosedObjectsSaySo) {
    Kernel nop = kernel("kernel nop nop");
    Stream own(machine.device);
    const BoundLaunch bound = nop.bind({1, 32}, own, {});
    bound();
    own.close();
    EXPECT_EQ(failure([&] { nop({1, 32}, own); }).first, ErrorKind::closed);
    EXPECT_EQ(failure([&] { bound(); }).first, ErrorKind::closed);
    nop.close();
    EXPECT_EQ(failure([&] { nop({1, 32}, stream); }).first, ErrorKind::closed);
    ObjectCode code = compile("kernel f f");
    code.close();
    EXPECT_EQ(failure([&] { (void)code.get_kernel("f", machine.device); }).first,
              ErrorKind::closed);
    EXPECT_EQ(failure([&] { (void)ObjectCode().bytes(); }).first, ErrorKind::closed);
    Buffer buffer(16, stream);
    buffer.close();
    EXPECT_EQ(failure([&] { (void)buffer.data(); }).first, ErrorKind::closed);
}

TEST_F(Launch, StreamOfAnotherDeviceIsRefused) {
    fake::Machine other;
    const Kernel nop = kernel("kernel nop nop");
    const auto [kind, what] = failure([&] { nop({1, 32}, other.device.default_stream()); });
    EXPECT_EQ(kind, ErrorKind::invalid_value);
    EXPECT_HAS(what, "the stream is of cpu");
}

TEST_F(Launch, FailedLaunchLeavesNoUse) {
    const Kernel add = kernel();
    const Stream second(machine.device);
    const Buffer x(64, stream);
    machine.backend->fail_launches = true;
    EXPECT_EQ(failure([&] { add({1, 32}, stream, x, x, 1); }).first, ErrorKind::device);
    machine.backend->fail_launches = false;
    (void)machine.backend->take_log();
    add({1, 32}, second, x, x, 1);
    EXPECT_EQ(machine.backend->take_log(), (std::vector<std::string>{"1: launch"}));
}

TEST_F(Launch, BoundLaunchesAreOrdered) {
    const Kernel add = kernel();
    const Stream second(machine.device);
    const Buffer x(64, stream);
    const std::array<Argument, 3> arguments{Argument(x), Argument(x), Argument(1)};
    const BoundLaunch bound = add.bind({1, 32}, stream, arguments);
    bound();
    x.fill(0, 1, second);
    bound();
    EXPECT_EQ(machine.backend->take_log(),
              (std::vector<std::string>{"0: bound", "1: wait 0@1", "1: fill", "0: wait 1@1",
                                        "0: bound"}));
}

TEST_F(Launch, NamesAreFoundBySpelling) {
    const ObjectCode code =
        compile("kernel _Z3addi add int\nkernel plain plain\ntemplate scale", {"scale<float, 4>"});
    for (const char* name : {"add", "_Z3addi", "add(int)", "::add", "plain", "scale<float,4>",
                             " scale < float , 4u >", "scale<float, (int)4>"})
        EXPECT_NO_THROW((void)code.get_kernel(name, machine.device)) << name;
}

TEST_F(Launch, UnknownNamesSuggest) {
    const ObjectCode code = compile("kernel saxpy saxpy\nkernel reduce reduce");
    const auto [kind, what] = failure([&] { (void)code.get_kernel("sapxy", machine.device); });
    EXPECT_EQ(kind, ErrorKind::not_found);
    EXPECT_HAS(what, "did you mean 'saxpy'?");
    EXPECT_HAS(failure([&] { (void)code.get_kernel("zzz", machine.device); }).second,
               "its kernels are reduce, saxpy");
    const ObjectCode empty = compile("nothing here");
    EXPECT_HAS(failure([&] { (void)empty.get_kernel("f", machine.device); }).second,
               "no __global__ function");
}

TEST_F(Launch, OverloadsAreListed) {
    const ObjectCode code = compile("kernel _Z3addi add int\nkernel _Z3addf add float");
    const auto [kind, what] = failure([&] { (void)code.get_kernel("add", machine.device); });
    EXPECT_EQ(kind, ErrorKind::invalid_value);
    EXPECT_HAS(what, "add(int)");
    EXPECT_HAS(what, "add(float)");
    EXPECT_HAS(what, "_Z3addf");
    EXPECT_NO_THROW((void)code.get_kernel("add(float)", machine.device));
}

TEST_F(Launch, InstancesAreCompiledLaterIfThatIsSafe) {
    const ObjectCode code = compile("template scale");
    EXPECT_NO_THROW((void)code.get_kernel("scale<float>", machine.device));
    EXPECT_NO_THROW((void)code.get_kernel("scale< float >", machine.device));
    EXPECT_EQ(machine.backend->compiles, 2);  // the second spelling is the same instance
    EXPECT_EQ(failure([&] { (void)code.get_kernel("other<float>", machine.device); }).first,
              ErrorKind::not_found);
    const ObjectCode globals = compile("template scale\nglobal");
    const auto [kind, what] =
        failure([&] { (void)globals.get_kernel("scale<float>", machine.device); });
    EXPECT_EQ(kind, ErrorKind::not_found);
    EXPECT_HAS(what, "compile(names=[\"scale<float>\"])");
}

TEST_F(Launch, CodeIsLoadedOncePerDeviceAndKeptWhileItRuns) {
    Kernel nop;
    {
        const ObjectCode code = compile("kernel nop nop");
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&] { (void)code.get_kernel("nop", machine.device); });
        for (auto& thread : threads) thread.join();
        EXPECT_EQ(machine.backend->loads, 1);
        nop = code.get_kernel("nop", machine.device);
    }
    nop({1, 32}, stream);
    nop = Kernel();
    EXPECT_EQ(machine.backend->live_codes, 1);  // the launch is not done
    stream.synchronize();
    EXPECT_EQ(machine.backend->live_codes, 0);
}

TEST_F(Launch, DroppedKernelsLeaveNothing) {
    for (int i = 0; i < 10'000; ++i) {
        const Kernel nop = kernel("kernel nop nop");
        nop({1, 32}, stream);
        if (i % 100 == 0) stream.synchronize();
    }
    stream.synchronize();
    EXPECT_EQ(machine.backend->live_codes, 0);
}

TEST_F(Launch, GlobalsKeepTheirCode) {
    Buffer table;
    {
        const ObjectCode code = compile("kernel nop nop");
        table = code.get_global("table", machine.device);
        const auto [kind, what] = failure([&] { (void)code.get_global("tabel", machine.device); });
        EXPECT_EQ(kind, ErrorKind::not_found);
    }
    EXPECT_EQ(table.size(), 64u);
    EXPECT_EQ(machine.backend->live_codes, 1);
    table.close();
    EXPECT_EQ(machine.backend->live_codes, 0);
}

TEST_F(Launch, ProgramsRefuseNonsense) {
    EXPECT_EQ(failure([&] { Program("  \n", "x.cu", {}, machine.device); }).first,
              ErrorKind::invalid_value);
    const Program program("kernel f f", "x.cu", uncached(), machine.device);
    EXPECT_EQ(failure([&] { (void)program.compile("elf"); }).first, ErrorKind::invalid_value);
    EXPECT_EQ(failure([&] { (void)program.compile("cubin"); }).first, ErrorKind::unavailable);
    EXPECT_EQ(failure([&] { (void)program.compile("", {""}); }).first, ErrorKind::invalid_value);
    EXPECT_THROW((void)Program("error", "x.cu", uncached(), machine.device).compile(),
                 CompileError);
}

TEST_F(Launch, CodeIsRecognisedByItsBytes) {
    EXPECT_EQ(ObjectCode::from_bytes("// c\n/* d */ .version 8.0\n").format(), "ptx");
    EXPECT_EQ(ObjectCode::from_bytes("HEALDCPUxx").format(), "cpu");
    std::string cubin(64, '\0');
    cubin.replace(0, 4,
                  "\x7f"
                  "ELF");
    cubin[18] = static_cast<char>(190);
    EXPECT_EQ(ObjectCode::from_bytes(cubin).format(), "cubin");
    // Tables and sections must lie within the bytes.
    EXPECT_EQ(failure([&] { (void)ObjectCode::from_bytes(cubin.substr(0, 63)); }).first,
              ErrorKind::invalid_value);
    std::string sections = cubin + std::string(64, '\0');
    sections[0x28] = 64;  // one section header of 64 bytes at byte 64
    sections[0x3A] = 64;
    sections[0x3C] = 1;
    sections[64 + 0x20] = static_cast<char>(128);  // its contents: the whole file
    EXPECT_EQ(ObjectCode::from_bytes(sections).format(), "cubin");
    EXPECT_EQ(failure([&] { (void)ObjectCode::from_bytes(sections.substr(0, 120)); }).first,
              ErrorKind::invalid_value);
    sections[64 + 0x18] = 1;
    EXPECT_EQ(failure([&] { (void)ObjectCode::from_bytes(sections); }).first,
              ErrorKind::invalid_value);
    EXPECT_EQ(failure([] { (void)ObjectCode::from_bytes("hello"); }).first,
              ErrorKind::invalid_value);
    EXPECT_EQ(failure([] { (void)ObjectCode::from_file("/no/such/file"); }).first,
              ErrorKind::not_found);
}

TEST_F(Launch, LinkerJoins) {
    const Linker linker({compile("kernel a a"), compile("kernel b b")}, uncached(), machine.device);
    const ObjectCode both = linker.link();
    EXPECT_NO_THROW((void)both.get_kernel("a", machine.device));
    EXPECT_NO_THROW((void)both.get_kernel("b", machine.device));
    EXPECT_EQ(failure([&] { Linker({}, uncached(), machine.device); }).first,
              ErrorKind::invalid_value);
}

}  // namespace
}  // namespace heald
