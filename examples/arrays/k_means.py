"""k-means over the pixels of a photograph: a picture in a few colours."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from comparison import Row, compare, print_table

import heald as hd

sys.path.append(str(Path(__file__).resolve().parents[1] / "demo"))
from sample_data import load_photograph

COLOURS = 8
ROUNDS = 8


def nearest(xp: Any, pixels: Any, centres: Any) -> Any:
    """For each pixel, shape (n, 3), the number of the nearest of the centres, shape (k, 3)."""
    difference = pixels[:, None, :] - centres[None, :, :]
    return (difference * difference).sum(axis=2).argmin(axis=1)


def k_means(xp: Any, pixels: Any, centres: Any) -> tuple[Any]:
    """The centres after all rounds."""
    numbers = xp.arange(centres.shape[0])
    for _ in range(ROUNDS):
        labels = nearest(xp, pixels, centres)
        member = labels[None, :] == numbers[:, None]
        count = xp.maximum(member.sum(axis=1), 1)
        total = xp.stack(
            [xp.where(member, pixels[None, :, c], 0).sum(axis=1) for c in range(3)], axis=1
        )
        centres = (total / count[:, None]).astype(pixels.dtype)
    return (centres,)


def draw(path: Path, photograph: np.ndarray, painted: np.ndarray, centres: np.ndarray) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        1, 3, figsize=(8, 4.6), width_ratios=(8, 8, 1), layout="constrained"
    )
    for axis, title, picture in (
        (axes[0], "before", photograph.transpose(1, 2, 0)),
        (axes[1], f"in {len(centres)} colours", painted),
        (axes[2], "", centres[np.argsort(centres.sum(axis=1))][:, None]),
    ):
        axis.imshow(np.clip(picture, 0, 1))
        axis.set_title(title, fontsize=10)
        axis.axis("off")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=80)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> list[Row]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("heald-k-means.png"))
    parser.add_argument("--repeat", type=int, default=1, help="timed runs")
    chosen = parser.parse_args(arguments)
    photograph = load_photograph()
    pixels = np.ascontiguousarray(photograph.reshape(3, -1).T)
    by_brightness = np.argsort(pixels.sum(axis=1), kind="stable")
    start = pixels[by_brightness[:: len(pixels) // COLOURS][:COLOURS]]
    rows, (centres,) = compare(k_means, (pixels, start), chosen.repeat)
    painted = centres[hd.asnumpy(nearest(hd, hd.asarray(pixels), hd.asarray(centres)))]
    print(f"{len(pixels):,} pixels, {COLOURS} colours, {ROUNDS} rounds")
    print_table(rows)
    draw(chosen.output, photograph, painted.reshape(*photograph.shape[1:], 3), centres)
    print(f"picture: {chosen.output}")
    return rows


if __name__ == "__main__":
    main(sys.argv[1:])
