"""The cache of plans."""

from __future__ import annotations

from typing import NamedTuple

from heald._heald import fft_cache_clear, fft_cache_info, fft_cache_limit


class CacheInfo(NamedTuple):
    """Plans that are kept, how many may be, and how often one was found or had to be made."""

    size: int
    limit: int
    hits: int
    misses: int


class PlanCache:
    """`hd.fft.cache`: the most recently used plans of transforms, for all devices."""

    def info(self) -> CacheInfo:
        """What is kept, and counters since the process began."""
        return CacheInfo(*fft_cache_info())

    def clear(self) -> None:
        """Drops every plan. Plans in use stay alive until they are done."""
        fft_cache_clear()

    def limit(self, plans: int) -> None:
        """Keeps at most that many plans from now on; 0 keeps none. ValueError if negative."""
        if plans < 0:
            raise ValueError(f"[fft.cache.limit] the number of plans is negative: {plans}")
        fft_cache_limit(plans)


cache = PlanCache()
