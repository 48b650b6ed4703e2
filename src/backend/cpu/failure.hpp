#pragma once

#include <heald/error.hpp>

#include <atomic>
#include <memory>
#include <string>

namespace heald::cpu {

/// What went wrong in queued work: kept until a synchronisation raises it, once.
struct Failure {
    Failure(ErrorKind kind_, std::string text_) : kind(kind_), text(std::move(text_)) {}

    ErrorKind kind;
    std::string text;
    std::atomic<bool> raised{false};
};

/// Throws it, unless that was done already.
inline void raise_once(const std::shared_ptr<Failure>& failure) {
    if (failure != nullptr && !failure->raised.exchange(true, std::memory_order_relaxed))
        throw Error(failure->kind, failure->text);
}

}  // namespace heald::cpu
