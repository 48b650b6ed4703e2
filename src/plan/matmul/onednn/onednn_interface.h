#pragma once

/* What libheald_onednn.so exports: oneDNN's matmul primitive behind an interface that does not
 * change between its major versions. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { heald_onednn_version = 1 };

enum heald_onednn_type {
    heald_onednn_f32 = 0,
    heald_onednn_bf16 = 1,
    heald_onednn_s8 = 2,
    heald_onednn_u8 = 3,
    heald_onednn_s32 = 4
};

enum heald_onednn_kind {
    heald_onednn_linear = 0, /* alpha x + beta */
    heald_onednn_relu = 1,   /* alpha: slope below 0 */
    heald_onednn_gelu_tanh = 2,
    heald_onednn_gelu_erf = 3,
    heald_onednn_swish = 4,
    heald_onednn_logistic = 5,
    heald_onednn_tanh = 6,
    heald_onednn_elu = 7, /* alpha: slope */
    heald_onednn_add = 8,  /* an operand */
    heald_onednn_multiply = 9,
    heald_onednn_sum = 10 /* alpha times what is in d */
};

struct heald_onednn_stage {
    int kind;
    float alpha;
    float beta;
    /* Of an operand: */
    int type;
    int64_t rows; /* 1 or m */
    int64_t columns; /* 1 or n */
    int64_t row_step; /* elements */
};

/* d = a b, then stages. Steps in elements: of products, rows and columns; a product step of 0
 * broadcasts. */
struct heald_onednn_problem {
    int64_t products, m, n, k;
    int a, b, d; /* heald_onednn_type */
    int64_t a_steps[3], b_steps[3], d_steps[3];
    int stage_count;
    const struct heald_onednn_stage* stages;
};

int heald_onednn_get_version(void);
/* "oneDNN 2.6.3" */
const char* heald_onednn_name(void);

/* Null if oneDNN has no fast implementation: `message` says why. It runs on the calling thread
 * alone. */
void* heald_onednn_make(const struct heald_onednn_problem* problem, char* message, size_t size);
void heald_onednn_destroy(void* primitive);
/* The implementation's name. */
const char* heald_onednn_describe(void* primitive);
/* `operands`: one for each stage, null where it has none. 0, or a dnnl_status_t. From any thread,
 * also several at once. */
int heald_onednn_run(void* primitive, const void* a, const void* b, void* d,
                     const void* const* operands);

#ifdef __cplusplus
}
#endif
