#pragma once

// Kernels as the compiler would make them, written by hand.

#include "src/backend/cpu/compiled_code.hpp"
#include "src/backend/cpu/fork.hpp"
#include "src/backend/cpu/function.hpp"
#include "src/backend/cpu/queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace heald::cpu::testing {

/// A kernel of pointer parameters, all of it in a function of this program. `bounded`: without
/// loops, so that a short launch runs on the spot.
inline std::shared_ptr<Function> make_kernel(BlocksFunction blocks, std::size_t parameters,
                                             bool bounded = false, std::size_t shared_bytes = 0) {
    survive_forks();
    KernelRecord record;
    record.name = record.display_name = "test_kernel";
    record.has_unbounded_loop = record.has_yield_loop = !bounded;
    record.work = bounded ? 4 : 0;
    record.static_shared_bytes = shared_bytes;
    for (std::size_t i = 0; i < parameters; ++i) {
        Parameter parameter;
        parameter.kind = Parameter::Kind::pointer;
        parameter.size = parameter.alignment = sizeof(void*);
        record.signature.parameters.push_back(parameter);
    }
    // As code does: it holds the kernel, and what is queued holds it.
    auto code = std::make_shared<std::optional<Function>>();
    code->emplace(
        record,
        [blocks, shared_bytes](const KernelRecord&, const Variant&) {
            return KernelCode{blocks, shared_bytes, 0, nullptr};
        },
        std::weak_ptr<const void>(code));
    return {code, &**code};
}

inline LaunchConfig shape(std::uint32_t grid, std::uint32_t block = 32) {
    return {Dim3(grid), Dim3(block), 0, {0, 0, 0}, false};
}

template <class... Pointers>
void launch(Function& kernel, Queue& queue, const LaunchConfig& config, Pointers*... pointers) {
    std::array<void*, sizeof...(Pointers) + 1> arguments{pointers...};
    std::array<void*, sizeof...(Pointers) + 1> values{};
    for (std::size_t i = 0; i < sizeof...(Pointers); ++i) values[i] = &arguments[i];
    launch_grid(kernel.grid(config, {"test.cu", 7}), kernel, values.data(), queue);
}

/// Parameter `i` of a running kernel, a pointer.
template <class T>
T* parameter(void* const* argv, std::size_t i) {
    return *static_cast<T**>(argv[i]);
}

inline bool cancelled(const BlockContext& context) {
    return __atomic_load_n(context.cancel, __ATOMIC_RELAXED) != 0;
}

/// Adds 1 to counter 0 per block.
inline void count_blocks(void* const* argv, BlockContext*, std::byte*, std::uint64_t first,
                         std::uint64_t last) {
    parameter<std::atomic<std::int64_t>>(argv, 0)->fetch_add(
        static_cast<std::int64_t>(last - first));
}

/// Runs until it is cancelled; sets flag 0 when it has begun.
inline void run_for_ever(void* const* argv, BlockContext* context, std::byte*, std::uint64_t,
                         std::uint64_t) {
    parameter<std::atomic<int>>(argv, 0)->store(1);
    while (!cancelled(*context)) sched_yield();
}

/// Waits until flag 0 is set.
inline void wait_for_flag(void* const* argv, BlockContext* context, std::byte*, std::uint64_t,
                          std::uint64_t) {
    const auto* flag = parameter<std::atomic<int>>(argv, 0);
    while (flag->load() == 0 && !cancelled(*context)) sched_yield();
}

template <class Callable>
ErrorKind kind_of_error(Callable&& callable, std::string* text = nullptr) {
    try {
        callable();
    } catch (const Error& error) {
        if (text != nullptr) *text = error.what();
        return error.kind();
    }
    ADD_FAILURE() << "no error was raised";
    return ErrorKind::device;
}

}  // namespace heald::cpu::testing
