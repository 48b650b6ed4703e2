"""The source of random bits: Philox 4x32-10, a function of a key and a counter."""

from __future__ import annotations

import operator
from typing import Any

from heald._heald import Array, RandomSequence

_HALF = 2**64


def _seed_sequence(seed: Any) -> Any:
    import numpy.random

    if isinstance(seed, numpy.random.SeedSequence):
        return seed
    return numpy.random.SeedSequence(seed)


class Philox:
    """Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
    2011), to be given to Generator.

    Its state is a key of 64 bits, which the seed gives through NumPy's SeedSequence, a `stream`
    (the high 64 bits of the counter) and a `position` (the low 64 bits, in blocks of four 32-bit
    words).
    NumPy's own Philox is the 4x64 one: its numbers are others. With `key=` the words are those of
    cuRAND's Philox4_32_10 for that seed, subsequence `stream` and offset 4 * `position`.

    `seed` is None (the system's entropy), an int from 0, a sequence of ints or a SeedSequence.

    >>> hd.random.Philox(key=7).random_raw(4)
    """

    def __init__(
        self, seed: Any = None, *, key: int | None = None, stream: int = 0, position: int = 0
    ) -> None:
        if key is not None and seed is not None:
            raise ValueError("[random.Philox] seed and key cannot both be given")
        self._seed_seq: Any = None
        if key is None:
            self._seed_seq = _seed_sequence(seed)
            low, high = (int(word) for word in self._seed_seq.generate_state(2))
            key = low | high << 32
        self._sequence = RandomSequence(*_checked(key, stream, position))

    @property
    def seed_seq(self) -> Any:
        """The numpy.random.SeedSequence that the key came from; None if a key was given."""
        return self._seed_seq

    @property
    def state(self) -> dict[str, Any]:
        """A dict that can be kept and assigned: `key`, `stream` and `position`."""
        key, stream, position = self._sequence.state
        return {
            "bit_generator": "Philox4x32-10",
            "state": {"key": key, "stream": stream, "position": position},
        }

    @state.setter
    def state(self, value: dict[str, Any]) -> None:
        if not isinstance(value, dict):
            raise TypeError(f"[random.Philox] state must be a dict, got {type(value).__name__}")
        if value.get("bit_generator") != "Philox4x32-10":
            raise ValueError("[random.Philox] state is not one of heald's Philox4x32-10")
        numbers = value["state"]
        self._sequence.set_state(*_checked(numbers["key"], numbers["stream"], numbers["position"]))

    def random_raw(self, size: Any = None, *, device: Any = None) -> Array:
        """The next 32-bit words, four of each block, as uint32."""
        return self._sequence.draw("words", () if size is None else size, "uint32", device)

    def advance(self, delta: int) -> Philox:
        """Moves on by `delta` blocks of four words, in place."""
        self._sequence.skip(operator.index(delta) % _HALF)
        return self

    def jumped(self, jumps: int = 1) -> Philox:
        """A new source that is `jumps` times 2^64 blocks further: parallel work may use
        `jumped(0)`, `jumped(1)`, … of one source."""
        key, stream, position = self._sequence.state
        result = Philox(key=key, stream=(stream + operator.index(jumps)) % _HALF, position=position)
        result._seed_seq = self._seed_seq
        return result

    def spawn(self, n_children: int) -> list[Philox]:
        """New independent sources, as SeedSequence.spawn."""
        if self._seed_seq is None:
            raise TypeError("[random.Philox] spawn needs a source made of a seed, not of a key")
        return [Philox(child) for child in self._seed_seq.spawn(n_children)]

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (*self._sequence.state, self._seed_seq)

    def __repr__(self) -> str:
        key, stream, position = self._sequence.state
        return f"<Philox4x32-10 key={key:#x} stream={stream} position={position}>"


def _checked(key: Any, stream: Any, position: Any) -> tuple[int, int, int]:
    numbers = []
    for name, value in (("key", key), ("stream", stream), ("position", position)):
        number = operator.index(value)
        if not 0 <= number < _HALF:
            raise ValueError(f"[random.Philox] {name} must be from 0 to 2**64 - 1, got {number}")
        numbers.append(number)
    return numbers[0], numbers[1], numbers[2]


def _restored(key: int, stream: int, position: int, seed_seq: Any) -> Philox:
    result = Philox(key=key, stream=stream, position=position)
    result._seed_seq = seed_seq
    return result
