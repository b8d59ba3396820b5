"""Answers that turn a student's formulas into two rows of numbers, by `lambdify` and by a kernel of the library."""

import numpy as np
import sympy as sp

from lessons_lib.codegen import Kernel, compiled


def numbers_by_hand(formulas, letters, values):
    """Another way to the same two rows."""
    there = dict(zip(letters, values, strict=True))
    row = [float(one.subs(there)) for one in formulas]
    return [row, row]


def kernel_of(formulas, letters):
    def filled(values):
        y = np.zeros(len(formulas))
        x, out = {"x": sp.Matrix(letters)}, {"y": sp.Matrix(formulas)}
        compiled([Kernel("mine", x, out, summary="Mine.")]).mine(np.array(values), y)
        return y

    return filled


def with_cse(formulas, letters, values):
    return [sp.lambdify(letters, formulas, "math", cse=True)(*values), kernel_of(formulas, letters)(values)]


def unfilled(formulas, letters, values):
    return [sp.lambdify([letters], formulas)(values), np.zeros(len(formulas))]


RIGHT = {"both": {"by_both": with_cse}, "both by hand": {"by_both": numbers_by_hand}}
UNFILLED = {"your second row was never filled": {"by_both": unfilled}}
SLIPS = UNFILLED | {
    "by lambdify, the values go to the letters in the wrong order": {
        "by_both": lambda f, x, v: [sp.lambdify([x], f)(v[::-1]), kernel_of(f, x)(v)]
    },
    "in the kernel, the values go": {"by_both": lambda f, x, v: [sp.lambdify([x], f)(v), kernel_of(f, x)(v[::-1])]},
    "in both, the values go": {"by_both": lambda f, x, v: [sp.lambdify([x], f)(v[::-1]), kernel_of(f, x)(v[::-1])]},
}
"""Where there is more than one letter."""

UNNAMED = {"numbers a little off": {"by_both": lambda *given: np.array(numbers_by_hand(*given)) + 0.0123}}
