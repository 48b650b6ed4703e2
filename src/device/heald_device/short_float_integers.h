#pragma once

// From a float that came from 16 bits to integers, toward zero and saturating, also for host code.

#include <heald_device/conversions.h>

__HEALD_HD int __heald_clamp(float f, int lowest, int highest) {
    float bounded = f < float(lowest) ? float(lowest) : f > float(highest) ? float(highest) : f;
    return f != f ? 0 : int(bounded);
}
