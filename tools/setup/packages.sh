# shellcheck shell=bash
# System packages: what is missing is installed by apt. Sourced by ./run.

# package | how to see that it is there (however it was installed)
BUILD_PACKAGES=(
    "g++|command -v g++"
    "cmake|command -v cmake"
    "ninja-build|command -v ninja"
    "ccache|command -v ccache"
    "libgtest-dev|test -e /usr/include/gtest/gtest.h"
    "libfftw3-double3|find /usr/lib* /usr/local/lib* -name libfftw3.so.3 | grep -q ."
    "libfftw3-single3|find /usr/lib* /usr/local/lib* -name libfftw3f.so.3 | grep -q ."
)
COMPILER_PACKAGES=(
    "llvm-19-dev|test -e /usr/lib/llvm-19/lib/cmake/llvm/LLVMConfig.cmake"
    "libclang-19-dev|test -e /usr/lib/llvm-19/lib/libclangAST.a"
    "libclang-cpp19-dev|test -e /usr/lib/llvm-19/lib/libclang-cpp.so"
    "lld-19|test -x /usr/lib/llvm-19/bin/ld.lld"
    "zlib1g-dev|test -e /usr/include/zlib.h"
    "libzstd-dev|test -e /usr/include/zstd.h"
    "libxml2-dev|test -e /usr/include/libxml2/libxml/tree.h"
)
# Products of matrices on the CPU: heald builds and runs without them, slower.
LIBRARY_PACKAGES=(
    "libdnnl-dev|test -e /usr/include/oneapi/dnnl/dnnl.hpp"
    "libopenblas0-pthread|ldconfig -p | grep -q libopenblas.so.0"
)
LINT_PACKAGES=(
    "clang-format-19|command -v clang-format-19"
    "clang-tidy-19|command -v clang-tidy-19"
    "git|command -v git"
)

has_gpu() { [[ -e /dev/nvidiactl || -e /dev/dxg ]]; }
has_apt() { command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; }

# missing ROW… — prints the packages of the rows that are not there.
missing() {
    local row
    for row in "$@"; do
        bash -c "${row#*|}" >/dev/null 2>&1 || printf '%s\n' "${row%%|*}"
    done
}

apt_get() {
    local as_root=()
    ((EUID == 0)) || as_root=(sudo -n)
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 \
        -o Acquire::Retries=3 "$@"
}

apt_install() {
    apt_get install -y --no-install-recommends "$@" && return
    apt_get update && apt_get install -y --no-install-recommends "$@"
}

can_install() {
    has_apt || return 1
    ((EUID == 0)) && return
    command -v sudo >/dev/null && { sudo -n true 2>/dev/null || { [[ -t 0 ]] && sudo -v; }; }
}

# Sets HEALD_CPU_COMPILER to ON or OFF.
install_packages() {
    local wanted compiler=()
    mapfile -t wanted < <(missing "${BUILD_PACKAGES[@]}")
    [[ -n ${HEALD_LINT:-} ]] && mapfile -t -O ${#wanted[@]} wanted < <(missing "${LINT_PACKAGES[@]}")
    find_python || wanted+=(python3 python3-venv python3-dev)
    [[ ${HEALD_CPU_COMPILER:=ON} == ON ]] && mapfile -t compiler < <(missing "${COMPILER_PACKAGES[@]}")

    # A machine with a GPU does without the CPU compiler if LLVM 19 is not to be had.
    if ((${#compiler[@]})) && has_gpu && ! compiler_available; then
        note "no LLVM 19 here (${compiler[*]}): building for the GPU only, without CPU kernels"
        HEALD_CPU_COMPILER=OFF
        compiler=()
    fi
    wanted+=("${compiler[@]}")
    has_gpu || mapfile -t -O ${#wanted[@]} wanted < <(missing "${LIBRARY_PACKAGES[@]}")
    ((${#wanted[@]} == 0)) && return 0
    if ! can_install; then
        # These can be done without: slower rebuilds, no C++ tests, slower products and no Fourier
        # transforms on the CPU.
        printf '%s\n' "${wanted[@]}" | grep -q -v -x -e ccache -e libgtest-dev -e libdnnl-dev \
            -e libopenblas0-pthread -e libfftw3-double3 -e libfftw3-single3 || return 0
        fail "missing: ${wanted[*]} — and no way to install it (needs apt-get, and root or sudo).
       An administrator can run:  apt-get install ${wanted[*]}"
    fi
    step "Installing system packages: ${wanted[*]}" apt_install "${wanted[@]}"
    find_python || fail "no Python 3.10 or later with venv and headers, though python3 is installed"
}

compiler_available() {
    can_install || return 1
    [[ -n $(apt-cache search --names-only '^libclang-19-dev$' 2>/dev/null) ]] && return
    apt_get update >/dev/null 2>&1
    [[ -n $(apt-cache search --names-only '^libclang-19-dev$' 2>/dev/null) ]]
}
