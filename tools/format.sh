#!/usr/bin/env bash
# Formats all C++ and Python of the repository in place.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
git ls-files -z '*.cpp' '*.hpp' | xargs -0 clang-format-19 -i
python=.venv/bin/python
[[ -x $python ]] || python=python3
"$python" -m ruff check --fix-only --quiet .
"$python" -m ruff format --quiet .
