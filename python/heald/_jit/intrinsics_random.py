"""hd.cuda.random: a state of Philox 4x32-10 for each thread."""

from __future__ import annotations

from typing import Any

from heald._jit import cuda
from heald._jit.intrinsics import handles
from heald._jit.types import Opaque, Scalar
from heald._jit.value import Value

_STATE = Opaque("heald_::Philox", "random state")


@handles(cuda.random.state)
def state(fn: Any, call: Any) -> Value:
    given = dict(zip(("seed", "subsequence", "offset"), call.arguments)) | call.keywords
    if "seed" not in given or "subsequence" not in given or len(given) > 3:
        fn.refuse(call.node, "takes a seed, a subsequence (the thread's place) and an offset")
    fn.needs.functions.add("philox")
    texts = []
    for name in ("seed", "subsequence", "offset"):
        value = given.get(name)
        if value is None:
            texts.append("0")
            continue
        if not isinstance(value.type, Scalar) or value.type.kind not in "biu":
            fn.refuse(call.node, f"the {name} is an int, got {value.type}")
        texts.append(f"(unsigned long long){value.code}")
    return Value(_STATE, f"heald_::philox({', '.join(texts)})")


def _register() -> None:
    for name, dtype in (
        ("uint32", "uint32"),
        ("uniform_float32", "float32"),
        ("uniform_float64", "float64"),
        ("normal_float32", "float32"),
        ("normal_float64", "float64"),
    ):

        def handler(fn: Any, call: Any, name: str = name, dtype: str = dtype) -> Value:
            if len(call.arguments) != 1 or call.arguments[0].type != _STATE:
                fn.refuse(call.node, f"hd.cuda.random.{name} takes a random state")
            (given,) = call.arguments
            if not given.is_simple:
                fn.refuse(call.node, "assign the random state to a variable first")
            method = "next" if name == "uint32" else name
            return fn.temporary(Value(Scalar(dtype), f"{given.code}.{method}()"), "random")

        handles(getattr(cuda.random, name))(handler)


_register()
