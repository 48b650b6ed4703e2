// heald-aot: compiles the kernels of common array operations for the CPU when heald is built.
// HEALD_CPU_TARGET says for which level of the architecture.

#include "src/aot/operations.hpp"
#include "src/array/lazy/kernels.hpp"
#include "src/array/lazy/shipped_kernels.hpp"
#include "src/backend/cpu/code.hpp"
#include "src/base/hash.hpp"
#include "src/base/text.hpp"
#include "src/core/compile.hpp"
#include "src/jit/code_file.hpp"

#include <heald/device.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace heald;

/// Serialised code of one source.
std::string compiled(core::DeviceState& device, const std::string& source) {
    core::CompileRequest request = array::compile_request(device, source);
    request.options.use_cache = false;
    const std::uint32_t block[3] = {array::generated_block, 1, 1};
    return jit::serialize(cpu::ready_code(*core::compile(device, request), block));
}

std::map<Hash128, std::string> compile_all(core::DeviceState& device) {
    const auto set = aot::common_sources();
    const std::vector<std::string> sources(set.begin(), set.end());
    std::map<Hash128, std::string> codes;
    std::mutex mutex;
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    const auto work = [&] {
        try {
            for (std::size_t i = next++; i < sources.size(); i = next++) {
                std::string code = compiled(device, sources[i]);
                const std::lock_guard lock(mutex);
                codes.emplace(hash_bytes(sources[i]), std::move(code));
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
    return codes;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: heald-aot FOLDER\n", stderr);
        return 2;
    }
    try {
        core::DeviceState& device = Device("cpu").state();
        const auto codes = compile_all(device);
        const std::string path = text(
            argv[1], "/", array::shipped_file_name(device.backend().properties().architecture));
        std::ofstream file(path, std::ios::binary);
        const std::string contents = array::shipped_file(codes);
        file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
        file.close();
        if (!file) throw Error(ErrorKind::unavailable, text("cannot write ", path));
        std::printf("%s: %zu kernels, %.1f MB\n", path.c_str(), codes.size(),
                    static_cast<double>(contents.size()) / 1e6);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "heald-aot: %s\n", error.what());
        return 1;
    }
}
