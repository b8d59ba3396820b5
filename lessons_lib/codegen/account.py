"""What a generated function says of itself: which formulas it was derived by, and the digest of their expression.

The account is the end of the function's docstring, in every language:

    R = exp [ω]. Derived by so3.exp; expression 3f2a9c81d0e4.

Two functions with one digest were made of one expression, whatever its symbols are called, so a lesson can show that
what it has just derived is what the solver has loaded.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sympy as sp

DIGITS = 12
_ACCOUNT = re.compile(r"\s*Derived by (?P<formulas>[\w.]+(?:, [\w.]+)*)(?:; expression (?P<digest>[0-9a-f]+))?\.\s*$")


@dataclass(frozen=True)
class Account:
    """What a generated function says of itself.

    Attributes:
        summary: What it computes.
        formulas: The formulas of `symbolic` that it was derived by, "so3.exp" for instance; none for text by hand.
        digest: Of the expression that it is; empty where text by hand stands around what was derived.
    """

    summary: str
    formulas: tuple[str, ...] = ()
    digest: str = ""

    def __str__(self) -> str:
        """Return the account as it stands in a docstring."""
        if not self.formulas:
            return self.summary
        expression = f"; expression {self.digest}" if self.digest else ""
        return f"{self.summary} Derived by {', '.join(self.formulas)}{expression}.".lstrip()


def account_of(function: Any) -> Account:
    """Return what a generated function says of itself, compiled or not, over lanes or not."""
    text = getattr(function, "py_func", function).__doc__ or ""
    found = _ACCOUNT.search(text)
    if found is None:
        return Account(text.strip())
    return Account(text[: found.start()].strip(), tuple(found["formulas"].split(", ")), found["digest"] or "")


def digest(
    inputs: Iterable[sp.Matrix], outputs: Iterable[sp.Matrix | sp.Expr], steps: Sequence[tuple[sp.Symbol, sp.Expr]] = ()
) -> str:
    """Return 12 hexadecimal digits that stand for an expression, whatever its symbols are called.

    Args:
        inputs: Arrays of symbols, in the order in which they are given; those that are not used do not count.
        outputs: Arrays of expressions, or single ones.
        steps: Named steps between them, each a symbol and its expression in inputs and earlier steps.
    """
    import sympy as sp

    matrices = [sp.Matrix([output]) for output in outputs]
    expressions = [*(expression for _, expression in steps), *(entry for matrix in matrices for entry in matrix)]
    used = {symbol for expression in expressions for symbol in expression.free_symbols}
    given = dict.fromkeys(entry for matrix in inputs for entry in matrix if entry in used)
    known: dict[sp.Basic, str] = {symbol: f"a{i}" for i, symbol in enumerate(given)}
    known |= {symbol: f"s{i}" for i, (symbol, _) in enumerate(steps)}
    in_any_order = sp.Add, sp.Mul, sp.Max, sp.Min, sp.And, sp.Or

    def said(expression: sp.Basic) -> str:
        """Return what stands for an expression; what it shares with others is looked at once."""
        if expression not in known:
            parts = [said(part) for part in expression.args]
            ordered = sorted(parts) if isinstance(expression, in_any_order) else parts
            text = " ".join([expression.func.__name__, *ordered]) if parts else sp.srepr(expression)
            known[expression] = hashlib.sha256(text.encode()).hexdigest()
        return known[expression]

    return hashlib.sha256(
        "\n".join([str([matrix.shape for matrix in matrices]), *map(said, expressions)]).encode()
    ).hexdigest()[:DIGITS]
