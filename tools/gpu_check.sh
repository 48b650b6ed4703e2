#!/usr/bin/env bash
# Builds heald on a machine with a GPU and checks it there: tests, compute-sanitizer, benchmarks.
# Needs what such a machine has: a C++20 compiler, CMake, ninja, nanobind, NumPy and pytest; nothing
# is fetched. Wheels in .carry or .whl are used for what Python lacks, and a prebuilt CPU compiler
# in .carry (libheald_cpu_compiler.so or .so.xz) if it is there.
#
#   tools/gpu_check.sh [stage …]     stages: build cpp python memcheck bench (default: all)
#   BUILD=folder                     build folder (default: /tmp/heald_gpu_build)
#   OUT=folder                       full logs go there (default: $BUILD/logs)
#   PYTEST_ARGS="…"                  more arguments for pytest

set -uo pipefail
cd "$(dirname "$0")/.." || exit
root=$PWD
build=${BUILD:-/tmp/heald_gpu_build}
logs=${OUT:-$build/logs}
python=${PYTHON:-python3}
stages=${*:-build cpp python memcheck bench}
mkdir -p "$build" "$logs"
summary=$build/summary.txt
: > "$summary"
failed=0
start=$SECONDS

say() { printf '\n== %s (%d s)\n' "$1" $((SECONDS - start)); }
note() { printf '%-44s %s\n' "$1" "$2" | tee -a "$summary"; }

# run NAME LIMIT_SECONDS COMMAND… : output to a log, the result to the summary.
run() {
    local name=$1 limit=$2 begin=$SECONDS status
    shift 2
    timeout -k 5 "$limit" "$@" > "$logs/$name.log" 2>&1
    status=$?
    local took=$((SECONDS - begin))
    if [ $status -eq 0 ]; then
        note "$name" "ok, $took s"
    else
        [ $status -eq 124 ] && status="timed out"
        note "$name" "FAILED ($status), $took s"
        failed=1
        tail -n "${TAIL:-40}" "$logs/$name.log"
        return 1
    fi
}

site=$build/site
mapfile -t wheels < <(find "$root/.carry" "$root/.whl" -name '*.whl' 2> /dev/null)
if [ ${#wheels[@]} -gt 0 ]; then
    [ -d "$site" ] || "$python" -m pip install -q --no-index --no-deps --no-compile \
        --target "$site" "${wheels[@]}" > "$logs/pip.log" 2>&1 || cat "$logs/pip.log"
    export PYTHONPATH=$site${PYTHONPATH:+:$PYTHONPATH}
fi

has_nanobind=OFF
"$python" -m nanobind --cmake_dir > /dev/null 2>&1 && has_nanobind=ON

stage_build() {
    say "build in $build (nanobind: $has_nanobind)"
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || true
    run configure 60 cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DHEALD_CPU_COMPILER=OFF -DHEALD_TESTS=OFF -DHEALD_GPU_CHECK=ON \
        -DHEALD_PYTHON=$has_nanobind -DPython_EXECUTABLE="$(command -v "$python")" || return 1
    TAIL=80 run compile 300 cmake --build "$build" -j "$(nproc)" --target heald heald_gpu_test \
        heald_bench_launch heald_bench_copies heald_c_paths || return 1
    TAIL=80 run compile_rest 300 cmake --build "$build" -j "$(nproc)"
    # The CPU compiler belongs beside libheald.so.
    local compiler
    compiler=$(find "$root/.carry" -name 'libheald_cpu_compiler.so*' 2> /dev/null | head -n 1)
    case $compiler in
        *.xz) xz -dc "$compiler" > "$build/libheald_cpu_compiler.so" ;;
        *.so) cp "$compiler" "$build/" ;;
        *) note "CPU compiler" "none in .carry: the CPU device cannot compile here" ;;
    esac
}

