// Shapes of named values in small functions.

#include "src/jit/cpu/simt/shape_analysis.hpp"
#include "src/jit/cpu/simt/simt.hpp"

#include <gtest/gtest.h>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <sstream>

namespace heald::cpu::simt {
namespace {

// The body of a function whose %tid is threadIdx.x, %bid blockIdx.x, %dim blockDim.x, %n and %m
// kernel parameters, %p a pointer parameter.
class Shapes {
public:
    explicit Shapes(const std::string& body, Variant variant = {.lanes = 32}) {
        const std::string text = R"(
            declare i32 @__heald_tid_x()
            declare i32 @__heald_bid_x()
            declare i32 @__heald_bdim_x()
            declare i32 @__heald_lane()
            define void @k(ptr %argv) {
            entry:
                %tid = call i32 @__heald_tid_x()
                %bid = call i32 @__heald_bid_x()
                %dim = call i32 @__heald_bdim_x()
                %lane = call i32 @__heald_lane()
                %n = load i32, ptr %argv
                %m = load i32, ptr %argv
                %p = load ptr, ptr %argv
                %first = mul i32 %bid, %dim
                %i = add i32 %first, %tid
        )" + body + "\n}";
        llvm::SMDiagnostic problem;
        module_ = llvm::parseAssemblyString(text, problem, context_);
        if (!module_) {
            ADD_FAILURE() << problem.getMessage().str() << " in\n" << text;
            return;
        }
        annotate_intrinsics(*module_);
        llvm::Function& function = *module_->getFunction("k");
        llvm::DominatorTree dominators(function);
        llvm::PostDominatorTree post_dominators(function);
        llvm::LoopInfo loops(dominators);
        const ShapeAnalysis shapes(function, variant, loops, post_dominators);
        for (llvm::Instruction& instruction : llvm::instructions(function)) {
            if (instruction.hasName())
                found_[instruction.getName().str()] = shapes.shape(&instruction);
        }
    }

