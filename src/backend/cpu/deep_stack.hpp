#pragma once

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace heald::cpu {

/// Runs `function` on a thread of its own with a stack of a GiB, of which only touched pages cost
/// memory: compilers recurse as deeply as their input is nested. Throws what `function` throws, and
/// Error(compile) if even that stack is used up; then the thread is left where it stands for ever,
/// with what it holds.
void run_on_deep_stack(const char* operation, const std::function<void()>& function);

template <class Function>
auto on_deep_stack(const char* operation, Function&& function) {
    std::optional<std::invoke_result_t<Function>> result;
    run_on_deep_stack(operation, [&] { result.emplace(function()); });
    return std::move(*result);
}

}  // namespace heald::cpu
