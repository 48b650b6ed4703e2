#pragma once

// The names of the driver API's types that kernel sources mention.

#include <heald_device.h>

typedef unsigned long long CUdeviceptr;
typedef unsigned long long CUtexObject;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