    // "uniform", "stride 4", "guarded 1", "varying"
    std::string operator[](const std::string& name) const {
        const auto at = found_.find(name);
        if (at == found_.end()) return "no such value";
        const Shape& shape = at->second;
        if (shape.is_varying()) return "varying";
        if (shape.is_uniform()) return "uniform";
        return (shape.is_guarded() ? "guarded " : "stride ") + std::to_string(shape.stride());
    }

private:
    llvm::LLVMContext context_;
    std::unique_ptr<llvm::Module> module_;
    std::map<std::string, Shape> found_;
};

const Variant partial{.lanes = 32, .contiguous = true, .full = false};
const Variant scattered{.lanes = 32, .contiguous = false, .full = true};

TEST(Shapes, Coordinates) {
    const Shapes full("ret void");
    EXPECT_EQ(full["tid"], "stride 1");
    EXPECT_EQ(full["bid"], "uniform");
    EXPECT_EQ(full["i"], "stride 1");
    EXPECT_EQ(full["lane"], "stride 1");
    const Shapes irregular("ret void", scattered);
    EXPECT_EQ(irregular["tid"], "varying");
    EXPECT_EQ(irregular["lane"], "stride 1");
}

TEST(Shapes, Arithmetic) {
    const Shapes shapes(R"(
        %double = shl i32 %tid, 1
        %triple = mul i32 %tid, 3
        %sum = add i32 %double, %triple
        %difference = sub i32 %n, %tid
        %same = sub i32 %sum, %sum
        %unknown = mul i32 %tid, %n
        %not = xor i32 %tid, -1
        %top = shl i32 %tid, 31
        ret void)");
    EXPECT_EQ(shapes["double"], "stride 2");
    EXPECT_EQ(shapes["triple"], "stride 3");
    EXPECT_EQ(shapes["sum"], "stride 5");
    EXPECT_EQ(shapes["difference"], "stride -1");
    EXPECT_EQ(shapes["same"], "uniform");
    EXPECT_EQ(shapes["unknown"], "varying");
    EXPECT_EQ(shapes["not"], "stride -1");
    EXPECT_EQ(shapes["top"], "stride -2147483648");
}

TEST(Shapes, BitsAboveTheWarp) {
    const Shapes shapes(R"(
        %warp = lshr i32 %tid, 5
        %within = and i32 %tid, 31
        %half = and i32 %tid, 15
        %remainder = urem i32 %tid, 32
        %quotient = udiv i32 %tid, 64
        %rounded = and i32 %tid, -32
        %shifted = add i32 %tid, 1
        %crossing = lshr i32 %shifted, 5
        %third = udiv i32 %tid, 3
        %signed = sdiv i32 %tid, 32
        %i.signed = sdiv i32 %i, 32
        ret void)");
    EXPECT_EQ(shapes["warp"], "uniform");
    EXPECT_EQ(shapes["within"], "stride 1");
    EXPECT_EQ(shapes["half"], "varying");
    EXPECT_EQ(shapes["remainder"], "stride 1");
    EXPECT_EQ(shapes["quotient"], "uniform");
    EXPECT_EQ(shapes["rounded"], "uniform");
    EXPECT_EQ(shapes["crossing"], "varying");
    EXPECT_EQ(shapes["third"], "varying");
    EXPECT_EQ(shapes["signed"], "uniform");
    // Rounding towards zero differs within a warp of negative numbers.
    EXPECT_EQ(shapes["i.signed"], "varying");
}

TEST(Shapes, Comparisons) {
    const Shapes shapes(R"(
        %below = icmp ult i32 %tid, 64
        %inside = icmp ult i32 %tid, 65
        %bound = shl i32 %n, 5
        %aligned = icmp slt i32 %tid, %bound
        %any = icmp slt i32 %tid, %n
        %above = icmp ugt i32 %tid, 31
        %equal = icmp eq i32 %tid, 5
        %next = add i32 %tid, 7
        %apart = icmp eq i32 %next, %tid
        ret void)");
    EXPECT_EQ(shapes["below"], "uniform");
    EXPECT_EQ(shapes["inside"], "varying");
    EXPECT_EQ(shapes["aligned"], "uniform");
    EXPECT_EQ(shapes["any"], "varying");
    EXPECT_EQ(shapes["above"], "uniform");
    EXPECT_EQ(shapes["equal"], "varying");
    EXPECT_EQ(shapes["apart"], "uniform");
}

TEST(Shapes, ExtensionsThatCannotWrap) {
    const Shapes shapes(R"(
        %i.signed = sext i32 %i to i64
        %i.unsigned = zext i32 %i to i64
        %row = mul nsw i32 %n, %m
        %cell = add nsw i32 %row, %i
        %left = add nsw i32 %cell, -1
        %left.wide = sext i32 %left to i64
        %tid.next = add i32 %tid, 1
        %tid.wide = zext i32 %tid.next to i64
        %non.negative = zext nneg i32 %cell to i64
        %scaled = shl nsw i32 %i, 2
        %scaled.wide = sext i32 %scaled to i64
        %address = getelementptr inbounds float, ptr %p, i64 %left.wide
        ret void)");
    EXPECT_EQ(shapes["i.signed"], "stride 1");
    EXPECT_EQ(shapes["i.unsigned"], "stride 1");
    EXPECT_EQ(shapes["left.wide"], "stride 1");
    EXPECT_EQ(shapes["tid.wide"], "stride 1");
    EXPECT_EQ(shapes["non.negative"], "stride 1");
    EXPECT_EQ(shapes["scaled.wide"], "stride 4");
    EXPECT_EQ(shapes["address"], "stride 4");
}

TEST(Shapes, ExtensionsThatMayWrap) {
    const Shapes shapes(R"(
        %before = add i32 %i, -1
        %before.wide = zext i32 %before to i64
        %address = getelementptr float, ptr %p, i64 %before.wide
        %later = icmp ult i64 %before.wide, 10
        %hash = mul i32 %i, 1640531527
        %hash.wide = zext i32 %hash to i64
        %narrow = trunc i32 %i to i8
        %narrow.wide = zext i8 %narrow to i64
        %narrow.signed = sext i8 %narrow to i64
        %moved = add i8 %narrow, 1
        %moved.wide = zext i8 %moved to i32
        %nuw = add nuw i32 %before, 2
        %nuw.wide = zext i32 %nuw to i64
        %nuw.signed = sext i32 %nuw to i64
        ret void)");
    EXPECT_EQ(shapes["before"], "stride 1");
    EXPECT_EQ(shapes["before.wide"], "guarded 1");
    EXPECT_EQ(shapes["address"], "guarded 4");
    EXPECT_EQ(shapes["later"], "varying");
    EXPECT_EQ(shapes["hash.wide"], "varying");
    EXPECT_EQ(shapes["narrow.wide"], "stride 1");
    EXPECT_EQ(shapes["narrow.signed"], "stride 1");
    EXPECT_EQ(shapes["moved.wide"], "guarded 1");
    // The addition does not wrap, but its operand may have.
    EXPECT_EQ(shapes["nuw.wide"], "guarded 1");
    EXPECT_EQ(shapes["nuw.signed"], "guarded 1");
    // In a block that is no multiple of the warp, even the thread index is not aligned.
    EXPECT_EQ(Shapes("%wide = sext i32 %i to i64\nret void", partial)["wide"], "guarded 1");
}

TEST(Shapes, Memory) {
    const Shapes shapes(R"(
        %private = alloca [8 x float]
        %index = sext i32 %i to i64
        %address = getelementptr float, ptr %p, i64 %index
        %mine = load float, ptr %address
        %shared = load float, ptr %p
        %bits = ptrtoint ptr %address to i64
        %again = inttoptr i64 %bits to ptr
        ret void)");
    EXPECT_EQ(shapes["private"], "stride 32");
    EXPECT_EQ(shapes["mine"], "varying");
    EXPECT_EQ(shapes["shared"], "uniform");
    EXPECT_EQ(shapes["again"], "stride 4");
}

TEST(Shapes, JoinsOfDivergentBranches) {
    const Shapes shapes(R"(
        %c = icmp slt i32 %tid, %n
        br i1 %c, label %then, label %join
    then:
        br label %join
    join:
        %chosen = phi i32 [ %n, %then ], [ %m, %entry ]
        %equal = phi i32 [ %n, %then ], [ %n, %entry ]
        %u = icmp slt i32 %m, %n
        br i1 %u, label %other, label %end
    other:
        br label %end
    end:
        %uniform = phi i32 [ %n, %other ], [ %m, %join ]
        %strided = phi i32 [ %tid, %other ], [ %i, %join ]
        ret void)");
    EXPECT_EQ(shapes["chosen"], "varying");
    EXPECT_EQ(shapes["equal"], "uniform");
    EXPECT_EQ(shapes["uniform"], "uniform");
    EXPECT_EQ(shapes["strided"], "stride 1");
}

const char* const loop_text = R"(
        br label %loop
    loop:
        %k = phi i32 [ 0, %entry ], [ %next, %loop ]
        %at = phi i32 [ %tid, %entry ], [ %further, %loop ]
        %next = add i32 %k, 1
        %further = add i32 %at, 32
        %go = icmp slt i32 BOUND
        br i1 %go, label %loop, label %end
    end:
        %last = phi i32 [ %next, %loop ]
        %where = phi i32 [ %at, %loop ]
        ret void)";

