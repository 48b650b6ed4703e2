#include "src/jit/cpu/unit_code.hpp"

#include <heald/error.hpp>

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdint>
#include <cstring>

namespace heald::cpu {

std::string pack(const UnitCode& code) {
    const std::uint64_t prepared = code.prepared.size();
    std::string packed(sizeof(prepared), '\0');
    std::memcpy(packed.data(), &prepared, sizeof(prepared));
    return packed + code.prepared + code.normalised;
}

UnitCodeView unpack(std::string_view packed) {
    std::uint64_t prepared = 0;
    if (packed.size() < sizeof(prepared)) {
        throw Error(ErrorKind::invalid_value, "compiled code cannot be read: it ends early");
    }
    std::memcpy(&prepared, packed.data(), sizeof(prepared));
    packed.remove_prefix(sizeof(prepared));
    if (packed.size() < prepared) {
        throw Error(ErrorKind::invalid_value, "compiled code cannot be read: it ends early");
    }
    return {packed.substr(0, prepared), packed.substr(prepared)};
}

std::string write_bitcode(const llvm::Module& module) {
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    llvm::WriteBitcodeToFile(module, stream);
    return bytes;
}

std::unique_ptr<llvm::Module> read_bitcode(std::string_view bytes, llvm::LLVMContext& context) {
    const llvm::MemoryBufferRef buffer(llvm::StringRef(bytes.data(), bytes.size()), "unit");
    auto module = llvm::getLazyBitcodeModule(buffer, context);
    if (!module) {
        throw Error(ErrorKind::invalid_value,
                    "compiled code cannot be read: " + llvm::toString(module.takeError()));
    }
    return std::move(*module);
}

void quiet(llvm::LLVMContext& context) {
    context.setDiagnosticHandlerCallBack(
        [](const llvm::DiagnosticInfo* info, void*) {
            if (info->getSeverity() != llvm::DS_Error) return;
            std::string text;
            llvm::raw_string_ostream stream(text);
            llvm::DiagnosticPrinterRawOStream printer(stream);
            info->print(printer);
            throw Error(ErrorKind::compile, "code generation failed: " + text);
        },
        nullptr);
}

}  // namespace heald::cpu
