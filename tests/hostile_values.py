"""Values that a caller might pass by mistake, and the same numbers in forms that a caller may well use."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

Array = np.ndarray


def strided(a: Array) -> Array:
    """Return the same numbers, every second one of a larger array."""
    large = np.full(tuple(2 * n for n in a.shape), np.nan)
    view = large[tuple(slice(None, None, 2) for _ in a.shape)]
    view[...] = a
    return view


def backwards(a: Array) -> Array:
    """Return the same numbers, stored from the end to the beginning."""
    return np.ascontiguousarray(a[::-1])[::-1] if a.ndim else a.copy()


def locked(a: Array) -> Array:
    """Return the same numbers, not to be written."""
    copy = a.copy()
    copy.setflags(write=False)
    return copy


def unaligned(a: Array) -> Array:
    """Return the same numbers at an address that no double has."""
    buffer = np.zeros(a.nbytes + 1, dtype=np.uint8)
    view = buffer[1:].view(np.float64).reshape(a.shape) if a.nbytes else a.copy()
    view[...] = a
    return view


SAME: dict[str, Callable[[Array], Any]] = {
    "list": lambda a: a.tolist(),
    "tuple": lambda a: tuple(map(tuple, a)) if a.ndim == 2 else tuple(a.tolist()) if a.ndim else float(a),
    "list of arrays": list,
    "Fortran's order": lambda a: np.asfortranarray(a),
    "strided": strided,
    "backwards": backwards,
    "read-only": locked,
    "unaligned": unaligned,
    "big-endian": lambda a: a.astype(">f8"),
    "long double": lambda a: a.astype(np.longdouble),
    "objects": lambda a: a.astype(object),
    "fractions": lambda a: np.array([Fraction(float(x)) for x in a.flat], dtype=object).reshape(a.shape),
    "decimals": lambda a: np.array([Decimal(float(x)) for x in a.flat], dtype=object).reshape(a.shape),
    "masked array without a mask": lambda a: np.ma.array(a),
    "negative zeros": lambda a: np.where(a == 0.0, -0.0, a),
}
"""Of an array of finite doubles, by name: each must be answered as the array itself."""


def with_entry(value: Any) -> Callable[[Array, np.random.Generator], Any]:
    """Return what puts a value into one place of an array."""

    def put(a: Array, rng: np.random.Generator) -> Any:
        copy = np.array(a, dtype=object if isinstance(value, (str, type(None), complex)) else np.float64)
        if copy.size:
            copy.flat[int(rng.integers(copy.size))] = value
        return copy

    return put


def masked(a: Array, rng: np.random.Generator) -> Any:
    """Return an array of which one entry is missing."""
    if not a.size:
        return np.ma.array(a)
    mask = np.zeros(a.shape, dtype=bool)
    mask.flat[int(rng.integers(a.size))] = True
    return np.ma.array(a, mask=mask)


SPOILED: dict[str, Callable[[Array, np.random.Generator], Any]] = {
    **{f"an entry {value!r}": with_entry(value) for value in (np.nan, np.inf, -np.inf, 1e308, -1e200, 1e155)},
    **{f"an entry {value!r}": with_entry(value) for value in (5e-324, 1e-310, "x", "1", None, 1j)},
    "one entry masked": masked,
    "half precision": lambda a, rng: a.astype(np.float16),
    "single precision": lambda a, rng: a.astype(np.float32),
    "whole numbers": lambda a, rng: np.rint(a).astype(np.int64),
    "small whole numbers": lambda a, rng: np.rint(a).astype(np.int8),
    "truth values": lambda a, rng: a > 0,
    "complex": lambda a, rng: a.astype(complex),
    "text": lambda a, rng: a.astype(str),
    "bytes": lambda a, rng: a.tobytes(),
    "dates": lambda a, rng: np.zeros(a.shape, dtype="datetime64[s]"),
    "records": lambda a, rng: np.zeros(a.shape, dtype=[("x", float)]),
    "one axis more": lambda a, rng: a[None],
    "one axis less": lambda a, rng: a.ravel() if a.ndim > 1 else a.sum(),
    "transposed": lambda a, rng: a.T.copy(),
    "one row less": lambda a, rng: a[:-1] if a.ndim else a,
    "one row more": lambda a, rng: np.concatenate([a, a[:1]]) if a.ndim else np.array([a, a]),
    "nothing in it": lambda a, rng: a[:0] if a.ndim else np.empty(0),
    "no rows, many columns": lambda a, rng: np.empty((0, 1_000_000)),
    "ragged": lambda a, rng: [a.tolist(), [1.0]],
    "noise": lambda a, rng: rng.normal(size=a.shape) * 10.0 ** rng.uniform(-300, 300),
    "scaled": lambda a, rng: a * 10.0 ** rng.uniform(-20, 20),
    "zeros": lambda a, rng: np.zeros_like(a),
}
"""Of an array, by name: each is refused, or means something and is answered."""


class Odd:
    """An object that nobody knows, and whose truth, length and equality cannot be asked."""

    def __bool__(self) -> bool:
        """Refuse."""
        raise RuntimeError("no truth value")

    def __eq__(self, other: object) -> bool:
        """Refuse."""
        raise RuntimeError("no equality")

    __hash__ = None  # type: ignore[assignment]


JUNK: tuple[Any, ...] = (
    None, True, False, "", "body", "x", b"x", 0, -1, 1, 10**400, -0.0, 0.5, 1e-320, 1e300,
    np.nan, np.inf, -np.inf, 1j, np.float16(0.5), np.float32(1e-3), np.longdouble(1), np.int8(3), np.bool_(True),
    np.array(1.0), np.array([1.0]), np.eye(2), [], (), {}, set(), [1, [2]], range(3), Odd(), object(), int, len,
    Fraction(1, 3), Decimal("0.1"), np.ma.masked, Ellipsis, np.array("x"), np.datetime64(0, "s"), slice(3),
    memoryview(b"12345678"), (x for x in "ab"),
)  # fmt: skip
"""For an argument of any kind."""
