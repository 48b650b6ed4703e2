#include "src/jit/cpu/fatal_errors.hpp"

#include <llvm/Support/ErrorHandling.h>

#include <cstdio>
#include <mutex>

namespace heald::cpu {
namespace {

thread_local bool inside = false;

// LLVM's frames have unwind tables but no clean-up for exceptions: what they own is lost, which is
// better than the process.
void handle(void*, const char* reason, bool) {
    if (inside) throw FatalErrorScope::Fatal{reason};
    // As LLVM does without a handler: it prints, we return, it exits.
    std::fprintf(stderr, "LLVM ERROR: %s\n", reason);
}

}  // namespace

FatalErrorScope::FatalErrorScope() : outer_(inside) {
    static std::once_flag once;
    std::call_once(once, [] { llvm::install_fatal_error_handler(handle, nullptr); });
    inside = true;
}

FatalErrorScope::~FatalErrorScope() {
    inside = outer_;
}

}  // namespace heald::cpu
