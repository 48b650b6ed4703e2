"""What becomes of a product before it is stored: stages for heald.Matmul, joined with + or in a
list. Each takes the accumulator x of shape (..., M, N) and gives a new one.

>>> chain = hd.epilogue.bias() + hd.epilogue.gelu()
>>> plan = hd.Matmul((64, 32), (32, 16), dtype="float32", epilogue=chain)

Stages that read an array name an operand, which Matmul.execute takes under that name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from heald import _heald
from heald._heald import Epilogue


def scale(value: float) -> Epilogue:
    """x * value."""
    return _heald.epilogue_scale(float(value))


def bias(shape: Any = None, name: str = "bias") -> Epilogue:
    """x plus an operand of `shape`, which broadcasts: (N,), the default, adds one number per
    column, (M, 1) one per row, (M, N) a matrix."""
    return _heald.epilogue_bias(shape, name)


def residual(name: str = "residual") -> Epilogue:
    """x plus an operand of the product's whole shape."""
    return _heald.epilogue_residual(name)


def multiply(shape: Any = None, name: str = "factor") -> Epilogue:
    """x times an operand of `shape`, which broadcasts; None: any that does."""
    return _heald.epilogue_multiply(shape, name)


def row_scale(name: str = "row_scale") -> Epilogue:
    """x times an operand of shape (M, 1)."""
    return _heald.epilogue_multiply(None, name)


def column_scale(name: str = "column_scale") -> Epilogue:
    """x times an operand of shape (N,)."""
    return _heald.epilogue_multiply(None, name)


def relu() -> Epilogue:
    """max(x, 0); NaN stays NaN."""
    return _heald.epilogue_activation("relu")


def gelu(approximate: str = "tanh") -> Epilogue:
    """x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), or with approximate="none"
    x/2 (1 + erf(x / sqrt(2))) (Hendrycks and Gimpel, 2016)."""
    if approximate not in ("tanh", "none"):
        raise ValueError(
            f"[epilogue.gelu] approximate must be 'tanh' or 'none', got {approximate!r}"
        )
    return _heald.epilogue_activation("gelu" if approximate == "tanh" else "gelu_erf")


def silu() -> Epilogue:
    """x / (1 + exp(-x))."""
    return _heald.epilogue_activation("silu")


def sigmoid() -> Epilogue:
    """1 / (1 + exp(-x))."""
    return _heald.epilogue_activation("sigmoid")


def tanh() -> Epilogue:
    """tanh(x)."""
    return _heald.epilogue_activation("tanh")


def leaky_relu(slope: float = 0.01) -> Epilogue:
    """x where it is positive, else slope * x."""
    return _heald.epilogue_leaky_relu(float(slope))


def clamp(low: float, high: float) -> Epilogue:
    """min(max(x, low), high). ValueError if low is above high."""
    return _heald.epilogue_clamp(float(low), float(high))


def cast(dtype: Any) -> Epilogue:
    """x rounded to a dtype."""
    return _heald.epilogue_cast(dtype)


def dropout(probability: float, seed: int) -> Epilogue:
    """0 with `probability`, else x / (1 - probability). Which elements are dropped depends on the
    seed and their places alone: the same on every device."""
    return _heald.epilogue_dropout(float(probability), int(seed) & (2**64 - 1))


def relu_aux(output: str = "relu_aux") -> Epilogue:
    """relu; the bools x > 0 come beside the result, for drelu."""
    return _heald.epilogue_relu_aux(output)


def gelu_aux(output: str = "gelu_aux") -> Epilogue:
    """gelu; x comes beside the result, for dgelu."""
    return _heald.epilogue_gelu_aux(output)


def drelu(name: str = "relu_aux") -> Epilogue:
    """x where the operand, which relu_aux gave, is true, else 0."""
    return _heald.epilogue_drelu(name)


def dgelu(name: str = "gelu_aux") -> Epilogue:
    """x times the derivative of gelu at the operand, which gelu_aux gave."""
    return _heald.epilogue_dgelu(name)


def bias_gradient(output: str = "bias_gradient") -> Epilogue:
    """x; its sum over all axes but the last, (N,), comes beside the result."""
    return _heald.epilogue_bias_gradient(output)


def amax(output: str = "amax") -> Epilogue:
    """x; the largest |x| comes beside the result."""
    return _heald.epilogue_amax(output)


def function(function: Callable[..., Any], **operands: Any) -> Epilogue:
    """function(x, name=array, ...) in operations of heald, recorded and computed in one pass.
    `operands` gives names and shapes (None: any that broadcasts).

    >>> gate = hd.epilogue.function(lambda x, gate: x / (1 + hd.exp(-x)) * gate, gate=None)
    """
    return _heald.epilogue_function(function, operands)


__all__ = [
    "Epilogue",
    "amax",
    "bias",
    "bias_gradient",
    "cast",
    "clamp",
    "column_scale",
    "dgelu",
    "drelu",
    "dropout",
    "function",
    "gelu",
    "gelu_aux",
    "leaky_relu",
    "multiply",
    "relu",
    "relu_aux",
    "residual",
    "row_scale",
    "scale",
    "sigmoid",
    "silu",
    "tanh",
]
