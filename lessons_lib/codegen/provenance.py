"""Provenance of generated functions: the formulas from which they were derived, and a digest of their expression."""
# Every target writes it at the end of the docstring or comment: "R = exp [ω]. Derived by so3.exp; expression
# 3f2a9c81d0e4." Functions of equal digests were printed from the same expression, up to the names of symbols.

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sympy as sp

DIGITS = 12
_TRAILER = re.compile(r"\s*Derived by (?P<formulas>[\w.]+(?:, [\w.]+)*)(?:; expression (?P<digest>[0-9a-f]+))?\.\s*$")


@dataclass(frozen=True)
class Provenance:
    """Provenance of a generated function: description, formulas of `symbolic`, digest of the expression."""

    summary: str
    formulas: tuple[str, ...] = ()  # empty for hand-written text
    digest: str = ""  # empty also for derived expressions embedded in such text

    def __str__(self) -> str:
        if not self.formulas:
            return self.summary
        expression = f"; expression {self.digest}" if self.digest else ""
        return f"{self.summary} Derived by {', '.join(self.formulas)}{expression}.".lstrip()


def provenance_of(function: Any) -> Provenance:
    """Return the provenance of a generated function, read from its docstring.

    >>> from lessons_lib import codegen, robots
    >>> codegen.provenance_of(robots.planar_2r().kernels.pose_kernel).formulas
    ('tip_to_base.derive',)

    Args:
        function: A function of a generated module: compiled, plain Python, or a SIMD loop.

    Returns:
        Its summary, the names of the formulas from which it was derived, and the digest of its expression. `formulas`
        and `digest` are empty for other functions.
    """
    text = getattr(function, "py_func", function).__doc__ or ""
    trailer = _TRAILER.search(text)
    if trailer is None:
        return Provenance(text.strip())
    return Provenance(text[: trailer.start()].strip(), tuple(trailer["formulas"].split(", ")), trailer["digest"] or "")


def digest(
    inputs: Iterable[sp.Matrix], outputs: Iterable[sp.Matrix | sp.Expr], steps: Sequence[tuple[sp.Symbol, sp.Expr]] = ()
) -> str:
    """Return 12 hexadecimal digits that identify expressions, independent of names of symbols and unused inputs."""
    import sympy as sp

    matrices = [sp.Matrix([output]) for output in outputs]
    expressions = [*(expression for _, expression in steps), *(entry for matrix in matrices for entry in matrix)]
    used = {symbol for expression in expressions for symbol in expression.free_symbols}
    arguments = dict.fromkeys(entry for matrix in inputs for entry in matrix if entry in used)
    known: dict[sp.Basic, str] = {symbol: f"a{i}" for i, symbol in enumerate(arguments)}
    known |= {symbol: f"s{i}" for i, (symbol, _) in enumerate(steps)}
    commutative = sp.Add, sp.Mul, sp.Max, sp.Min, sp.And, sp.Or

    def hash_expression(expression: sp.Basic) -> str:
        if expression not in known:
            parts = [hash_expression(part) for part in expression.args]
            ordered = sorted(parts) if isinstance(expression, commutative) else parts
            text = " ".join([expression.func.__name__, *ordered]) if parts else sp.srepr(expression)
            known[expression] = hashlib.sha256(text.encode()).hexdigest()
        return known[expression]

    return hashlib.sha256(
        "\n".join([str([matrix.shape for matrix in matrices]), *map(hash_expression, expressions)]).encode()
    ).hexdigest()[:DIGITS]
