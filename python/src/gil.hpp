#pragma once

#include <Python.h>

namespace heald::python {

/// Releases the GIL while it lives. Taking it back at the end of the interpreter would end the
/// thread in the middle of C++ (before Python 3.14) and with it the process: such a thread sleeps
/// for ever instead, as in later versions of Python.
class GilRelease {
public:
    GilRelease() noexcept : state_(PyEval_SaveThread()) {}
    ~GilRelease();
    GilRelease(const GilRelease&) = delete;
    GilRelease& operator=(const GilRelease&) = delete;

private:
    PyThreadState* state_;
};

/// Holds the GIL on a thread of heald's. `held()` is false if the interpreter is ending; then
/// nothing of Python may be touched.
class ForeignGil {
public:
    ForeignGil() noexcept;
    ~ForeignGil();
    ForeignGil(const ForeignGil&) = delete;
    ForeignGil& operator=(const ForeignGil&) = delete;

    [[nodiscard]] bool held() const noexcept { return held_; }

private:
    bool held_ = false;
    PyGILState_STATE state_{};
};

/// False once the interpreter has begun to end: then no thread but that which ends it may ask for
/// the GIL.
[[nodiscard]] bool python_alive() noexcept;

/// Called while Python still works, as the last thing of atexit.
void end_python() noexcept;

void init_gil();

}  // namespace heald::python
