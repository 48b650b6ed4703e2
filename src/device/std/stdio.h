#pragma once

// printf is declared by heald_device.h.
#include <stddef.h>
