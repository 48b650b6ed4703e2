# shellcheck shell=bash
# Configure and build into build/. Sourced by ./run.

# Two checkouts share what ccache keeps.
export CCACHE_BASEDIR=$HEALD_ROOT CCACHE_NOHASHDIR=1

configure() {
    cmake -S "$HEALD_ROOT" -B "$HEALD_BUILD" -G Ninja --fresh "$@"
}

# The highest level of x86-64 that this machine has, as the CPU compiler names it.
kernel_level() {
    local flags level=x86-64-v2
    flags=" $(grep -m 1 '^flags' /proc/cpuinfo) "
    [[ $flags == *' avx2 '* && $flags == *' fma '* && $flags == *' bmi2 '* ]] && level=x86-64-v3
    [[ $level == x86-64-v3 && $flags == *' avx512vl '* && $flags == *' avx512dq '* ]] &&
        level=x86-64-v4
    echo "$level"
}

# build_heald TARGET… — ninja knows what is up to date.
build_heald() {
    local options stamp=$HEALD_BUILD/.configured
    options=(
        -DCMAKE_BUILD_TYPE=Release
        -DPython_EXECUTABLE="$HEALD_VENV/bin/python"
        -DHEALD_PYTHON=ON
        -DHEALD_CPU_COMPILER="$HEALD_CPU_COMPILER"
        -DHEALD_BENCHMARKS=ON
        -DHEALD_TESTS="$(test -e /usr/include/gtest/gtest.h && echo ON || echo OFF)"
    )
    [[ $HEALD_CPU_COMPILER == ON ]] && options+=(-DHEALD_AOT="$(kernel_level)")
    command -v ccache >/dev/null && options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    if [[ ! -f $HEALD_BUILD/build.ninja || ! -f $stamp || $(<"$stamp") != "${options[*]}" ]]; then
        rm -f "$stamp"
        step "Configuring" configure "${options[@]}"
        printf '%s\n' "${options[*]}" >"$stamp"
    fi
    if ! ninja -C "$HEALD_BUILD" -n "$@" 2>&1 | grep -q 'no work to do'; then
        step "Building with $HEALD_JOBS jobs" ninja -C "$HEALD_BUILD" -j "$HEALD_JOBS" "$@"
    fi
}
