#pragma once

// The device functions as the host calls them: one library per instruction set that this machine
// has.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace heald::device_test {

class DeviceLibrary {
public:
    /// `target`: "v2", "v3" or "v4". Throws if it cannot be opened.
    explicit DeviceLibrary(const std::string& target);

    /// out[i] = name(inputs[i]…); all inputs have one type and length.
    template <class Out, class In>
    std::vector<Out> map(const std::string& name, const std::vector<In>& a) const {
        std::vector<Out> out(a.size());
        find<void(int, const In*, Out*)>(name)(size(a), a.data(), out.data());
        return out;
    }
    template <class Out, class In>
    std::vector<Out> map(const std::string& name, const std::vector<In>& a,
                         const std::vector<In>& b) const {
        std::vector<Out> out(a.size());
        find<void(int, const In*, const In*, Out*)>(name)(size(a), a.data(), b.data(), out.data());
        return out;
    }
    template <class Out, class In>
    std::vector<Out> map(const std::string& name, const std::vector<In>& a,
                         const std::vector<In>& b, const std::vector<In>& c) const {
        std::vector<Out> out(a.size());
        find<void(int, const In*, const In*, const In*, Out*)>(name)(size(a), a.data(), b.data(),
                                                                     c.data(), out.data());
        return out;
    }
    /// The function `eval_<name>` of device_functions.cu.
    template <class F>
    F* find(const std::string& name) const {
        return reinterpret_cast<F*>(address("eval_" + name));
    }

private:
    template <class T>
    static int size(const std::vector<T>& values) {
        return static_cast<int>(values.size());
    }
    void* address(const std::string& symbol) const;

    void* handle_;
};

/// The instruction sets of this machine, the least first.
std::vector<std::string> targets();

/// Random numbers: bit patterns of every kind, and values of like size that interact.
template <class T>
std::vector<T> any_floats(std::mt19937_64& random, std::size_t count) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    std::vector<T> values(count);
    std::uniform_real_distribution<double> near(-4, 4);
    for (std::size_t i = 0; i < count; ++i) {
        const Bits bits = static_cast<Bits>(random());
        if (i % 3 == 0) {
            values[i] = static_cast<T>(near(random));
        } else {
            std::memcpy(&values[i], &bits, sizeof bits);
        }
    }
    return values;
}

/// A fresh seed, printed when the test fails.
std::uint64_t fresh_seed();

}  // namespace heald::device_test
