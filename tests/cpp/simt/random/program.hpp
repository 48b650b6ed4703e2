#pragma once

// Random kernels as trees: printed as CUDA C++, and evaluated here without the compiler.
//
// All values are 32-bit unsigned. A program is made so that its result is defined: warp operations
// and barriers stand where all threads of the warp or block come, and what threads share is not
// raced for.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heald::cpu::test::random {

using Value = std::uint32_t;

/// Who agrees on a value or on coming to a place.
enum class Level { block, warp, thread };

struct Operation {
    const char* text;  ///< A, B and C stand for the operands
    unsigned operands;
    Value (*value)(Value, Value, Value);
};
const std::vector<Operation>& operations();

struct Expression {
    enum class Kind {
        constant,       ///< `index` is the value
        variable,       ///< variable `index`
        thread,         ///< linear index in the block
        coordinate,     ///< threadIdx along axis `index`
        block,          ///< blockIdx.x
        parameter,      ///< parameter `index` of the kernel
        operation,      ///< operations()[index]
        load,           ///< input[operand % input_count]
        guarded_load,   ///< operand < input_count ? input[operand] : 17
        shifted_load,   ///< the same one element back: i = operand - 1
        private_load,   ///< private_array[operand % private_count]
        exchanged_load  ///< shared[operand % threads]; inside an exchange
    };
    Kind kind = Kind::constant;
    Value index = 0;
    std::vector<Expression> operands;
};

struct Statement {
    enum class Kind {
        assign,         ///< variable `target` = e0
        store_own,      ///< own[thread] = e0
        store_private,  ///< private_array[e0 % private_count] = e1
        store_block,    ///< of_block[block] = e0
        atomic,         ///< atomicAdd(&counters[e0 % counter_count], e1)
        branch,         ///< if (e0) bodies[0] else bodies[1]
        choice,         ///< switch (e0 % bodies), `number`: bit i set if body i falls through
        loop_for,       ///< variable `target` from e0 to e1 in steps of `number`, while e2
        loop_down,      ///< while (target-- > 0), from e0
        loop_do,        ///< do … while (++target < e0)
        leave,          ///< breaks out of `number` loops; continue_loop, return_kernel
        shuffle,        ///< `number`: which
        vote,           ///< `number`: which
        exchange,       ///< shared[thread] = e0; barrier; body; barrier
        count,          ///< target = __syncthreads_count / or / and (e0)
        unset           ///< a variable set if e0, to e1, read after the body if e0
    };
    static constexpr Value continue_loop = 100;
    static constexpr Value return_kernel = 101;

    Kind kind = Kind::assign;
    Value target = 0;
    Value number = 0;
    std::vector<Expression> expressions;
    std::vector<std::vector<Statement>> bodies;
};
using Body = std::vector<Statement>;

constexpr unsigned variable_count = 9;  // further ones are counters of loops
constexpr unsigned input_count = 200;
constexpr unsigned private_count = 4;
constexpr unsigned counter_count = 8;
constexpr unsigned parameter_count = 3;

/// What all of the first `variable_count` variables agree on.
Level level_of_variable(unsigned variable);

struct Program {
    Body body;
    unsigned variables = variable_count;
    bool has_warp_operations = false;
    bool has_barriers = false;
};

Program make_program(std::uint64_t seed);
/// A kernel `name(in, out, own, of_block, counters, p0, p1, p2)`.
std::string text_of(const Program& program, const std::string& name);

struct Run {
    std::uint32_t grid = 1;
    std::array<std::uint32_t, 3> block{32, 1, 1};
    std::array<Value, parameter_count> parameters{};
    std::vector<Value> input;

    unsigned threads() const { return block[0] * block[1] * block[2]; }
};
struct Outcome {
    std::vector<Value> out;       ///< the variables of every thread at the end
    std::vector<Value> own;       ///< one per thread
    std::vector<Value> of_block;  ///< one per block
    std::vector<Value> counters;

    explicit Outcome(const Run& run);
    bool operator==(const Outcome&) const = default;
};
Outcome evaluate(const Program& program, const Run& run);

/// Smaller programs, one removal or simplification each, that are as well defined.
std::vector<Program> simplifications(const Program& program);

}  // namespace heald::cpu::test::random
