// The plug-in's static objects, LLVM's among them, live as long as the process: a thread may be
// compiling when it exits. Nothing of them needs an orderly end.

extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void*), void*,
                                                                  void*) noexcept {
    return 0;
}