stage_cpp() {
    say "C++ tests on the GPU"
    run gpu_tests 200 "$build/tests/gpu/heald_gpu_test"
    grep -E '^(FAIL|[0-9]+ passed)' "$logs/gpu_tests.log" | tee -a "$summary"
}

python_path=$build/python${PYTHONPATH:+:$PYTHONPATH}

stage_python() {
    say "Python tests"
    if [ $has_nanobind = OFF ]; then
        note python "skipped: no nanobind"
        return
    fi
    if ! "$python" -c 'import pytest' 2> /dev/null; then
        note python "skipped: no pytest"
        return
    fi
    # Apart: each folder has a conftest of its own.
    local folder name
    for folder in tests/python tests/conformance; do
        name=pytest_$(basename $folder)
        # shellcheck disable=SC2086  # several words on purpose
        PYTHONPATH=$python_path PYTHONFAULTHANDLER=1 run "$name" 200 "$python" -m pytest -q \
            --maxfail=25 -p no:cacheprovider --import-mode=importlib ${PYTEST_ARGS:-} $folder
        grep -E '^(FAILED|ERROR|SKIPPED)' "$logs/$name.log" | tail -n 30
        tail -n 1 "$logs/$name.log" | tee -a "$summary"
    done
}

stage_memcheck() {
    say "compute-sanitizer memcheck"
    local sanitizer
    sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2> /dev/null)
    if [ -z "$sanitizer" ]; then
        note memcheck "skipped: no compute-sanitizer"
        return
    fi
    local part
    for part in saxpy templates cooperative shared_memory clusters linking attributes events \
        host_functions pinned pageable fills owners capture bound freed_memory statistics \
        transposed slices; do
        echo "== $part"
        # A refused launch is an API error on purpose.
        local errors=explicit
        [ $part = cooperative ] && errors=no
        timeout -k 5 60 "$sanitizer" --tool memcheck --error-exitcode 9 --report-api-errors $errors \
            "$build/tests/gpu/heald_gpu_test" "$part" 2>&1
        echo "-- status $?"
    done > "$logs/memcheck.log"
    # The tests' own line and the tool's summary count, not the status: the tool itself can crash in
    # its exit handler, after both.
    local bad
    bad=$(awk '/^== /{if (part != "" && !(tests && clean)) print part; part = $2; tests = clean = 0}
               / passed, 0 failed/{tests = 1} /ERROR SUMMARY: 0 errors/{clean = 1}
               END{if (!(tests && clean)) print part}' "$logs/memcheck.log")
    if [ -n "$bad" ]; then
        note memcheck "FAILED: $(echo $bad)"
        grep -B 2 -A 12 -E '^=+ (Invalid|Program hit|Error)|^FAIL' "$logs/memcheck.log" | head -n 60
        failed=1
    else
        note memcheck "ok, $(grep -c '^== ' "$logs/memcheck.log") runs without errors"
    fi
}

stage_bench() {
    say "benchmarks"
    run bench_launch 120 "$build/benchmarks/gpu/heald_bench_launch" && cat "$logs/bench_launch.log"
    for path in plain graph; do
        HEALD_LAUNCH_PATH=$path run "bench_$path" 60 "$build/benchmarks/gpu/heald_bench_launch" longer &&
            { echo "HEALD_LAUNCH_PATH=$path"; grep heald "$logs/bench_$path.log"; }
    done
    run bench_copies 60 "$build/benchmarks/gpu/heald_bench_copies" && cat "$logs/bench_copies.log"
    if [ $has_nanobind = ON ]; then
        PYTHONPATH=$python_path run bench_python 120 "$python" benchmarks/gpu/launch.py \
            "$build/benchmarks/gpu/libheald_c_paths.so" && cat "$logs/bench_python.log"
    fi
}

for stage in $stages; do
    case $stage in
        build | cpp | python | memcheck | bench) stage_"$stage" || [ "$stage" != build ] || break ;;
        *) echo "unknown stage: $stage" >&2; exit 2 ;;
    esac
done

say summary
cat "$summary"
exit $failed
