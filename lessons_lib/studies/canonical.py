"""What a thing is made of, as JSON holds it: the same for equal things in every process, so that it can be hashed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import FunctionType
from typing import Any

import numpy as np

from lessons_lib.errors import ParameterError

FEW = 64
"""Numbers of an array that are written out; of a larger one stands its digest."""


def canonical(value: Any) -> Any:
    """Return numbers, words, lists and dictionaries that say what `value` is.

    Raises:
        ParameterError: It is an object that says of itself no more than where it lies in memory.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return float(value).hex() if isinstance(value, float) else value
    if isinstance(value, np.ndarray):
        if value.size <= FEW:
            return [canonical(entry) for entry in value.tolist()]
        digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return {"shape": list(value.shape), "type": str(value.dtype), "sha256": digest}
    if isinstance(value, Mapping):
        return {str(name): canonical(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [canonical(entry) for entry in value]
    if isinstance(value, np.generic | Enum):
        return canonical(value.item() if isinstance(value, np.generic) else value.name)
    if is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: canonical(getattr(value, field.name)) for field in fields(value)}
        return {"class": type(value).__name__, **parts}
    if isinstance(value, FunctionType):  # the formula of a method
        from lessons_lib.pose_ik.stated_step import key_of_any

        return key_of_any(value)
    said = repr(value)
    if " at 0x" in said:
        raise ParameterError(
            f"{said} does not say what it is, so that its results could not be told from those of another; "
            "give its class a __repr__ with its parameters, or make it a dataclass"
        )
    return said
