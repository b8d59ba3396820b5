"""Whether a matrix of formulas vanishes, by numbers: quick where simplifying is not."""

import mpmath
import numpy as np
import sympy as sp


def vanishes(matrix: sp.Matrix, points: int = 2) -> bool:
    """Return whether a matrix is zero at some random points, at 40 digits; its numbers are below 1000."""
    symbols, rng = sorted(matrix.free_symbols, key=str), np.random.default_rng(4)
    function = sp.lambdify([symbols], matrix, "mpmath", cse=True)
    with mpmath.workdps(40):
        values = [function([mpmath.mpf(int(k)) / 41 for k in rng.integers(1, 82, len(symbols))]) for _ in range(points)]
        return all(mpmath.mnorm(value, mpmath.inf) < mpmath.mpf(10) ** -30 for value in values)
