"""Waves on a lake that fills the valleys of an elevation model: shallow water, linearised.

The surface rises where the flow through a cell's four faces converges, and the flow through a face
is driven by the slope of the surface there: forward-backward steps on a staggered grid.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from comparison import Row, compare, print_table

sys.path.append(str(Path(__file__).resolve().parents[1] / "demo"))
from sample_data import load_terrain

GRAVITY = 9.81
SHARE_FLOODED = 0.6  # of the cells
STEPS = 450
DROP = 190, 290  # the cell in which a metre of water is added
PICTURES = 3  # of the surface, in equal steps of time


def faces(xp: Any, depth: Any) -> tuple[Any, Any]:
    """The depth between neighbours to the east and to the south; 0 beside dry land and at the
    border, which nothing crosses. Shapes (h, w + 1) and (h + 1, w)."""
    height, width = depth.shape
    east = xp.zeros((height, width + 1), dtype=depth.dtype)
    south = xp.zeros((height + 1, width), dtype=depth.dtype)
    east[:, 1:-1] = xp.minimum(depth[:, 1:], depth[:, :-1])
    south[1:-1] = xp.minimum(depth[1:], depth[:-1])
    return east, south


def waves(xp: Any, depth: Any, surface: Any, step_x: Any, step_y: Any) -> tuple[Any, ...]:
    """The surface, in metres over the lake at rest, at PICTURES times. `step_x` and `step_y`: the
    time step divided by a cell's size, in s/m."""
    east, south = faces(xp, depth)
    u, v = xp.zeros_like(east), xp.zeros_like(south)  # velocities through faces
    surface = surface.copy()
    pictures = []
    for step in range(STEPS):
        u[:, 1:-1] -= GRAVITY * step_x * (surface[:, 1:] - surface[:, :-1])
        v[1:-1] -= GRAVITY * step_y * (surface[1:] - surface[:-1])
        flow_x, flow_y = east * u, south * v
        out_x, out_y = flow_x[:, 1:] - flow_x[:, :-1], flow_y[1:] - flow_y[:-1]
        surface -= step_x * out_x + step_y * out_y
        if (step + 1) % (STEPS // PICTURES) == 0:
            pictures.append(surface.copy())
    return tuple(pictures)


def lake(elevation: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How deep the water is at rest, and a bulge of it, a metre high."""
    depth = np.maximum(np.quantile(elevation, SHARE_FLOODED) - elevation, 0)
    y, x = np.indices(depth.shape)
    bulge = np.exp(-((y - DROP[0]) ** 2 + (x - DROP[1]) ** 2) / (2 * 4.0**2))
    return depth, np.where(depth > 0, bulge, 0)


def draw(path: Path, elevation: np.ndarray, depth: np.ndarray, pictures: Any, seconds: Any) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(pictures), figsize=(11, 3.6), layout="constrained")
    for axis, surface, time in zip(axes, pictures, seconds, strict=True):
        axis.imshow(elevation, cmap="gray")
        wet = np.ma.masked_where(depth <= 0, surface)
        shown = axis.imshow(wet, cmap="RdBu", vmin=-0.1, vmax=0.1)
        axis.set_title(f"after {time:.0f} s", fontsize=10)
        axis.axis("off")
    figure.colorbar(shown, ax=axes, label="metres", shrink=0.8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=80)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> list[Row]:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, default=Path("heald-shallow-water.png"))
    parser.add_argument("--repeat", type=int, default=2, help="timed runs")
    chosen = parser.parse_args(arguments)
    elevation, cell_x, cell_y = load_terrain()
    depth, bulge = lake(elevation)
    # Stable up to 1 / sqrt(2) of a cell in a step at the speed of the quickest wave.
    step = 0.6 * min(cell_x, cell_y) / np.sqrt(GRAVITY * depth.max())
    ratios = np.float32(step / cell_x), np.float32(step / cell_y)

    def program(xp: Any, depth: Any, surface: Any) -> tuple[Any, ...]:
        return waves(xp, depth, surface, *ratios)

    inputs = depth.astype(np.float32), bulge.astype(np.float32)
    rows, pictures = compare(program, inputs, chosen.repeat)
    print(f"{depth.size:,} cells, {STEPS} steps of {step:.2f} s, water up to {depth.max():.0f} m")
    print_table(rows)
    times = [step * STEPS * (i + 1) / PICTURES for i in range(PICTURES)]
    draw(chosen.output, elevation, depth, pictures, times)
    print(f"picture: {chosen.output}")
    return rows


if __name__ == "__main__":
    main(sys.argv[1:])