std::string loop_until(const std::string& bound) {
    std::string text = loop_text;
    return text.replace(text.find("BOUND"), 5, bound);
}

TEST(Shapes, UniformLoops) {
    const Shapes shapes(loop_until("%next, %n"));
    EXPECT_EQ(shapes["k"], "uniform");
    EXPECT_EQ(shapes["at"], "stride 1");
    EXPECT_EQ(shapes["last"], "uniform");
    EXPECT_EQ(shapes["where"], "stride 1");
}

// Inside, lanes that still run agree; outside, each has its own last iteration.
TEST(Shapes, ValuesLeavingADivergentLoop) {
    const Shapes shapes(loop_until("%next, %tid"));
    EXPECT_EQ(shapes["k"], "uniform");
    EXPECT_EQ(shapes["at"], "stride 1");
    EXPECT_EQ(shapes["last"], "varying");
    EXPECT_EQ(shapes["where"], "varying");
}

// A uniform exit under a divergent branch is taken by some lanes only.
TEST(Shapes, UniformExitInsideADivergentBranch) {
    const Shapes shapes(R"(
        br label %loop
    loop:
        %k = phi i32 [ 0, %entry ], [ %next, %latch ]
        %next = add i32 %k, 1
        %mine = icmp slt i32 %tid, %next
        br i1 %mine, label %some, label %latch
    some:
        %enough = icmp slt i32 %n, %next
        br i1 %enough, label %end, label %latch
    latch:
        br label %loop
    end:
        %last = phi i32 [ %next, %some ]
        ret void)");
    EXPECT_EQ(shapes["last"], "varying");
}

}  // namespace
}  // namespace heald::cpu::simt
