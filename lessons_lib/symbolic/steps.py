"""Names for intermediate results: what keeps a long derivation a list of short ones."""

from dataclasses import dataclass, field

import sympy as sp


@dataclass
class Steps:
    """Gives names to expressions as they are made."""

    named: list[tuple[sp.Symbol, sp.Expr]] = field(default_factory=list)

    def name(self, letter: str, matrix: sp.Matrix) -> sp.Matrix:
        """Return `matrix` with a fresh symbol in place of each entry that is more than a symbol or number."""

        def one(entry: sp.Expr) -> sp.Expr:
            if entry.is_Atom or (-entry).is_Atom:
                return entry
            symbol = sp.Symbol(f"{letter}{len(self.named)}", real=True)
            self.named.append((symbol, entry))
            return symbol

        return matrix.applyfunc(one)


class Names:
    """Gives names of one's choice to expressions as they are made; a number or a symbol needs none.

    Attributes:
        named: The symbols and what they stand for, in order.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.named: list[tuple[sp.Symbol, sp.Expr]] = []

    def name(self, name: str, expression: sp.Expr) -> sp.Expr:
        """Return a symbol of this name for an expression."""
        if expression.is_number or expression.is_Symbol:
            return expression
        symbol = sp.Symbol(name, real=True)
        self.named.append((symbol, expression))
        return symbol

    def matrix(self, name: str, matrix: sp.Matrix) -> sp.Matrix:
        """Return symbols for the entries of a matrix: A0_1 by row and column, e0 by row where there is one column."""

        def one(i: int, j: int) -> sp.Expr:
            return self.name(f"{name}{i}" if matrix.cols == 1 else f"{name}{i}_{j}", matrix[i, j])

        return sp.Matrix(*matrix.shape, one)
