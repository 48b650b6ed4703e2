"""python -m heald doctor | settings | --version"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit code: 1 if the doctor found a problem."""
    import heald as hd

    parser = argparse.ArgumentParser(prog="heald", description="CUDA C++ kernels on GPUs and CPUs")
    parser.add_argument("--version", action="version", version=f"heald {hd.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("doctor", help="devices, libraries, what is missing and how to get it")
    commands.add_parser("settings", help="the environment variables that heald reads")
    command = parser.parse_args(arguments).command

    if command == "settings":
        for row in hd.settings():
            print(f"{row.name}={row.value or row.fallback}\n    {row.meaning}")
        return 0
    report = hd.doctor()
    print(report)
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
