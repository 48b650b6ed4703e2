#pragma once

#include <Python.h>

#include <memory>

namespace heald::python {

/// Shares a Python object with the engine. The last owner may die on any thread and under any lock
/// of the engine, so it only puts the object on a list; the reference is dropped a moment later by
/// a thread that holds the GIL.
std::shared_ptr<void> own(PyObject* object);

/// The same for anything whose release may want the GIL: `drop(what)` is called later, with it.
std::shared_ptr<void> own(void* what, void (*drop)(void*));

/// Drops what is on the list. Needs the GIL.
void drop_released() noexcept;

/// Cheap: whether drop_released() has something to do.
[[nodiscard]] bool has_released() noexcept;

/// Warnings of the engine become Python warnings; sets up what happens when the interpreter ends.
void init_deferred(PyObject* module);

}  // namespace heald::python
