// Calls of vector math: the variant is chosen by instruction set, and wider vectors are split.

#include "src/jit/cpu/simt/emission.hpp"
#include "src/jit/cpu/simt/emit.hpp"
#include "src/jit/cpu/simt/math_table.hpp"

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace heald::cpu::simt {
namespace {

struct VectorVariant {
    char letter = 0;
    unsigned lanes = 0;
};

// Register widths of the vector function ABI's letters.
unsigned register_bits(char letter) {
    switch (letter) {
        case 'e':
            return 512;
        case 'd':
        case 'c':
            return 256;
        default:
            return 128;
    }
}

VectorVariant choose_variant(const VectorIsa& isa, unsigned element_bits, unsigned lanes) {
    for (char letter : isa.math_letters) {
        const unsigned variant_lanes = register_bits(letter) / element_bits;
        if (variant_lanes <= lanes) return {letter, variant_lanes};
    }
    return {};
}

llvm::FunctionCallee declare_variant(Emission& emission, const MathFunction& function,
                                     const VectorVariant& variant, llvm::Type* element) {
    std::string name = std::string("_ZGV") + variant.letter + 'N' + std::to_string(variant.lanes) +
                       std::string(function.arity, 'v') + '_' + function.name;
    if (element->isFloatTy()) name += 'f';
    llvm::Type* vector = llvm::FixedVectorType::get(element, variant.lanes);
    const std::vector<llvm::Type*> parameters(function.arity, vector);
    llvm::FunctionCallee callee = emission.module().getOrInsertFunction(
        name, llvm::FunctionType::get(vector, parameters, false));
    auto* declared = llvm::cast<llvm::Function>(callee.getCallee());
    declared->setDoesNotThrow();
    declared->setMemoryEffects(llvm::MemoryEffects::none());
    declared->addFnAttr(llvm::Attribute::WillReturn);
    return callee;
}

llvm::Value* slice(llvm::IRBuilder<>& builder, llvm::Value* vector, unsigned first,
                   unsigned count) {
    if (llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements() == count) {
        return vector;
    }
    llvm::SmallVector<int> chosen;
    for (unsigned i = 0; i < count; ++i) chosen.push_back(static_cast<int>(first + i));
    return builder.CreateShuffleVector(vector, chosen);
}

llvm::Value* concatenate(llvm::IRBuilder<>& builder, std::vector<llvm::Value*> parts) {
    while (parts.size() > 1) {
        std::vector<llvm::Value*> joined;
        for (std::size_t i = 0; i < parts.size(); i += 2) {
            const unsigned count =
                llvm::cast<llvm::FixedVectorType>(parts[i]->getType())->getNumElements();
            llvm::SmallVector<int> both;
            for (unsigned j = 0; j < 2 * count; ++j) both.push_back(static_cast<int>(j));
            joined.push_back(builder.CreateShuffleVector(parts[i], parts[i + 1], both));
        }
        parts = std::move(joined);
    }
    return parts.front();
}

}  // namespace

llvm::Value* emit_vector_math(Emission& emission, const llvm::CallBase& call,
                              llvm::ArrayRef<llvm::Value*> arguments) {
    const MathFunction* function = find_math_function(call);
    if (!function) return nullptr;
    llvm::Type* element = call.getType();
    const VectorVariant variant =
        choose_variant(emission.isa, element->isFloatTy() ? 32 : 64, emission.lanes);
    if (!variant.letter) return nullptr;
    llvm::IRBuilder<>& builder = emission.builder;
    llvm::FunctionCallee callee = declare_variant(emission, *function, variant, element);
    std::vector<llvm::Value*> parts;
    for (unsigned first = 0; first < emission.lanes; first += variant.lanes) {
        llvm::SmallVector<llvm::Value*, 2> part;
        for (llvm::Value* argument : arguments) {
            part.push_back(slice(builder, argument, first, variant.lanes));
        }
        parts.push_back(builder.CreateCall(callee, part));
    }
    return concatenate(builder, std::move(parts));
}

}  // namespace heald::cpu::simt
