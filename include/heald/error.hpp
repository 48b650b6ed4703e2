#pragma once

#include <heald/export.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace heald {

/// What went wrong, coarse enough to act on. In Python each kind is an exception class that also
/// derives from the built-in given here.
enum class ErrorKind : std::uint8_t {
    invalid_value,  ///< ValueError: an argument has an impossible value
    type_mismatch,  ///< TypeError: an argument has the wrong type
    not_found,      ///< LookupError: no kernel, symbol or device of that name
    compile,        ///< CompileError (RuntimeError): the source or a link step was rejected
    out_of_memory,  ///< MemoryError: the device or a limit cannot hold the allocation
    unavailable,    ///< UnavailableError (RuntimeError): a device, library or feature is missing
    closed,         ///< ClosedError (RuntimeError): the object was closed
    kernel_fault,   ///< KernelFault (RuntimeError): a kernel failed while it ran
    cancelled,      ///< CancelledError (RuntimeError): queued work was cancelled
    device,         ///< DeviceError (RuntimeError): any other failure of a device or driver
    out_of_bounds,  ///< OutOfBoundsError (IndexError): an index that an array does not have
    overflow,       ///< IntegerOverflowError (OverflowError): a number that a dtype cannot hold
};

/// Every error that heald raises. Its text names the operation, the argument, what was expected,
/// what was given, and what to do.
class HEALD_API Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

    [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

private:
    ErrorKind kind_;
};

/// One message of a compiler. Lines and columns count from 1 in the user's own file.
struct Diagnostic {
    enum class Severity : std::uint8_t { note, warning, error };

    Severity severity = Severity::error;
    std::string file;
    int line = 0;
    int column = 0;
    std::string message;
};

/// A rejected source: `diagnostics()` in order of appearance, `log()` as the compiler printed it.
class HEALD_API CompileError : public Error {
public:
    CompileError(const std::string& message, std::vector<Diagnostic> diagnostics, std::string log)
        : Error(ErrorKind::compile, message),
          diagnostics_(std::move(diagnostics)),
          log_(std::move(log)) {}

    [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const noexcept {
        return diagnostics_;
    }
    [[nodiscard]] const std::string& log() const noexcept { return log_; }

private:
    std::vector<Diagnostic> diagnostics_;
    std::string log_;
};

}  // namespace heald
