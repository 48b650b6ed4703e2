#pragma once

// A small test program's frame, for machines that have a GPU and no GoogleTest.

#include <functional>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpu_check {

struct Test {
    const char* name;
    void (*body)();
};

/// Every test of the program, in the order of their files.
std::vector<Test>& tests();

struct Registration {
    Registration(const char* name, void (*body)()) { tests().push_back({name, body}); }
};

/// Thrown by skip().
struct Skipped {
    std::string reason;
};
[[noreturn]] inline void skip(const std::string& reason) {
    throw Skipped{reason};
}

void fail(const char* file, int line, const std::string& what);

template <class T>
std::string show(const T& value) {
    std::ostringstream out;
    if constexpr (requires { out << value; })
        out << value;
    else
        out << "?";
    return out.str();
}

template <class A, class B>
void expect_equal(const char* file, int line, const char* what, const A& actual,
                  const B& expected) {
    if (!(actual == expected))
        fail(file, line, std::string(what) + " is " + show(actual) + ", not " + show(expected));
}

/// The text of the heald::Error that `action` throws, or "".
std::string error_of(const std::function<void()>& action);

/// This program run again with these arguments and environment: its output, exit status last.
std::string run_self(const std::string& arguments, const std::string& environment = "");

}  // namespace gpu_check

#define GPU_TEST(name)                                                        \
    static void test_##name();                                                \
    static const gpu_check::Registration register_##name(#name, test_##name); \
    static void test_##name()

#define EXPECT(condition)                                                  \
    do {                                                                   \
        if (!(condition)) gpu_check::fail(__FILE__, __LINE__, #condition); \
    } while (false)
#define EXPECT_EQUAL(actual, expected) \
    gpu_check::expect_equal(__FILE__, __LINE__, #actual, actual, expected)
#define EXPECT_CONTAINS(text, part)                                               \
    do {                                                                          \
        const std::string text_ = (text);                                         \
        if (text_.find(part) == std::string::npos)                                \
            gpu_check::fail(__FILE__, __LINE__,                                   \
                            "'" + text_ + "' does not contain '" + (part) + "'"); \
    } while (false)
