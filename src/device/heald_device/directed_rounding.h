#pragma once
#include <heald_device/libc.h>
