// Operations on per-lane vectors and aggregates. A per-lane <n x S> is a flat <W*n x S>, lane after
// lane, so element-wise operations need nothing special; these do.

#include "src/jit/cpu/simt/emission.hpp"
#include "src/jit/cpu/simt/emit.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace heald::cpu::simt {
namespace {

unsigned elements_of(const llvm::Value* value) {
    return llvm::cast<llvm::FixedVectorType>(value->getType())->getNumElements();
}

// Element `index` of every lane: <W*n x S> to <W x S>.
llvm::Value* every_element(Emission& emission, llvm::Value* flat, unsigned count, unsigned index) {
    llvm::SmallVector<int> chosen;
    for (unsigned lane = 0; lane < emission.lanes; ++lane) {
        chosen.push_back(static_cast<int>(lane * count + index));
    }
    return emission.builder.CreateShuffleVector(flat, chosen);
}

// <W x S> with every lane's element repeated n times.
llvm::Value* repeat(Emission& emission, llvm::Value* per_lane, unsigned count) {
    return emission.repeat_lanes(per_lane, count);
}

// <W*n x i1>: where the position in the lane is the lane's index.
llvm::Value* at_index(Emission& emission, llvm::Value* index, unsigned count) {
    llvm::IRBuilder<>& builder = emission.builder;
    llvm::Value* wanted = repeat(emission, emission.vector(index), count);
    llvm::SmallVector<llvm::Constant*> positions;
    for (unsigned i = 0; i < emission.lanes * count; ++i) {
        positions.push_back(llvm::ConstantInt::get(index->getType(), i % count));
    }
    return builder.CreateICmpEQ(wanted, llvm::ConstantVector::get(positions));
}

llvm::Value* extract_element(Emission& emission, llvm::ExtractElementInst& extract) {
    llvm::IRBuilder<>& builder = emission.builder;
    const unsigned count = elements_of(extract.getVectorOperand());
    llvm::Value* flat = emission.vector(extract.getVectorOperand());
    llvm::Value* index = extract.getIndexOperand();
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index)) {
        if (constant->getZExtValue() >= count) {
            return llvm::PoisonValue::get(emission.widen(extract.getType()));
        }
        return every_element(emission, flat, count,
                             static_cast<unsigned>(constant->getZExtValue()));
    }
    llvm::Value* result = every_element(emission, flat, count, 0);
    llvm::Value* wanted = emission.vector(index);
    for (unsigned i = 1; i < count; ++i) {
        llvm::Value* here =
            builder.CreateICmpEQ(wanted, llvm::ConstantInt::get(wanted->getType(), i));
        result = builder.CreateSelect(here, every_element(emission, flat, count, i), result);
    }
    return result;
}

llvm::Value* insert_element(Emission& emission, llvm::InsertElementInst& insert) {
    const unsigned count = elements_of(&insert);
    llvm::Value* flat = emission.vector(insert.getOperand(0));
    llvm::Value* element = repeat(emission, emission.vector(insert.getOperand(1)), count);
    return emission.builder.CreateSelect(at_index(emission, insert.getOperand(2), count), element,
                                         flat);
}

llvm::Value* shuffle(Emission& emission, llvm::ShuffleVectorInst& shuffle) {
    const int sources = static_cast<int>(elements_of(shuffle.getOperand(0)));
    const int all = sources * static_cast<int>(emission.lanes);
    llvm::SmallVector<int> chosen;
    for (int lane = 0; lane < static_cast<int>(emission.lanes); ++lane) {
        for (int index : shuffle.getShuffleMask()) {
            if (index < 0) {
                chosen.push_back(index);
            } else {
                chosen.push_back(index < sources ? lane * sources + index
                                                 : all + lane * sources + (index - sources));
            }
        }
    }
    return emission.builder.CreateShuffleVector(emission.vector(shuffle.getOperand(0)),
                                                emission.vector(shuffle.getOperand(1)), chosen);
}

}  // namespace

llvm::Value* widen_composite(Emission& emission, llvm::Instruction& instruction) {
    llvm::IRBuilder<>& builder = emission.builder;
    if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
        return extract_element(emission, *extract);
    }
    if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
        return insert_element(emission, *insert);
    }
    if (auto* lanes = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
        return shuffle(emission, *lanes);
    }
    if (auto* member = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
        return builder.CreateExtractValue(emission.vector(member->getAggregateOperand()),
                                          member->getIndices());
    }
    if (auto* member = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
        return builder.CreateInsertValue(emission.vector(member->getAggregateOperand()),
                                         emission.vector(member->getInsertedValueOperand()),
                                         member->getIndices());
    }
    return nullptr;
}

}  // namespace heald::cpu::simt
