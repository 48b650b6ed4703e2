// The precompiled preludes of the usual modes, as the build made them (CMakeLists.txt).

// clang-format off
#define HEALD_EMBED(name, file)                                        \
    asm(".section .rodata\n"                                           \
        ".balign 16\n"                                                 \
        ".globl heald_pch_" name "_begin\n"                            \
        ".hidden heald_pch_" name "_begin\n"                           \
        "heald_pch_" name "_begin:\n"                                  \
        ".incbin \"" file "\"\n"                                       \
        ".globl heald_pch_" name "_end\n"                              \
        ".hidden heald_pch_" name "_end\n"                             \
        "heald_pch_" name "_end:\n"                                    \
        ".byte 0\n"                                                    \
        ".text\n")
// clang-format on

HEALD_EMBED("plain", HEALD_PCH_PLAIN);
HEALD_EMBED("half", HEALD_PCH_HALF);
