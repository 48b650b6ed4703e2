#pragma once

/* What libheald_cub.so exports. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { heald_cub_version = 1 };

enum heald_cub_key {
    heald_cub_uint32 = 0,
    heald_cub_uint64 = 1,
    heald_cub_float32 = 2,
    heald_cub_float64 = 3
};

/* One sort. With temp null only temp_bytes is set. */
struct heald_cub_sort {
    int device;
    int key; /* heald_cub_key */
    int value_bytes; /* 0: keys alone; 4 or 8 */
    int bits; /* of the keys, from the lowest */
    int64_t count;
    const void* keys_in;
    void* keys_out;
    const void* values_in;
    void* values_out;
    void* temp;
    uint64_t temp_bytes;
    void* stream;
};

int heald_cub_get_version(void);

/* 0, or a cudaError. The calling thread's current context is as before. */
int heald_cub_run(struct heald_cub_sort* sort);

#ifdef __cplusplus
}
#endif
