"""A picture of the Mandelbrot set, by a kernel written in Python.

python examples/jit/mandelbrot.py [--size 1200] [--output mandelbrot.png] [--device cpu]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import heald as hd


@hd.jit
def mandelbrot(image, left, top, step, limit):
    row, column = hd.cuda.grid(2)
    if row < image.shape[0] and column < image.shape[1]:
        c = complex(left + column * step, top - row * step)
        z = 0j
        n = 0
        while n < limit and z.real * z.real + z.imag * z.imag < 16:
            z = z * z + c
            n += 1
        image[row, column] = n


def picture(size: int, limit: int = 200) -> hd.Array:
    """Turns until each point escapes, of shape (2/3 size, size)."""
    image = hd.empty((size * 2 // 3, size), dtype=np.int32)
    # Neighbouring threads take neighbouring rows of a column's block of 8.
    blocks = (-(-image.shape[0] // 8), -(-image.shape[1] // 32))
    mandelbrot[blocks, (8, 32)](image, -2.1, 1.0, 3.0 / size, limit)
    return image


def main(arguments: list[str] | None = None) -> np.ndarray:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1200)
    parser.add_argument("--output", help="a PNG file")
    parser.add_argument("--device", default=None)
    options = parser.parse_args(arguments)
    with hd.Device(options.device) if options.device else hd.Device() as device:
        picture(options.size)  # compiles
        started = time.perf_counter()
        image = hd.asnumpy(picture(options.size))
        print(f"{device.name}: {image.size} points in {time.perf_counter() - started:.4f} s")
    if options.output:
        import matplotlib.pyplot as plt

        plt.imsave(options.output, np.log(image + 1), cmap="inferno")
    return image


if __name__ == "__main__":
    main()
