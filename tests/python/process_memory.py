"""What the operating system says of this process's memory."""

from __future__ import annotations

import os


def resident_bytes() -> int:
    """Resident memory of this process."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
