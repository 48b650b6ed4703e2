"""Prices and sensitivities of a million European options by the formula of Black and Scholes."""

from __future__ import annotations

import argparse
import math
import sys
from typing import Any

import numpy as np
from comparison import Row, compare, print_table


def normal_density(xp: Any, x: Any) -> Any:
    return xp.exp(-0.5 * x * x) * (1 / math.sqrt(2 * math.pi))


def normal_distribution(xp: Any, x: Any) -> Any:
    """Abramowitz and Stegun 26.2.17: within 7.5e-8."""
    t = 1 / (1 + 0.2316419 * xp.abs(x))
    polynomial = t * (
        0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)))
    )
    tail = normal_density(xp, x) * polynomial
    return xp.where(x < 0, tail, 1 - tail)


def black_scholes(
    xp: Any, spot: Any, strike: Any, years: Any, rate: Any, volatility: Any
) -> tuple[Any, ...]:
    """The prices of calls and puts, the calls' delta, and vega."""
    deviation = volatility * xp.sqrt(years)
    d1 = (xp.log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / deviation
    d2 = d1 - deviation
    discounted = strike * xp.exp(-rate * years)
    delta = normal_distribution(xp, d1)
    call = spot * delta - discounted * normal_distribution(xp, d2)
    put = call - spot + discounted
    vega = spot * normal_density(xp, d1) * xp.sqrt(years)
    return call, put, delta, vega


def options(count: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(1973)
    bounds = {
        "spot": (50, 150), "strike": (50, 150), "years": (0.1, 3), "rate": (0.0, 0.08),
        "volatility": (0.1, 0.6),
    }  # fmt: skip
    return tuple(
        (low + (high - low) * rng.random(count)).astype(np.float32) for low, high in bounds.values()
    )


def main(arguments: list[str] | None = None) -> list[Row]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--options", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=5, help="timed runs")
    chosen = parser.parse_args(arguments)
    rows, (call, put, delta, vega) = compare(black_scholes, options(chosen.options), chosen.repeat)
    print(f"{chosen.options:,} options; the first: call {call[0]:.3f}, put {put[0]:.3f}, "
          f"delta {delta[0]:.3f}, vega {vega[0]:.2f}")  # fmt: skip
    print_table(rows)
    return rows


if __name__ == "__main__":
    main(sys.argv[1:])
