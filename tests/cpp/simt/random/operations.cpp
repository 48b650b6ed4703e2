#include "tests/cpp/simt/random/program.hpp"

#include <algorithm>
#include <bit>

namespace heald::cpu::test::random {
namespace {

using Wide = std::uint64_t;
using Signed = std::int32_t;

Signed s(Value value) {
    return static_cast<Signed>(value);
}

}  // namespace

const std::vector<Operation>& operations() {
#define HEALD_OPERATION(operands, text, result)                  \
    Operation {                                                  \
        text, operands, [](Value A, Value B, Value C) -> Value { \
            (void)A, (void)B, (void)C;                           \
            return static_cast<Value>(result);                   \
        }                                                        \
    }
    static const std::vector<Operation> all{
        HEALD_OPERATION(2, "(A + B)", A + B),
        HEALD_OPERATION(2, "(A - B)", A - B),
        HEALD_OPERATION(2, "(A * B)", A * B),
        HEALD_OPERATION(1, "(A + 1u)", A + 1),
        HEALD_OPERATION(1, "(A - 1u)", A - 1),
        HEALD_OPERATION(1, "(A * 3u)", A * 3),
        HEALD_OPERATION(1, "(A * 2654435761u)", A * 2654435761U),
        HEALD_OPERATION(2, "(A & B)", A & B),
        HEALD_OPERATION(2, "(A | B)", A | B),
        HEALD_OPERATION(2, "(A ^ B)", A ^ B),
        HEALD_OPERATION(1, "(A & 31u)", A & 31),
        HEALD_OPERATION(1, "(A & ~31u)", A & ~31U),
        HEALD_OPERATION(1, "(A | 64u)", A | 64),
        HEALD_OPERATION(1, "(A ^ 5u)", A ^ 5),
        HEALD_OPERATION(1, "(A << 3)", A << 3),
        HEALD_OPERATION(1, "(A >> 5)", A >> 5),
        HEALD_OPERATION(1, "(unsigned)((int)A >> 3)", s(A) >> 3),
        HEALD_OPERATION(2, "(A << (B & 31))", A << (B & 31)),
        HEALD_OPERATION(2, "(A >> (B & 31))", A >> (B & 31)),
        HEALD_OPERATION(1, "(A / 32u)", A / 32),
        HEALD_OPERATION(1, "(A % 32u)", A % 32),
        HEALD_OPERATION(1, "(A / 7u)", A / 7),
        HEALD_OPERATION(1, "(A % 10u)", A % 10),
        HEALD_OPERATION(2, "(A / (B | 1u))", A / (B | 1)),
        HEALD_OPERATION(2, "(A % (B | 1u))", A % (B | 1)),
        HEALD_OPERATION(1, "(unsigned)((int)A / 16)", s(A) / 16),
        HEALD_OPERATION(1, "(unsigned)((int)A % 8)", s(A) % 8),
        HEALD_OPERATION(2, "min(A, B)", std::min(A, B)),
        HEALD_OPERATION(2, "max(A, B)", std::max(A, B)),
        HEALD_OPERATION(2, "(unsigned)min((int)A, (int)B)", std::min(s(A), s(B))),
        HEALD_OPERATION(2, "(unsigned)max((int)A, (int)B)", std::max(s(A), s(B))),
        HEALD_OPERATION(1, "(unsigned)(signed char)A", static_cast<signed char>(A)),
        HEALD_OPERATION(1, "(unsigned)(short)A", static_cast<short>(A)),
        HEALD_OPERATION(1, "(unsigned)(unsigned char)A", static_cast<unsigned char>(A)),
        HEALD_OPERATION(2, "(unsigned)(A == B)", A == B),
        HEALD_OPERATION(2, "(unsigned)(A != B)", A != B),
        HEALD_OPERATION(2, "(unsigned)(A < B)", A < B),
        HEALD_OPERATION(2, "(unsigned)((int)A < (int)B)", s(A) < s(B)),
        HEALD_OPERATION(1, "(unsigned)(A < 64u)", A < 64),
        HEALD_OPERATION(1, "(unsigned)((A & 1u) == 0)", (A & 1) == 0),
        HEALD_OPERATION(2, "(unsigned)(A && B)", A && B),
        HEALD_OPERATION(2, "(unsigned)(A || B)", A || B),
        HEALD_OPERATION(1, "(unsigned)!A", !A),
        HEALD_OPERATION(1, "(~A)", ~A),
        HEALD_OPERATION(3, "(A ? B : C)", A ? B : C),
        HEALD_OPERATION(3, "(A < B ? C : B)", A < B ? C : B),
        HEALD_OPERATION(2, "(unsigned)(((unsigned long long)A * B) >> 16)", (Wide{A} * B) >> 16),
        HEALD_OPERATION(2, "(unsigned)(((unsigned long long)A + B) >> 1)", (Wide{A} + B) >> 1),
        HEALD_OPERATION(2, "(unsigned)(((long long)(int)A - (int)B) >> 3)",
                        (std::int64_t{s(A)} - s(B)) >> 3),
        HEALD_OPERATION(1, "(unsigned)__popc(A)", std::popcount(A)),
        HEALD_OPERATION(1, "(unsigned)__clz(A)", std::countl_zero(A)),
        HEALD_OPERATION(1, "(unsigned)((float)(A & 0xffffu) * 0.5f)",
                        static_cast<float>(A & 0xffffU) * 0.5F),
        HEALD_OPERATION(2, "(unsigned)fmaxf((float)(A & 0xffffu), (float)(B & 0xffffu))",
                        std::max(A & 0xffffU, B & 0xffffU)),
    };
#undef HEALD_OPERATION
    return all;
}

}  // namespace heald::cpu::test::random
