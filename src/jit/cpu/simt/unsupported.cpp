#include "src/jit/cpu/simt/unsupported.hpp"

#include <heald/error.hpp>

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>
#include <llvm/Support/raw_ostream.h>

namespace heald::cpu::simt {

std::string readable_name(const llvm::Function& function) {
    return llvm::demangle(function.getName());
}

std::string text_of(const llvm::Value& value) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    value.print(stream);
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? text : text.substr(first);
}

void unsupported(const llvm::Instruction& at, const std::string& what) {
    std::string place;
    if (const llvm::DebugLoc& location = at.getDebugLoc()) {
        place = location->getFilename().str() + ":" + std::to_string(location.getLine()) + ": ";
    }
    throw Error(ErrorKind::compile,
                place + "[kernel " + readable_name(*at.getFunction()) + "] " + what);
}

void unsupported(const llvm::Function& in, const std::string& what) {
    throw Error(ErrorKind::compile, "[kernel " + readable_name(in) + "] " + what);
}

}  // namespace heald::cpu::simt
