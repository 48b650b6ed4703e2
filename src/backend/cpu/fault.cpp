#include "src/backend/cpu/fault.hpp"

#include "src/base/text.hpp"

#include <cstdio>

namespace heald::cpu {
namespace {

std::string hexadecimal(std::uint64_t value) {
    char digits[24];
    std::snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(value));
    return digits;
}

std::string what(const Fault& fault) {
    const std::string access = !fault.access_known ? "accessed "
                               : fault.is_write    ? "wrote to "
                                                   : "read from ";
    switch (fault.kind) {
        case FaultKind::unmapped:
            // A non-canonical address reaches no page; the processor does not tell which it was.
            if (!fault.access_known && fault.address == 0)
                return "used an address that cannot exist";
            return access + "address " + hexadecimal(fault.address) +
                   ", which is not mapped or not accessible so";
        case FaultKind::stack:
            return "used up the thread's stack (recursion too deep, or large local arrays)";
        case FaultKind::arithmetic:
            return "raised an arithmetic exception";
        case FaultKind::illegal:
            return "executed an illegal instruction";
        case FaultKind::bus:
            return "got a bus error at address " + hexadecimal(fault.address);
        case FaultKind::call:
            return "called address " + hexadecimal(fault.address) + ", which holds no code";
        case FaultKind::assertion:
            return fault.message;
        case FaultKind::trap:
            return "executed __trap()";
        case FaultKind::none:
            break;
    }
    return "did not fail";
}

}  // namespace

std::string describe(const Fault& fault, const std::uint32_t grid[3]) {
    const std::uint64_t x = grid[0], y = grid[1];
    std::string result =
        text(what(fault), " in block (", x ? fault.block % x : 0, ", ",
             x && y ? fault.block / x % y : 0, ", ", x && y ? fault.block / x / y : 0, ")");
    if (fault.thread_known)
        result +=
            text(", thread (", fault.thread[0], ", ", fault.thread[1], ", ", fault.thread[2], ")");
    return result;
}

}  // namespace heald::cpu
