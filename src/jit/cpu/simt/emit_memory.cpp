// Loads and stores: scalar for uniform addresses, contiguous vectors where the stride is the
// element size, gathers and scatters, and lane loops for what the machine has no vector form of.

#include "src/jit/cpu/simt/emission.hpp"
#include "src/jit/cpu/simt/emit.hpp"
#include "src/jit/cpu/simt/lane_loop.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <array>
#include <functional>

namespace heald::cpu::simt {
namespace {

constexpr std::array copied_metadata = {
    llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias};

void copy_metadata(const llvm::Instruction& from, llvm::Value* to) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(to);
    if (!instruction) return;
    for (unsigned kind : copied_metadata) {
        if (llvm::MDNode* node = from.getMetadata(kind)) instruction->setMetadata(kind, node);
    }
}

// One lane's value as a single vector element: integers of 8 to 64 bits for small vectors and
// 16-bit floats. Null if there is none, as for structures and odd widths.
llvm::Type* element_type(Emission& emission, llvm::Type* type) {
    const llvm::DataLayout& layout = emission.layout();
    if (type->isPointerTy() || type->isFloatTy() || type->isDoubleTy()) return type;
    if (type->isAggregateType()) return nullptr;
    const auto bits = layout.getTypeSizeInBits(type).getFixedValue();
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return nullptr;
    return llvm::IntegerType::get(type->getContext(), static_cast<unsigned>(bits));
}

class Access {
public:
    Access(Emission& emission, llvm::Instruction& instruction, llvm::Value* pointer,
           llvm::Type* type, llvm::Align alignment, llvm::Value* mask)
        : emission_(emission),
          builder_(emission.builder),
          instruction_(instruction),
          pointer_(pointer),
          element_(type),
          bits_(static_cast<unsigned>(emission.layout().getTypeSizeInBits(type).getFixedValue())),
          alignment_(alignment),
          mask_(mask) {}

    bool is_contiguous() const {
        const Shape shape = emission_.shape(pointer_);
        return shape.has_base() && shape.stride() == bits_ / 8;
    }
    llvm::Value* guard() const { return emission_.guard(pointer_); }

    // <W x element>, or null if it needs a lane loop.
    llvm::Value* load_contiguous() const {
        llvm::Value* address = emission_.base(pointer_);
        llvm::Type* type = vector_type();
        if (emission_.is_all(mask_)) {
            return tagged(builder_.CreateAlignedLoad(type, address, alignment_));
        }
        if (!has_masked_memory()) return nullptr;
        return tagged(builder_.CreateMaskedLoad(type, address, alignment_, mask_,
                                                llvm::PoisonValue::get(type)));
    }
    llvm::Value* gather() const {
        if (!emission_.isa.gather) return nullptr;
        if (bits_ < 32) return gather_narrow();
        llvm::Type* type = vector_type();
        return tagged(builder_.CreateMaskedGather(type, emission_.vector(pointer_), alignment_,
                                                  mask_, llvm::PoisonValue::get(type)));
    }
    // False if it needs a lane loop.
    bool store_contiguous(llvm::Value* value) const {
        llvm::Value* address = emission_.base(pointer_);
        if (emission_.is_all(mask_)) {
            tagged(builder_.CreateAlignedStore(value, address, alignment_));
        } else if (has_masked_memory()) {
            tagged(builder_.CreateMaskedStore(value, address, alignment_, mask_));
        } else {
            return false;
        }
        return true;
    }
    bool scatter(llvm::Value* value) const {
        if (!emission_.isa.scatter || bits_ < 32) return false;
        tagged(builder_.CreateMaskedScatter(value, emission_.vector(pointer_), alignment_, mask_));
        return true;
    }

private:
    llvm::Type* vector_type() const {
        return llvm::FixedVectorType::get(element_, emission_.lanes);
    }
    bool has_masked_memory() const {
        return emission_.isa.masked_memory && (bits_ >= 32 || emission_.isa.vector_bits >= 512);
    }
    // Machines gather 32-bit words at least. The aligned word around a naturally aligned byte or
    // short never crosses a page.
    llvm::Value* gather_narrow() const {
        if (alignment_.value() * 8 < bits_) return nullptr;
        llvm::Value* address = builder_.CreatePtrToInt(emission_.vector(pointer_),
                                                       emission_.widen(builder_.getInt64Ty()));
        const auto constant = [&](std::int64_t value) {
            return llvm::ConstantInt::get(address->getType(), static_cast<std::uint64_t>(value),
                                          true);
        };
        llvm::Value* word_address = builder_.CreateIntToPtr(
            builder_.CreateAnd(address, constant(-4)), emission_.widen(builder_.getPtrTy()));
        llvm::Type* words = emission_.widen(builder_.getInt32Ty());
        llvm::Value* word = builder_.CreateMaskedGather(words, word_address, llvm::Align(4), mask_,
                                                        llvm::PoisonValue::get(words));
        llvm::Value* shift = builder_.CreateShl(
            builder_.CreateTrunc(builder_.CreateAnd(address, constant(3)), words), 3);
        return builder_.CreateTrunc(builder_.CreateLShr(word, shift), vector_type());
    }
    llvm::Value* tagged(llvm::Value* access) const {
        copy_metadata(instruction_, access);
        return access;
    }

