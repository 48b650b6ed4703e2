#pragma once

// Where a kernel's `__shared__` variables lie in the shared memory of a block.

#include <llvm/ADT/DenseMap.h>

#include <cstddef>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
class Value;
}  // namespace llvm

namespace heald::cpu::simt {

bool is_shared(const llvm::GlobalVariable& variable);

/// Whether `pointer` certainly points into shared memory.
bool points_to_shared(const llvm::Value* pointer);

/// Turns constant expressions over shared variables into instructions, so that every use is an
/// operand of an instruction.
void expand_shared_constants(llvm::Function& function);

/// Static variables first, then the dynamic ones, which all begin at the same place. Variables of
/// out-of-line functions have the same place in every kernel of the module.
class SharedLayout {
public:
    /// Of the entry of a kernel.
    explicit SharedLayout(const llvm::Function& entry);

    std::size_t offset(const llvm::GlobalVariable* variable) const {
        return offsets_.lookup(variable);
    }
    std::size_t static_bytes() const { return static_bytes_; }
    bool has_dynamic() const { return has_dynamic_; }

private:
    void place(const llvm::GlobalVariable& variable);

    llvm::DenseMap<const llvm::GlobalVariable*, std::size_t> offsets_;
    std::size_t static_bytes_ = 0;
    bool has_dynamic_ = false;
};

/// The place of a static shared variable that out-of-line functions of the module use: the same in
/// every kernel.
bool has_out_of_line_offset(const llvm::GlobalVariable& variable);
std::size_t out_of_line_offset(const llvm::GlobalVariable& variable);
/// Puts the variable at the first suitable offset from `least`; returns where it ends.
std::size_t set_out_of_line_offset(llvm::GlobalVariable& variable, std::size_t least);

}  // namespace heald::cpu::simt
