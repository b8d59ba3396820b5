"""Represent formulas as trees of lists, and rebuild them from allowed heads only: student input is never evaluated."""

import re
import sys
from typing import Any

HEADS = frozenset(
    """
    Add Mul Pow Abs Max Min sign floor ceiling exp log sin cos tan cot asin acos atan atan2 sinh cosh tanh sinc
    Piecewise ExprCondPair ITE And Or Not Equality Unequality LessThan GreaterThan StrictLessThan StrictGreaterThan
    MatrixSymbol MatrixElement MatAdd MatMul Transpose Inverse Determinant Trace
    """.split()
)
"""Allowed SymPy classes, besides numbers and symbols."""
CONSTANTS = {"Exp1": "E", "Pi": "pi", "BooleanTrue": "true", "BooleanFalse": "false", "Infinity": "oo"}
NAME = re.compile(r"[A-Za-z_]\w{0,40}")
LARGEST_EXPONENT = 1000
"""Largest exponent of a number: SymPy evaluates the power at once, which cannot be interrupted."""
KNOWN = frozenset("commutative real positive negative nonnegative nonpositive integer finite zero nonzero".split())
"""Allowed assumptions of a symbol."""


def is_formula(value: object) -> bool:
    """Return whether a value is a SymPy object, without loading SymPy."""
    sympy = sys.modules.get("sympy")
    return sympy is not None and isinstance(value, sympy.Basic)


def tree_of(formula: Any) -> list[Any]:
    """Return a formula as nested lists of text and numbers.

    Raises:
        TypeError: The formula contains a head that is not allowed.
    """
    import sympy as sp

    head = type(formula).__name__
    if isinstance(formula, sp.Symbol):
        assumed = {key: value for key, value in formula._assumptions_orig.items() if value is not None}
        return ["Symbol", formula.name, assumed]
    if isinstance(formula, sp.Rational):
        return ["Rational", int(formula.p), int(formula.q)]
    if isinstance(formula, sp.Float):
        exact = sp.Rational(formula)
        return ["Float", int(exact.p), int(exact.q), formula._prec]
    if head in CONSTANTS:
        return [head]
    if isinstance(formula, sp.MatrixSymbol):
        return [head, formula.name, *map(tree_of, formula.shape)]
    if head not in HEADS:
        raise TypeError(
            f"a formula here is made of numbers, symbols and {', '.join(sorted(HEADS))}; yours holds {head}"
        )
    return [head, *map(tree_of, formula.args)]


def formula_of(tree: Any) -> Any:
    """Return the formula of a tree.

    Raises:
        TypeError: The tree was not made by `tree_of`.
    """
    import sympy as sp

    match tree:
        case ["Symbol", str(name), dict(assumed)] if NAME.fullmatch(name) and assumed.keys() <= KNOWN:
            return sp.Symbol(name, **{key: bool(value) for key, value in assumed.items()})
        case ["Rational", int(p), int(q)]:
            return sp.Rational(p, q)
        case ["Float", int(p), int(q), int(precision)] if 0 < precision < 10_000:
            return sp.Float(sp.Rational(p, q), precision=precision)
        case [str(head)] if head in CONSTANTS:
            return getattr(sp, CONSTANTS[head])
        case ["MatrixSymbol", str(name), rows, columns] if NAME.fullmatch(name):
            return sp.MatrixSymbol(name, formula_of(rows), formula_of(columns))
        case [str(head), *parts] if head in HEADS and head != "MatrixSymbol":
            terms = [formula_of(part) for part in parts]
            if head == "Pow" and all(part.is_Number for part in terms) and abs(terms[1]) > LARGEST_EXPONENT:
                raise TypeError(f"exponents of numbers must be at most {LARGEST_EXPONENT}")
            if head == "MatrixElement":
                return terms[0][terms[1], terms[2]]
            return tuple(terms) if head == "ExprCondPair" else getattr(sp, head)(*terms)
    raise TypeError(f"not a formula: {str(tree)[:100]}")
