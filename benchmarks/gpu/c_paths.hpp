#pragma once

// The floor: launches as a C program makes them, over the driver's own entry points. Also built as
// a plain shared library, so that Python benchmarks measure it in their own process.

#include <cstddef>

extern "C" {

struct CPath;

/// A kernel `name(float*, float*, int)` or `spin(float*, float*, int, long long)` of a cubin, on a
/// non-blocking stream of its own in device 0's primary context. Null on failure, which is printed.
CPath* c_path_open(const void* cubin, const char* name, long long cycles);
void c_path_close(CPath* path);
void c_path_enter(CPath* path);  ///< makes the context current on this thread, for good
void c_path_leave(CPath* path);  ///< takes that back
void c_path_enter_primary();     ///< makes device 0's primary context current

// Each enqueues `count` launches of one block of 32 threads.
void c_path_plain(CPath* path, int count);                        ///< cuLaunchKernel
void c_path_plain_changing_grid(CPath* path, int count);          ///< the grid is 1 + i % 61 blocks
void c_path_graph(CPath* path, int count);                        ///< a one-node graph, as it is
void c_path_set_and_graph(CPath* path, int count);                ///< its parameters set each time
void c_path_context_switches(CPath* path, int count);             ///< push and pop of the context
void c_path_current_context(CPath* path, int count);              ///< cuCtxGetCurrent
void c_path_is_capturing(CPath* path, int count);                 ///< cuStreamIsCapturing
void c_path_allocate(CPath* path, int count, std::size_t bytes);  ///< cuMemAllocAsync + FreeAsync
void c_path_synchronize(CPath* path);
}
