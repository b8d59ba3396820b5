"""Trace a compilable function into a straight-line program, which affine_arithmetic.py runs."""
# every comparison evaluates to False, so that all branches of a closed form are recorded

from __future__ import annotations

from collections.abc import Iterable
from functools import partialmethod
from typing import Any

import numpy as np

from lessons_lib.all_solutions.affine_arithmetic import ABSOLUTE, ADD, INVERT, MULTIPLY, NEGATE
from lessons_lib.arrays import Array, Integers

CONSTANT, INPUT = -1, -2  # not an operation


class TraceRecorder:
    """Record each operation on traced values once, without additions of 0 and multiplications by 1."""

    def __init__(self, inputs: int, known: dict[int, float]) -> None:
        # `known` inputs are whole numbers.
        self.steps: dict[tuple[int, Any, Any], int] = {(INPUT, i, 0): i for i in range(inputs)}
        self.known = dict(known)
        self.inputs: Any = [TracedValue(self, i) for i in range(inputs)]

    def record(self, operation: int, x: TracedValue, y: TracedValue) -> TracedValue:
        """Record an operation on two values; a unary operation has its operand twice."""
        a, b = self.known.get(x.row), self.known.get(y.row)
        if operation == ADD and 0.0 in (a, b):
            return y if a == 0.0 else x
        if operation == MULTIPLY and 1.0 in (a, b):
            return y if a == 1.0 else x
        if operation == MULTIPLY and 0.0 in (a, b):
            return self.number(0.0)
        if operation == NEGATE and a is not None:
            return self.number(-a)
        return self._append((operation, x.row, y.row))

    def number(self, value: float) -> TracedValue:
        one = self._append((CONSTANT, value + 0.0, 0))
        self.known[one.row] = value
        return one

    def _append(self, step: tuple[int, Any, Any]) -> TracedValue:
        return TracedValue(self, self.steps.setdefault(step, len(self.steps)))

    def find_dependencies(self, rows: Iterable[int]) -> set[int]:
        """Return some rows and all rows from which they are computed."""
        steps, dependencies, left = list(self.steps), set[int](), list(rows)
        while left:
            row = left.pop()
            if row not in dependencies:
                dependencies.add(row)
                left += steps[row][1:] if steps[row][0] >= 0 else ()
        return dependencies

    def program(self, results: Integers) -> tuple[Integers, Array]:
        """Return the operations that lead to some rows, and the initial affine numbers of all rows."""
        # Shapes: (m, 4), operation, row of the result and of the operands; (n, 3).
        numbers, steps, kept = np.zeros((len(self.steps), 3)), list(self.steps), []
        for row in sorted(self.find_dependencies(results.ravel().tolist())):
            operation, x, y = steps[row]
            if operation == CONSTANT:
                numbers[row, 0] = x
            elif operation != INPUT:
                kept.append((operation, row, x, y))
        return np.array(kept, dtype=np.int64), numbers


class TracedValue:
    """A row of the program."""

    def __init__(self, recorder: TraceRecorder, row: int) -> None:
        self.recorder, self.row = recorder, row

    def record(self, operation: int, other: Any = None) -> TracedValue:
        return self.recorder.record(operation, self, self if other is None else self._value(other))

    def _value(self, other: Any) -> TracedValue:
        return other if isinstance(other, TracedValue) else self.recorder.number(float(other))

    __add__ = __radd__ = partialmethod(record, ADD)
    __mul__ = __rmul__ = partialmethod(record, MULTIPLY)
    __neg__, __abs__ = partialmethod(record, NEGATE), partialmethod(record, ABSOLUTE)

    def __sub__(self, other: Any) -> TracedValue:
        return self.record(ADD, -other)

    def __rsub__(self, other: Any) -> TracedValue:
        return self.record(NEGATE).record(ADD, other)

    def __truediv__(self, other: Any) -> TracedValue:
        return self.record(MULTIPLY, self._value(other).record(INVERT))

    def always_false(self, other: Any) -> bool:
        return False

    __lt__ = __le__ = __gt__ = __ge__ = always_false
