#pragma once

#include "src/backend/cuda/backend.hpp"
#include "src/backend/cuda/driver/api.hpp"
#include "tests/cpp/cuda/fake_driver.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

namespace heald::cuda {

inline fake::Control& fake_control() {
    using Get = fake::Control* (*)();
    static fake::Control& control = *driver::library().function<Get>("heald_fake_control")();
    return control;
}

/// A backend over the fake driver (HEALD_DRIVER_PATH of the test's environment).
class WithFakeDriver : public ::testing::Test {
protected:
    WithFakeDriver() : backend(std::make_shared<Backend>(0)), queue(backend->make_queue({})) {
        control.parameter_sizes["scale"] = {8, 4, 4};
    }
    ~WithFakeDriver() override {
        const std::lock_guard lock(control.mutex);
        control.hold = false;
        control.capturing = false;
        control.sticky = driver::Result::success;
        control.fail_next.clear();
    }

    static core::CodeData code_of(const std::string& kernel = "scale") {
        core::CodeData code;
        code.kind = DeviceKind::cuda;
        code.format = "ptx";
        code.name = "test.cu";
        code.bytes = "// fake";
        core::KernelSymbol symbol;
        symbol.lowered = symbol.display = kernel;
        using Kind = Parameter::Kind;
        symbol.signature.parameters = {
            {Kind::pointer, DType::float32, false, false, 8, 8, "float *", "x"},
            {Kind::scalar, DType::float32, false, false, 4, 4, "float", "a"},
            {Kind::scalar, DType::int32, false, false, 4, 4, "int", "n"}};
        code.kernels = {symbol};
        return code;
    }

    void launch(core::FunctionImpl& kernel, int n, heald::LaunchConfig config = {4, 128}) {
        void* x = nullptr;
        float a = 2;
        void* values[] = {&x, &a, &n};
        backend->launch(kernel, *queue, config, {values, 3, {}}, {"demo.py", 12});
    }

    [[nodiscard]] int graph_launches() {
        int count = 0;
        for (const auto& launch : control.launches) count += launch.by_graph;
        return count;
    }

    template <class Condition>
    static bool eventually(Condition condition) {
        for (int i = 0; i < 2000; ++i) {
            if (condition()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }

    template <class Action>
    static std::string error_of(Action action) {
        try {
            action();
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }

    fake::Control& control = fake_control();
    std::shared_ptr<Backend> backend;
    std::shared_ptr<core::QueueImpl> queue;
};

}  // namespace heald::cuda
