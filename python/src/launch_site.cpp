#include "python/src/launch_site.hpp"

#include <Python.h>

#include <array>
#include <cstdint>
#include <string>
#include <unordered_set>

namespace heald::python {

namespace {

// The last sites by code object and instruction: decoding a line number costs more than a launch.
// Each entry owns its code object, so an equal address means the same code.
struct Entry {
    PyCodeObject* code = nullptr;
    int instruction = 0;
    LaunchSite site;
};

std::array<Entry, 64>& entries() {
    static auto* table = new std::array<Entry, 64>();
    return *table;
}

// File names live for ever: a failure may be reported long after the code is gone.
const char* interned(PyObject* name) {
    static auto* names = new std::unordered_set<std::string>();
    const char* text = PyUnicode_AsUTF8(name);
    if (!text) {
        PyErr_Clear();
        text = "?";
    }
    return names->insert(text).first->c_str();
}

LaunchSite look_up(PyFrameObject* frame, PyCodeObject* code) {
    return {interned(code->co_filename), PyFrame_GetLineNumber(frame)};
}

}  // namespace

LaunchSite launch_site() noexcept {
    PyFrameObject* frame = PyEval_GetFrame();  // borrowed
    if (!frame) return {};
    PyCodeObject* code = PyFrame_GetCode(frame);  // owned
    LaunchSite site;
#if PY_VERSION_HEX >= 0x030B0000
    const int instruction = PyFrame_GetLasti(frame);
    const std::size_t slot =
        ((reinterpret_cast<std::uintptr_t>(code) >> 4) + static_cast<std::size_t>(instruction)) %
        64;
    Entry& entry = entries()[slot];
    if (entry.code == code && entry.instruction == instruction) {
        site = entry.site;
        Py_DECREF(code);
        return site;
    }
    site = look_up(frame, code);
    PyCodeObject* old = entry.code;
    entry = {code, instruction, site};  // takes over the reference
    Py_XDECREF(old);
#else
    site = look_up(frame, code);
    Py_DECREF(code);
#endif
    return site;
}

}  // namespace heald::python
