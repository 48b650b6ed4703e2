#pragma once

// The function objects that collectives take.

#include <heald_device/qualifiers.h>

namespace cooperative_groups {

#define __HEALD_GROUP_OPERATOR(name, expression)                              \
    template <class T> struct name {                                          \
        __HEALD_MEMBER T operator()(T a, T b) const { return expression; }    \
    };
__HEALD_GROUP_OPERATOR(plus, a + b)
__HEALD_GROUP_OPERATOR(less, (b < a ? b : a))
__HEALD_GROUP_OPERATOR(greater, (a < b ? b : a))
__HEALD_GROUP_OPERATOR(bit_and, a& b)
__HEALD_GROUP_OPERATOR(bit_or, a | b)
__HEALD_GROUP_OPERATOR(bit_xor, a ^ b)
#undef __HEALD_GROUP_OPERATOR

}  // namespace cooperative_groups
