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
