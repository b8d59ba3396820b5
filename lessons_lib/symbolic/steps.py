"""Named intermediate results, which keep long derivations short."""

from dataclasses import dataclass, field

import sympy as sp


@dataclass
class Steps:
    """Names matrix entries by a letter and a running number."""

    named: list[tuple[sp.Symbol, sp.Expr]] = field(default_factory=list)

    def name(self, letter: str, matrix: sp.Matrix) -> sp.Matrix:
        """Return `matrix` with a new symbol for each entry except numbers and ± symbols."""

        def one(entry: sp.Expr) -> sp.Expr:
            if entry.is_Atom or (-entry).is_Atom:
                return entry
            symbol = sp.Symbol(f"{letter}{len(self.named)}", real=True)
            self.named.append((symbol, entry))
            return symbol

        return matrix.applyfunc(one)


@dataclass
class Names:
    """Names expressions by given names; numbers and symbols keep theirs."""

    named: list[tuple[sp.Symbol, sp.Expr]] = field(default_factory=list)

    def name(self, name: str, expression: sp.Expr) -> sp.Expr:
        """Return a symbol of this name for an expression."""
        if expression.is_number or expression.is_Symbol:
            return expression
        symbol = sp.Symbol(name, real=True)
        self.named.append((symbol, expression))
        return symbol

    def matrix(self, name: str, matrix: sp.Matrix) -> sp.Matrix:
        """Return symbols for the entries of a matrix: A0_1 by row and column, e0 by row for a single column."""

        def one(i: int, j: int) -> sp.Expr:
            return self.name(f"{name}{i}" if matrix.cols == 1 else f"{name}{i}_{j}", matrix[i, j])

        return sp.Matrix(*matrix.shape, one)