    Emission& emission_;
    llvm::IRBuilder<>& builder_;
    llvm::Instruction& instruction_;
    llvm::Value* pointer_;
    llvm::Type* element_;
    unsigned bits_;
    llvm::Align alignment_;
    llvm::Value* mask_;
};

// if (condition) first else second, with a phi of what they return (null: no value).
llvm::Value* choose(Emission& emission, llvm::Value* condition,
                    const std::function<llvm::Value*()>& first,
                    const std::function<llvm::Value*()>& second) {
    llvm::IRBuilder<>& builder = emission.builder;
    llvm::BasicBlock* yes = emission.new_block("then");
    llvm::BasicBlock* no = emission.new_block("else");
    llvm::BasicBlock* join = emission.new_block("join");
    builder.CreateCondBr(condition, yes, no);
    builder.SetInsertPoint(yes);
    llvm::Value* a = first();
    llvm::BasicBlock* from_yes = builder.GetInsertBlock();
    builder.CreateBr(join);
    builder.SetInsertPoint(no);
    llvm::Value* b = second();
    llvm::BasicBlock* from_no = builder.GetInsertBlock();
    builder.CreateBr(join);
    builder.SetInsertPoint(join);
    if (!a) return nullptr;
    llvm::PHINode* phi = builder.CreatePHI(a->getType(), 2);
    phi->addIncoming(a, from_yes);
    phi->addIncoming(b, from_no);
    return phi;
}

llvm::Value* all_of(Emission& emission, llvm::Value* mask) {
    return emission.builder.CreateAndReduce(mask);
}

// A kernel parameter: an address off argv, or in the structure that argv points to.
bool is_parameter_memory(const Emission& emission, const llvm::Value* pointer) {
    const llvm::Value* object = llvm::getUnderlyingObject(pointer);
    if (object == emission.entry.getArg(0)) return true;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(object);
    return load &&
           llvm::getUnderlyingObject(load->getPointerOperand()) == emission.entry.getArg(0) &&
           pointer->stripInBoundsConstantOffsets() == load;
}

llvm::Value* last_active_lane(Emission& emission, llvm::Value* mask) {
    llvm::IRBuilder<>& builder = emission.builder;
    if (emission.is_all(mask)) return builder.getInt32(emission.lanes - 1);
    llvm::Value* bits = emission.mask_bits(mask);
    llvm::Value* zeros =
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits, builder.getTrue());
    llvm::Value* last =
        builder.CreateSub(llvm::ConstantInt::get(bits->getType(), emission.lanes - 1), zeros);
    return builder.CreateZExtOrTrunc(last, builder.getInt32Ty());
}

// The value of the last active lane, as one lane's value of `value`.
llvm::Value* last_value(Emission& emission, llvm::Value* value, llvm::Value* mask) {
    if (emission.shape(value).is_uniform()) return emission.base(value);
    llvm::Value* lane = last_active_lane(emission, mask);
    if (!value->getType()->isVectorTy() && !value->getType()->isAggregateType()) {
        return emission.builder.CreateExtractElement(emission.vector(value), lane);
    }
    return LaneMemory::holding(emission, value)
        .load_lane(emission.builder.CreateZExt(lane, emission.builder.getInt64Ty()));
}

