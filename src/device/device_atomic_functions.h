#pragma once

// Part of what every kernel source has.
#include <heald_device.h>
