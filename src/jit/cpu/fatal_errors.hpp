#pragma once

// LLVM ends the process when it meets something it cannot do. Inside `with_fatal_errors` that is an
// Error(compile) instead; LLVM used by others in the process behaves as before.

#include <heald/error.hpp>

#include <string>
#include <utility>

namespace heald::cpu {

/// Marks the calling thread as inside a compile of heald's while it lives.
class FatalErrorScope {
public:
    FatalErrorScope();
    ~FatalErrorScope();
    FatalErrorScope(const FatalErrorScope&) = delete;
    FatalErrorScope& operator=(const FatalErrorScope&) = delete;

    struct Fatal {
        std::string reason;
    };

private:
    bool outer_;
};

/// Runs `body`; `doing` begins the text of the error.
template <typename Body>
auto with_fatal_errors(const std::string& doing, Body body) -> decltype(body()) {
    try {
        const FatalErrorScope scope;
        return body();
    } catch (const FatalErrorScope::Fatal& fatal) {
        throw Error(ErrorKind::compile, doing + ": the code generator failed: " + fatal.reason);
    }
}

}  // namespace heald::cpu
