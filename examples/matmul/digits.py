"""Trains a network of two layers on scikit-learn's handwritten digits, with plans whose epilogues
do the bias, the activation and their gradients, on every device: the losses are the same.

python examples/matmul/digits.py [--epochs 20]"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from sklearn.datasets import load_digits

import heald as hd

HIDDEN, CLASSES, BATCH, RATE = 128, 10, 128, 0.5
e = hd.epilogue


class Network:
    """64 pixels, a hidden layer with relu, ten scores. Plans are made once for a batch."""

    def __init__(self, pixels: int) -> None:
        rng = np.random.default_rng(0)

        def weights(rows: int, columns: int) -> hd.Array:
            return hd.asarray(
                (rng.standard_normal((rows, columns)) * (2 / rows) ** 0.5).astype("float32")
            )

        self.w1, self.w2 = weights(pixels, HIDDEN), weights(HIDDEN, CLASSES)
        self.b1, self.b2 = hd.zeros(HIDDEN, "float32"), hd.zeros(CLASSES, "float32")

        def plan(a: tuple[int, int], b: tuple[int, int], epilogue: Any = None) -> hd.Matmul:
            return hd.Matmul(a, b, dtype="float32", epilogue=epilogue)

        self.hidden = plan((BATCH, pixels), (pixels, HIDDEN), e.bias() + e.relu_aux())
        self.scores = plan((BATCH, HIDDEN), (HIDDEN, CLASSES), e.bias())
        self.hidden_gradient = plan(
            (BATCH, CLASSES), (CLASSES, HIDDEN), e.drelu() + e.bias_gradient()
        )
        self.w2_gradient = plan((HIDDEN, BATCH), (BATCH, CLASSES))
        self.w1_gradient = plan((pixels, BATCH), (BATCH, HIDDEN))

    def step(self, x: hd.Array, wanted: hd.Array) -> hd.Array:
        """One step down the gradient of the cross entropy; the loss before it."""
        h, more = self.hidden(x, self.w1, bias=self.b1)
        scores = self.scores(h, self.w2, bias=self.b2)
        shifted = scores - scores.max(axis=1, keepdims=True)
        log_p = shifted - hd.log(hd.exp(shifted).sum(axis=1, keepdims=True))
        loss = -(log_p * wanted).sum() / BATCH
        g = (hd.exp(log_p) - wanted) / np.float32(BATCH)
        gh, sums = self.hidden_gradient(g, self.w2.T, relu_aux=more["relu_aux"])
        gw2, gw1 = self.w2_gradient(h.T, g), self.w1_gradient(x.T, gh)
        self.w2 -= RATE * gw2
        self.b2 -= RATE * g.sum(axis=0)
        self.w1 -= RATE * gw1
        self.b1 -= RATE * sums["bias_gradient"]
        return loss

    def accuracy(self, x: hd.Array, digits: np.ndarray) -> float:
        h = hd.matmul(x, self.w1, bias=self.b1, activation="relu")
        scores = hd.matmul(h, self.w2, bias=self.b2)
        return float(np.mean(hd.asnumpy(scores).argmax(axis=1) == digits))


def train(epochs: int) -> tuple[list[float], float]:
    """Losses of the epochs, and the share of right answers on digits not trained on."""
    data = load_digits()
    pixels = (data.data / 16).astype("float32")
    wanted = np.eye(CLASSES, dtype="float32")[data.target]
    count = len(pixels) * 4 // 5 // BATCH * BATCH
    order = np.random.default_rng(1).permutation(len(pixels))
    learn, check = order[:count], order[count:]
    x, y = hd.asarray(pixels[learn]), hd.asarray(wanted[learn])
    network = Network(pixels.shape[1])
    losses = []
    for _ in range(epochs):
        total = hd.zeros((), "float32")
        for first in range(0, count, BATCH):
            total = total + network.step(x[first : first + BATCH], y[first : first + BATCH])
        losses.append(float(total) * BATCH / count)
    return losses, network.accuracy(hd.asarray(pixels[check]), data.target[check])


def main(arguments: list[str] | None = None) -> dict[str, tuple[list[float], float]]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=20)
    epochs = parser.parse_args(arguments).epochs
    results = {}
    for device in hd.devices():
        with device:
            losses, right = results[device.name] = train(epochs)
        shown = " ".join(f"{loss:.4f}" for loss in losses[:: max(1, epochs // 5)])
        print(f"{device.name:8s} losses {shown}; {right:.1%} of new digits are right")
    return results


if __name__ == "__main__":
    main()
