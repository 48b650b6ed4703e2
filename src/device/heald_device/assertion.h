// What <assert.h> defines each time it is included: NDEBUG may have changed.

#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...)                                                                          \
    ((__VA_ARGS__) ? (void)0                                                                 \
                   : __heald_assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __PRETTY_FUNCTION__, \
                                         threadIdx.x, threadIdx.y, threadIdx.z))
#endif
