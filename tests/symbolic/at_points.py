"""Evaluate derived formulas with 40 digits, where simplification would be slow."""

from collections.abc import Mapping

import mpmath
import numpy as np
import sympy as sp

from lessons_lib.symbolic.open_chain import OpenChain


def point(symbols: list[sp.Symbol], seed: int = 4) -> dict[sp.Symbol, sp.Rational]:
    """Return a rational number between 0 and 2 for each symbol."""
    rng = np.random.default_rng(seed)
    return {symbol: sp.Rational(int(rng.integers(1, 82)), 41) for symbol in sorted(symbols, key=str)}


def value(derived: OpenChain, matrix: sp.Matrix, numbers: Mapping[sp.Symbol, object]) -> mpmath.matrix:
    """Evaluate a matrix of a derivation at values of its joints and lengths."""
    known = {symbol: sp.Float(number, 40) for symbol, number in numbers.items()}
    for symbol, expression in derived.steps:
        known[symbol] = expression.xreplace(known).evalf(40)
    with mpmath.workdps(40):
        return mpmath.matrix(matrix.xreplace(known).evalf(40).tolist())
