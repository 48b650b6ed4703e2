#pragma once

// The contents of CompiledUnit::bitcode: the module as prepared, which can still be linked, and as
// normalised, from which variants are built.

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <string_view>

namespace heald::cpu {

struct UnitCode {
    std::string prepared;
    std::string normalised;
};

std::string pack(const UnitCode& code);
/// Views into `packed`. Throws Error(invalid_value) for other bytes.
struct UnitCodeView {
    std::string_view prepared;
    std::string_view normalised;
};
UnitCodeView unpack(std::string_view packed);

std::string write_bitcode(const llvm::Module& module);

/// With function bodies read on demand (`materialize`); the bytes must outlive the module. Throws
/// Error(invalid_value) for bytes that are no bitcode.
std::unique_ptr<llvm::Module> read_bitcode(std::string_view bytes, llvm::LLVMContext& context);

/// Makes LLVM's messages for this context exceptions or nothing, never output or exit.
void quiet(llvm::LLVMContext& context);

}  // namespace heald::cpu
