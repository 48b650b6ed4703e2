"""Draws what went in and what came out."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def draw(
    path: Path, photograph: np.ndarray, elevation: np.ndarray, photo: dict, terrain: dict
) -> None:
    """`photo` has "smooth" and "equal", (3, height, width) in 0 to 1; `terrain` has "shade" and
    "water", the latter in units of the rain of one step."""
    figure, axes = plt.subplots(2, 3, figsize=(10, 7.6), layout="constrained")

    def show(axis: plt.Axes, title: str, pixels: np.ndarray, **options: object) -> None:
        axis.imshow(pixels, **options)
        axis.set_title(title, fontsize=10)
        axis.axis("off")

    def colours(planes: np.ndarray) -> np.ndarray:
        return np.clip(planes.transpose(1, 2, 0), 0, 1)

    show(axes[0, 0], "before", colours(photograph))
    show(axes[0, 1], "bilateral filter", colours(photo["smooth"]))
    show(axes[0, 2], "… then equalised", colours(photo["equal"]))
    show(axes[1, 0], "before: elevation", elevation, cmap="gray")
    show(axes[1, 1], "hill shading", terrain["shade"], cmap="gray")
    show(axes[1, 2], "… and where the rain runs", terrain["shade"], cmap="gray")
    depth = np.log(np.maximum(terrain["water"], 1e-3))
    axes[1, 2].imshow(depth, cmap="Blues", vmin=2, alpha=np.clip((depth - 3) / 3, 0, 1))
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=72)
    plt.close(figure)
