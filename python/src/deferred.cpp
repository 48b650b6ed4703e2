#include "python/src/deferred.hpp"

#include "python/src/gil.hpp"

#include <heald/settings.hpp>

#include <nanobind/nanobind.h>

#include <atomic>
#include <string>

namespace nb = nanobind;

namespace heald::python {

namespace {

// Lists are lock-free stacks: usable under any lock, and in a child after fork.
struct Owned {
    void* what;
    void (*drop)(void*);
    Owned* next;
};

struct PendingWarning {
    std::string text;
    PendingWarning* next;
};

std::atomic<Owned*> released_list{nullptr};
std::atomic<PendingWarning*> pending_warnings{nullptr};
PyObject* warning_class = nullptr;

template <class Node>
bool push(std::atomic<Node*>& list, Node* node) noexcept {
    node->next = list.load(std::memory_order_relaxed);
    while (!list.compare_exchange_weak(node->next, node, std::memory_order_release,
                                       std::memory_order_relaxed)) {
    }
    return node->next == nullptr;
}

int show_warnings(void*) noexcept {
    PendingWarning* list = pending_warnings.exchange(nullptr, std::memory_order_acquire);
    int result = 0;
    while (list) {
        PendingWarning* next = list->next;
        if (result == 0 && PyErr_WarnEx(warning_class, list->text.c_str(), 1) < 0) result = -1;
        delete list;
        list = next;
    }
    return result;
}

int drop_released_callback(void*) noexcept {
    drop_released();
    return 0;
}

void release(Owned* node) noexcept {
    if (!python_alive()) return;  // leaks: the interpreter is gone
    // If the pending-call queue is full, the next launch or object drops the list.
    if (push(released_list, node)) Py_AddPendingCall(drop_released_callback, nullptr);
}

void take_warning(const char* message) {
    if (!python_alive()) return;
    auto* node = new PendingWarning{message, nullptr};
    if (push(pending_warnings, node)) Py_AddPendingCall(show_warnings, nullptr);
}

void at_exit() {
    set_warning_handler(nullptr);
    end_python();
}

}  // namespace

std::shared_ptr<void> own(void* what, void (*drop)(void*)) {
    if (has_released()) drop_released();
    auto* node = new Owned{what, drop, nullptr};
    return std::shared_ptr<void>(what, [node](void*) { release(node); });
}

std::shared_ptr<void> own(PyObject* object) {
    Py_INCREF(object);
    return own(object, [](void* what) { Py_DECREF(static_cast<PyObject*>(what)); });
}

bool has_released() noexcept {
    return released_list.load(std::memory_order_relaxed) != nullptr;
}

void drop_released() noexcept {
    Owned* list = released_list.exchange(nullptr, std::memory_order_acquire);
    while (list) {
        Owned* next = list->next;
        list->drop(list->what);
        delete list;
        list = next;
    }
}

void init_deferred(PyObject* module) {
    warning_class = PyErr_NewExceptionWithDoc(
        "heald.HealdWarning", "Something that heald works around but you may want to know.",
        PyExc_RuntimeWarning, nullptr);
    if (!warning_class || PyModule_AddObjectRef(module, "HealdWarning", warning_class) < 0)
        nb::raise_python_error();
    set_warning_handler(take_warning);
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(at_exit));
}

}  // namespace heald::python
