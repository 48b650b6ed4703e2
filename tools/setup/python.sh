# shellcheck shell=bash
# The virtual environment. Sourced by ./run.

# Python 3.10 or later that can make virtual environments and build modules.
python_fits() {
    "$1" - >/dev/null 2>&1 <<'PY'
import ensurepip, os, sys, sysconfig, venv
sys.exit(sys.version_info < (3, 10)
         or not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))
PY
}

find_python() {
    local name
    for name in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3 python3.{14,13,12,11,10}; do
        if command -v "$name" >/dev/null && python_fits "$name"; then
            HEALD_PYTHON=$(command -v "$name")
            return
        fi
    done
    return 1
}

# The names in pyproject.toml's dependencies and in the groups of this checkout.
requirements() {
    "$HEALD_VENV/bin/python" - "$HEALD_ROOT/pyproject.toml" "$@" <<'PY'
import sys
try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib
with open(sys.argv[1], "rb") as file:
    project = tomllib.load(file)
lines = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
for extra in sys.argv[2:]:
    lines += project["project"]["optional-dependencies"][extra]
print("\n".join(sorted(set(lines))))
PY
}

create_environment() {
    rm -rf "$HEALD_VENV"
    "$HEALD_PYTHON" -m venv "$HEALD_VENV"
}

make_environment() {
    local stamp=$HEALD_VENV/.heald-requirements wanted
    # A moved or half-made environment does not run.
    if ! "$HEALD_VENV/bin/python" -c 'import sys, pip; sys.exit(sys.prefix != sys.argv[1])' \
        "$HEALD_VENV" 2>/dev/null; then
        step "Creating a virtual environment with $("$HEALD_PYTHON" -V)" create_environment
    fi
    wanted=$(requirements test demo ${HEALD_EXTRAS:+"$HEALD_EXTRAS"})
    if [[ ! -f $stamp || $(<"$stamp") != "$wanted" ]]; then
        printf '%s\n' "$wanted" >"$HEALD_BUILD/requirements.txt"
        step "Installing Python packages" "$HEALD_VENV/bin/python" -m pip install \
            --disable-pip-version-check --no-input -r "$HEALD_BUILD/requirements.txt"
        printf '%s\n' "$wanted" >"$stamp"
    fi
    # Development mode: the build folder has links to the package beside its module.
    printf "%s\n" "$HEALD_BUILD/python" \
        >"$("$HEALD_VENV/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/heald.pth"
}
