"""What the demo's kernels compute, in NumPy, in float64."""

from __future__ import annotations

import numpy as np


def bilateral(image: np.ndarray, radius: int, per_distance: float, per_colour: float) -> np.ndarray:
    image = image.astype(np.float64)
    _, height, width = image.shape
    padded = np.pad(image, ((0, 0), (radius, radius), (radius, radius)), mode="edge")
    weights = np.zeros((height, width))
    total = np.zeros_like(image)
    for dy in range(2 * radius + 1):
        for dx in range(2 * radius + 1):
            other = padded[:, dy : dy + height, dx : dx + width]
            distance = (dx - radius) ** 2 + (dy - radius) ** 2
            colour = ((other - image) ** 2).sum(axis=0)
            weight = np.exp(-per_distance * distance - per_colour * colour)
            weights += weight
            total += weight * other
    return total / weights


def to_bytes(image: np.ndarray) -> np.ndarray:
    return (np.clip(image.astype(np.float64), 0, 1) * 255 + 0.5).astype(np.uint8)


def brightness(rgb: np.ndarray) -> np.ndarray:
    r, g, b = rgb.astype(np.int64)
    return (77 * r + 150 * g + 29 * b) >> 8


def histogram(rgb: np.ndarray) -> np.ndarray:
    return np.bincount(brightness(rgb).ravel(), minlength=256)


def equalisation_table(bins: np.ndarray, strength: float) -> np.ndarray:
    equal = 255.0 * np.cumsum(bins.astype(np.int64)) / bins.sum()
    return (1 - strength) * np.arange(256) + strength * equal


def equalise(rgb: np.ndarray, table: np.ndarray) -> np.ndarray:
    level = brightness(rgb)
    return np.minimum(table[level] / np.maximum(level, 1) * rgb, 255.0)


def hill_shade(
    terrain: np.ndarray, cell_x: float, cell_y: float, azimuth: float, altitude: float
) -> np.ndarray:
    p = np.pad(terrain.astype(np.float64), 1, mode="edge")
    north, here, south = p[:-2], p[1:-1], p[2:]

    def column(row: np.ndarray, shift: int) -> np.ndarray:
        return row[:, 1 + shift : row.shape[1] - 1 + shift]

    dx = sum(k * (column(r, 1) - column(r, -1)) for k, r in ((1, north), (2, here), (1, south)))
    dy = sum(k * (column(south, s) - column(north, s)) for k, s in ((1, -1), (2, 0), (1, 1)))
    dx = dx / (8 * cell_x)
    dy = dy / (8 * cell_y)
    light = np.sin(altitude) + np.cos(altitude) * (dy * np.cos(azimuth) - dx * np.sin(azimuth))
    return np.maximum(light / np.sqrt(1 + dx**2 + dy**2), 0)


def water_step(terrain: np.ndarray, water: np.ndarray, rain: float, rate: float) -> np.ndarray:
    level = terrain + water
    change = np.zeros_like(water)
    for axis in (0, 1):
        low = tuple(slice(None, -1) if a == axis else slice(None) for a in (0, 1))
        high = tuple(slice(1, None) if a == axis else slice(None) for a in (0, 1))
        # The flow across each face, from `low` to `high`; at most one direction is not zero.
        down = np.minimum(water[low], np.maximum(level[low] - level[high], 0))
        up = np.minimum(water[high], np.maximum(level[high] - level[low], 0))
        change[low] += up - down
        change[high] += down - up
        first = tuple(0 if a == axis else slice(None) for a in (0, 1))
        last = tuple(-1 if a == axis else slice(None) for a in (0, 1))
        change[first] -= water[first]
        change[last] -= water[last]
    return water + rain + rate * change


def water(terrain: np.ndarray, steps: int, rain: float, rate: float) -> np.ndarray:
    terrain = terrain.astype(np.float64)
    depth = np.zeros_like(terrain)
    for _ in range(steps):
        depth = water_step(terrain, depth, rain, rate)
    return depth
