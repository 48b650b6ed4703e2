#pragma once

// malloc, free, abs and abort are declared by heald_device.h.
#include <stddef.h>
