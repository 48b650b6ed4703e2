# shellcheck shell=bash
# Progress lines: what is being done and how long it took; output goes to a log that is shown only
# when a step fails. Sourced by ./run.

HEALD_BUILD=${HEALD_BUILD:-$HEALD_ROOT/build}
HEALD_VENV=${HEALD_VENV:-$HEALD_ROOT/.venv}
HEALD_JOBS=${HEALD_JOBS:-$(nproc)}

note() { printf '==> %s\n' "$*" >&2; }

fail() {
    printf './run: %s\n' "$*" >&2
    exit 1
}

# On a terminal: the seconds so far and the build's "[12/80]", until the shell that called ends it.
ticker() {
    local title=$1 log=$2 started=$SECONDS
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        printf '\r==> %s … %d s %s ' "$title" $((SECONDS - started)) \
            "$(tail -n 1 "$log" 2>/dev/null | grep -o '^\[[0-9]*/[0-9]*\]')" >&2
    done
}

# step TITLE COMMAND… — runs it with its output in a log named after the title.
step() {
    local title=$1 started=$SECONDS status=0 log ticker=
    shift
    mkdir -p "$HEALD_BUILD/logs"
    log=$HEALD_BUILD/logs/$(printf '%.40s' "$title" | tr -cs 'A-Za-z0-9\n' '-').log
    printf '==> %s …' "$title" >&2
    if [[ -t 2 ]]; then
        ticker "$title" "$log" 9>&- &
        ticker=$!
    fi
    "$@" >"$log" 2>&1 </dev/null 9>&- || status=$?
    if [[ -n $ticker ]]; then
        kill "$ticker" 2>/dev/null || true
        wait "$ticker" 2>/dev/null || true
        printf '\r\033[K==> %s …' "$title" >&2
    fi
    if ((status != 0)); then
        printf ' failed after %d s\n' $((SECONDS - started)) >&2
        tail -n 40 "$log" | sed 's/^/    /' >&2
        printf '    (all of it: %s)\n' "$log" >&2
        exit "$status"
    fi
    printf ' %d s\n' $((SECONDS - started)) >&2
}
