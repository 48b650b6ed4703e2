"""CUDA kernels on a photograph and an elevation model, on the GPU or the CPU.

The photograph is smoothed by a bilateral filter and its dark parts are brought out by histogram
equalisation; the terrain is lit from the north-west, and rain of three strengths runs down it, each
on a stream of its own. Every step is timed and compared with NumPy.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

import numpy as np
import numpy_reference as reference
from measure import Row, measure
from picture import draw
from sample_data import load_photograph, load_terrain

import heald as hd

RADIUS = 4  # of the bilateral filter, in pixels
PER_DISTANCE = 1 / (2 * 3.0**2)
PER_COLOUR = 1 / (2 * 0.1**2)
STRENGTH = 0.6  # of the equalisation
AZIMUTH, ALTITUDE = math.radians(315), math.radians(45)
STEPS = 300  # of the water
RAINS = (0.0005, 0.002, 0.008)  # metres a step
RATE = 0.24  # share of its water that a cell gives to one neighbour in a step

SOURCE = Path(__file__).with_name("kernels.cu")


def compile_kernels(device: hd.Device) -> dict[str, hd.Kernel]:
    filter_name = f"bilateral<{RADIUS}>"
    program = hd.Program(SOURCE.read_text(), name=str(SOURCE), device=device)
    code = program.compile(names=[filter_name])
    kernels = {"bilateral": code.get_kernel(filter_name)}
    for name in (
        "to_bytes",
        "histogram",
        "equalisation_table",
        "equalise",
        "hill_shade",
        "water_step",
    ):
        kernels[name] = code.get_kernel(name)
    return kernels


def blocks(extent: int, block: int) -> int:
    return -(-extent // block)


def process_photograph(
    kernels: dict, photograph: np.ndarray, repeat: int
) -> tuple[list[Row], dict]:
    """`photograph`: float32 of shape (3, height, width), 0 to 1."""
    stream = hd.Stream()
    _, height, width = photograph.shape
    pixels = height * width
    image = hd.array(photograph)
    smooth = hd.empty(image.shape, np.float32)
    levels = hd.empty(image.shape, np.uint8)
    bins = hd.zeros((256,), np.uint32)
    table = hd.empty((256,), np.float32)
    equal = hd.empty(image.shape, np.float32)

    def bilateral() -> None:
        kernels["bilateral"].launch(
            (blocks(width, 32), blocks(height, 8)), (32, 8),
            (image, smooth, width, height, PER_DISTANCE, PER_COLOUR), stream=stream,
        )  # fmt: skip

    def to_bytes() -> None:
        size = 3 * pixels
        kernels["to_bytes"].launch(blocks(size, 256), 256, (smooth, size, levels), stream=stream)

    def histogram() -> None:
        bins.fill(0, stream=stream)
        grid = 2 * stream.device.properties.multiprocessor_count
        kernels["histogram"].launch(grid, 256, (levels, pixels, bins), stream=stream)

    def equalise() -> None:
        kernels["equalisation_table"].launch(1, 256, (bins, pixels, STRENGTH, table), stream=stream)
        kernels["equalise"].launch(
            blocks(pixels, 256), 256, (levels, pixels, table, equal), stream=stream
        )

    rows = [
        measure(
            "bilateral filter, 9 x 9", bilateral, smooth,
            lambda: reference.bilateral(photograph, RADIUS, PER_DISTANCE, PER_COLOUR),
            stream=stream, traffic=2 * image.nbytes, repeat=repeat,
        ),
        measure(
            "to bytes", to_bytes, levels, lambda: reference.to_bytes(hd.asnumpy(smooth)),
            stream=stream, traffic=image.nbytes + levels.nbytes, repeat=repeat,
        ),
        measure(
            "histogram", histogram, bins, lambda: reference.histogram(hd.asnumpy(levels)),
            stream=stream, traffic=levels.nbytes, repeat=repeat,
        ),
        measure(
            "equalise", equalise, equal,
            lambda: reference.equalise(
                hd.asnumpy(levels), reference.equalisation_table(hd.asnumpy(bins), STRENGTH)
            ),
            stream=stream, traffic=levels.nbytes + equal.nbytes, launches=2, repeat=repeat,
        ),
    ]  # fmt: skip
    return rows, {"smooth": hd.asnumpy(smooth), "equal": hd.asnumpy(equal) / 255}


def process_terrain(
    kernels: dict, elevation: np.ndarray, cell_x: float, cell_y: float, repeat: int
) -> tuple[list[Row], dict]:
    """`elevation` in metres, float32 of shape (height, width); cells in metres."""
    height, width = elevation.shape
    grid, block = (blocks(width, 32), blocks(height, 8)), (32, 8)
    main = hd.Stream()
    streams = [hd.Stream() for _ in RAINS]
    terrain = hd.array(elevation)
    shade = hd.empty(terrain.shape, np.float32)
    water = [[hd.zeros(terrain.shape, np.float32) for _ in range(2)] for _ in RAINS]

    def hill_shade() -> None:
        arguments = (terrain, shade, width, height, cell_x, cell_y, AZIMUTH, ALTITUDE)
        kernels["hill_shade"].launch(grid, block, arguments, stream=main)

    def rain_on_all_streams() -> None:
        """Each stream starts after `main`, and `main` goes on after all of them."""
        for stream, rain, (now, after) in zip(streams, RAINS, water, strict=True):
            stream.wait(main)
            now.fill(0, stream=stream)
            for _ in range(STEPS):
                arguments = (terrain, now, after, width, height, rain, RATE)
                kernels["water_step"].launch(grid, block, arguments, stream=stream)
                now, after = after, now
            main.wait(stream)

    result = water[1][STEPS % 2]
    rows = [
        measure(
            "hill shading", hill_shade, shade,
            lambda: reference.hill_shade(elevation, cell_x, cell_y, AZIMUTH, ALTITUDE),
            stream=main, traffic=2 * terrain.nbytes, repeat=repeat,
        ),
        measure(
            f"water, {len(RAINS)} streams", rain_on_all_streams, result,
            lambda: [reference.water(elevation, STEPS, rain, RATE) for rain in RAINS][1],
            stream=main, traffic=3 * terrain.nbytes * STEPS * len(RAINS),
            launches=STEPS * len(RAINS), repeat=repeat,
        ),
    ]  # fmt: skip
    return rows, {"shade": hd.asnumpy(shade), "water": hd.asnumpy(result) / RAINS[1]}


def print_table(rows: list[Row]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("device")
    table.add_column("kernel", no_wrap=True)
    for title in ("launches", "ms", "GB/s", "NumPy ms", "largest difference"):
        table.add_column(title, justify="right")
    for row in rows:
        table.add_row(
            row.device, row.kernel, str(row.launches), f"{row.milliseconds:.3f}",
            f"{row.gigabytes_per_second:.2f}", f"{row.numpy_milliseconds:.1f}",
            f"{row.difference:.2g} of {row.scale:.3g}",
        )  # fmt: skip
    console = Console()
    Console(width=max(console.width, 100)).print(table)


def main(argv: list[str] | None = None) -> list[Row]:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--device", default=None, help='"cpu", "cuda:0"; default: what heald chooses'
    )
    parser.add_argument(
        "--output", type=Path, default=Path("heald-demo.png"), help="picture to write"
    )
    parser.add_argument("--repeat", type=int, default=5, help="timed runs of each step")
    options = parser.parse_args(argv)

    device = hd.Device(options.device) if options.device else hd.Device()
    photograph = load_photograph()
    elevation, cell_x, cell_y = load_terrain()
    print(f"heald on {device.name}: {device.properties.name}")
    with device:
        kernels = compile_kernels(device)
        photo_rows, photo = process_photograph(kernels, photograph, options.repeat)
        terrain_rows, terrain = process_terrain(kernels, elevation, cell_x, cell_y, options.repeat)
    rows = photo_rows + terrain_rows
    print_table(rows)
    draw(options.output, photograph, elevation, photo, terrain)
    print(f"before and after: {options.output}")
    return rows


if __name__ == "__main__":
    main(sys.argv[1:])