llvm::Instruction* clone_scalar(Emission& emission, llvm::Instruction& instruction) {
    llvm::Instruction* copy = instruction.clone();
    copy->setDebugLoc({});
    return emission.builder.Insert(copy);
}

// All lanes at once where all run, else the loop.
llvm::Value* load_all_or_each(Emission& emission, llvm::LoadInst& load, const Access& access,
                              const Access& unmasked, llvm::Value* mask) {
    if (llvm::Value* result = access.load_contiguous()) return result;
    llvm::Type* type = emission.widen(load.getType());
    return choose(
        emission, all_of(emission, mask),
        [&] { return emission.builder.CreateBitCast(unmasked.load_contiguous(), type); },
        [&] {
            emit_per_lane(emission, load, mask);
            return emission.vector(&load);
        });
}

}  // namespace

void emit_load(Emission& emission, llvm::LoadInst& load, llvm::Value* mask) {
    llvm::Value* pointer = load.getPointerOperand();
    if (emission.shape(pointer).is_uniform()) {
        llvm::Value* address = emission.base(pointer);
        llvm::Instruction* copy = clone_scalar(emission, load);
        copy->setOperand(0, address);
        if (load.isSimple() && is_parameter_memory(emission, pointer)) {
            copy->setMetadata(llvm::LLVMContext::MD_invariant_load,
                              llvm::MDNode::get(load.getContext(), {}));
        }
        emission.define(&load, copy);
        return;
    }
    llvm::Type* element = element_type(emission, load.getType());
    if (!load.isSimple() || !element) {
        emit_per_lane(emission, load, mask);
        return;
    }
    const Access access(emission, load, pointer, element, load.getAlign(), mask);
    const Access unmasked(emission, load, pointer, element, load.getAlign(), emission.all_lanes());
    llvm::Type* type = emission.widen(load.getType());
    const auto cast = [&](llvm::Value* value) {
        return emission.builder.CreateBitCast(value, type);
    };
    const auto gather = [&]() -> llvm::Value* {
        if (llvm::Value* result = access.gather()) return cast(result);
        emit_per_lane(emission, load, mask);
        return emission.vector(&load);
    };
    const auto contiguous = [&]() -> llvm::Value* {
        return cast(load_all_or_each(emission, load, access, unmasked, mask));
    };
    llvm::Value* result = nullptr;
    if (!access.is_contiguous()) {
        result = gather();
    } else if (llvm::Value* guard = access.guard()) {
        result = choose(emission, guard, contiguous, gather);
    } else {
        result = contiguous();
    }
    emission.define(&load, result);
}

void emit_store(Emission& emission, llvm::StoreInst& store, llvm::Value* mask) {
    llvm::Value* pointer = store.getPointerOperand();
    llvm::Value* value = store.getValueOperand();
    if (emission.shape(pointer).is_uniform() && store.isSimple()) {
        llvm::Value* scalar = last_value(emission, value, mask);
        llvm::Value* address = emission.base(pointer);
        llvm::Instruction* copy = clone_scalar(emission, store);
        copy->setOperand(0, scalar);
        copy->setOperand(1, address);
        return;
    }
    llvm::Type* element = element_type(emission, value->getType());
    if (!store.isSimple() || !element) {
        emit_per_lane(emission, store, mask);
        return;
    }
    const Access access(emission, store, pointer, element, store.getAlign(), mask);
    const Access unmasked(emission, store, pointer, element, store.getAlign(),
                          emission.all_lanes());
    llvm::Value* vector = emission.builder.CreateBitCast(
        emission.vector(value), llvm::FixedVectorType::get(element, emission.lanes));
    const auto scatter = [&]() -> llvm::Value* {
        if (!access.scatter(vector)) emit_per_lane(emission, store, mask);
        return nullptr;
    };
    const auto contiguous = [&]() -> llvm::Value* {
        if (access.store_contiguous(vector)) return nullptr;
        return choose(
            emission, all_of(emission, mask),
            [&]() -> llvm::Value* {
                unmasked.store_contiguous(vector);
                return nullptr;
            },
            [&]() -> llvm::Value* {
                emit_per_lane(emission, store, mask);
                return nullptr;
            });
    };
    if (!access.is_contiguous()) {
        scatter();
    } else if (llvm::Value* guard = access.guard()) {
        choose(emission, guard, contiguous, scatter);
    } else {
        contiguous();
    }
}

}  // namespace heald::cpu::simt
