"""The pictures that the demo works on, both shipped with matplotlib."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import cbook

METRES_PER_DEGREE = 111_200.0


def load_photograph() -> np.ndarray:
    """Grace Hopper: float32 of shape (3, height, width), 0 to 1."""
    with cbook.get_sample_data("grace_hopper.jpg") as file:
        pixels = plt.imread(file, format="jpg")
    return np.ascontiguousarray(pixels.transpose(2, 0, 1), dtype=np.float32) / 255


def load_terrain() -> tuple[np.ndarray, float, float]:
    """Jacksboro fault, Tennessee: elevation in metres and the size of a cell in metres."""
    data = cbook.get_sample_data("jacksboro_fault_dem.npz")
    cell_y = METRES_PER_DEGREE * float(data["dy"])
    cell_x = METRES_PER_DEGREE * float(data["dx"]) * float(np.cos(np.radians(data["ymin"])))
    return data["elevation"].astype(np.float32), cell_x, cell_y
