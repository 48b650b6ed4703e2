#pragma once

// Compile errors of the vectoriser.

#include <string>

namespace llvm {
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace heald::cpu::simt {

/// Throws heald::Error(ErrorKind::compile): "<file>:<line>: [kernel <name>] <what>", with the line
/// where the IR has debug locations.
[[noreturn]] void unsupported(const llvm::Instruction& at, const std::string& what);
[[noreturn]] void unsupported(const llvm::Function& in, const std::string& what);

/// A function's name as the user wrote it.
std::string readable_name(const llvm::Function& function);

/// The IR of a value, for messages.
std::string text_of(const llvm::Value& value);

}  // namespace heald::cpu::simt
