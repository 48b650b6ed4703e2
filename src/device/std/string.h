#pragma once

#include <heald_device/libc.h>
#include <stddef.h>

__HEALD_FN size_t strlen(const char* text) {
    size_t n = 0;
    while (text[n]) ++n;
    return n;
}
__HEALD_FN int strcmp(const char* a, const char* b) {
    while (*a && *a == *b) ++a, ++b;
    return int((unsigned char)*a) - int((unsigned char)*b);
}
__HEALD_FN int strncmp(const char* a, const char* b, size_t count) {
    for (; count; --count, ++a, ++b) {
        if (*a != *b || !*a) return int((unsigned char)*a) - int((unsigned char)*b);
    }
    return 0;
}
__HEALD_FN char* strcpy(char* to, const char* from) {
    char* out = to;
    while ((*out++ = *from++)) {
    }
    return to;
}
