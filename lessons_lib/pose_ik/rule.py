"""Damping rules: one formula for D, used by the pages, by NumPy and by the compiled searches."""
# E = ½ VᵀWV is the objective; V the error twist or the split error, in the method's frame, 6×1, rows (ω, v) in rad and
# m; W the six weights, 6×1; J the Jacobian of V, 6×n. Every other argument is a parameter; its value is an input of the
# compiled code. A rule D = a + b E is passed to the compiled search as the numbers a and b.

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ParameterError

if TYPE_CHECKING:
    import sympy as sp


INPUTS = ("E", "V", "W", "J")
"""Arguments of a rule that the solver supplies."""

_SYMBOLS = {"E": {"E"}, "V": {f"V{i}" for i in range(6)}, "W": {f"W{i}" for i in range(6)}, "J": {"J", "n"}}

LARGEST = sys.float_info.max


class Rule:
    """A damping policy without memory; its dataclass fields are the parameters.

    Attributes:
        rule: D as a function of its named arguments.
        letters: Symbols of parameters on a page, if they differ from the names.
    """

    rule: ClassVar[Callable[..., Any]]
    letters: ClassVar[Mapping[str, str]] = {}

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters by name, in order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    @property
    def expression(self) -> sp.Expr:
        """D as a SymPy expression in E, V0 … V5, W0 … W5, J and the letters of the parameters."""
        return _expression_of(self)

    @property
    def affine(self) -> tuple[float, float] | None:
        """The coefficients a and b of D = a + b E, or None if D is not affine in E."""
        return _affine_of(self)

    def value(self, error: Array, weights: Array, jacobian: Array | None = None) -> float:
        """Return D, the number that is added to the diagonal of JᵀWJ.

        Args:
            error: V, shape (6,), (ω, v) in rad and m.
            weights: The diagonal of W, shape (6,).
            jacobian: J, shape (6, n); needed only by a rule that uses J.

        Raises:
            ParameterError: D is negative or not finite, or the Jacobian is missing in a rule that uses it.
        """
        E, affine = objective(error, weights), self.affine
        if affine is not None:
            return check_damping(affine[0] + affine[1] * E, self)
        if jacobian is None and any(symbol.name in _SYMBOLS["J"] for symbol in self.expression.free_symbols):
            raise ParameterError(f"{self!r} needs the Jacobian: value(error, weights, jacobian)")
        from lessons_lib.pose_ik.rule_kernels import value_of

        return check_damping(value_of(self, E, error, weights, jacobian), self)


class Damping(Rule):
    """A user-defined rule, compiled as the library's are: `Damping(lambda E, c: c * sp.sqrt(E), c=0.1)`.

    Pass it to `LevenbergMarquardt(damping=...)`. Build the formula from SymPy functions: `sp.sqrt`, `sp.exp`, `sp.Max`,
    and `sp.Piecewise` for a choice, as in Nakamura's rule, which damps only near singularities:

        Damping(lambda J, D0, w0: sp.Piecewise((D0 * (1 - w(J) / w0) ** 2, w(J) < w0), (0, True)), D0=0.01, w0=0.1)

    with w(J) = sp.sqrt((J * J.T).det()). A step at which D is negative or not finite raises an error. If the compiler
    lacks a function of the formula (a Bessel function, for example), Python runs the search, hundreds of times slower.

    >>> import sympy as sp
    >>> from lessons_lib import pose_ik
    >>> pose_ik.Damping(lambda E, c: c * sp.sqrt(E), c=0.1).expression
    sqrt(E)*c

    Args:
        rule: D as a function of E, V, W, J (any of them) and of its parameters.
        parameters: One finite number for each parameter.

    Raises:
        ParameterError: The rule is not a function of named arguments, or does not return a formula; a parameter is
            missing, unknown, or not a finite number.
    """

    _key: tuple[str, tuple[tuple[str, float], ...]]
    _affine: tuple[float, float] | None
    _parameters: dict[str, float]
    _expression: sp.Expr

    def __init__(self, rule: Callable[..., Any], **parameters: float) -> None:
        """Evaluate the rule once, on symbols."""
        arguments = _arguments(rule)
        if not callable(rule) or arguments is None:
            raise ParameterError(
                f"Damping takes a function such as `lambda E, c: c * E` and its parameters, got {rule!r}"
            )
        names = [name for name in arguments if name not in INPUTS]
        if reserved := set(names) & set().union(*_SYMBOLS.values()):
            raise ParameterError(
                f"{', '.join(sorted(reserved))} cannot name a parameter, because the solver uses this name; choose "
                "another one"
            )
        if sorted(names) != sorted(parameters):
            raise ParameterError(
                f"the rule has the parameters {names}, got values for {sorted(parameters)}; pass each by name, such as "
                f"c=0.1; the solver supplies {', '.join(INPUTS)}"
            )
        values = {name: _check_parameter(name, parameters[name]) for name in names}
        self._set(_evaluate(rule, arguments, {}), values, affine_coefficients(rule, arguments, values))

    def _set(self, expression: Any, parameters: dict[str, float], affine: tuple[float, float] | None) -> None:
        import sympy as sp

        for name, value in (("_expression", expression), ("_parameters", parameters), ("_affine", affine)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_key", (sp.srepr(expression), tuple(parameters.items())))

    @classmethod
    def _restore(cls, expression: Any, parameters: dict[str, float], affine: tuple[float, float] | None) -> Damping:
        damping = cls.__new__(cls)
        damping._set(expression, parameters, affine)
        return damping

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the formula: a lambda cannot be pickled."""
        return Damping._restore, (self.expression, self._parameters, self._affine)

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: a policy is frozen."""
        raise AttributeError(f"cannot assign to {name!r}: a Damping is frozen")

    @property
    def expression(self) -> sp.Expr:
        """D as a SymPy expression in E, V0 … V5, W0 … W5, J and the parameters."""
        return self._expression

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters by name, in order."""
        return dict(self._parameters)

    @property
    def affine(self) -> tuple[float, float] | None:
        """The coefficients a and b of D = a + b E, or None if D is not affine in E."""
        return self._affine

    def __eq__(self, other: object) -> bool:
        """Compare formula and parameters."""
        return isinstance(other, Damping) and self._key == other._key

    def __hash__(self) -> int:
        """Return the hash of formula and parameters."""
        return hash(self._key)

    def __repr__(self) -> str:
        """Return formula and parameters."""
        return f"Damping({', '.join([str(self.expression), *(f'{n}={v!r}' for n, v in self._parameters.items())])})"


@dataclass(frozen=True)
class Affine:
    """a + b E with numbers a and b: a rule that is affine in E can be evaluated on it, without SymPy."""

    a: float
    b: float

    def __add__(self, other: Affine | float) -> Affine:
        added = other if isinstance(other, Affine) else Affine(float(other), 0.0)
        return Affine(self.a + added.a, self.b + added.b)

    def __mul__(self, other: float) -> Affine:
        """Multiply by a number; a product of two affine functions raises TypeError."""
        return Affine(self.a * float(other), self.b * float(other))

    def __truediv__(self, other: float) -> Affine:
        return Affine(self.a / float(other), self.b / float(other))

    def __neg__(self) -> Affine:
        return Affine(-self.a, -self.b)

    def __sub__(self, other: Affine | float) -> Affine:
        return self + (-other)

    def __rsub__(self, other: float) -> Affine:
        return -self + other

    __radd__, __rmul__ = __add__, __mul__


def affine_coefficients(
    rule: Callable[..., Any], arguments: list[str], parameters: Mapping[str, float]
) -> tuple[float, float] | None:
    """Return a and b of a rule D = a + b E, or None if D is not affine in E."""
    if {"V", "W", "J"} & set(arguments):
        return None
    try:
        D = rule(**{name: Affine(0.0, 1.0) if name == "E" else parameters[name] for name in arguments})
        affine = D if isinstance(D, Affine) else Affine(float(D), 0.0)
    except Exception:  # noqa: BLE001 (a user's function may raise anything for an operand that it does not expect)
        return None
    return (affine.a, affine.b) if np.isfinite([affine.a, affine.b]).all() else None


def objective(error: Array, weights: Array) -> float:
    """Return E = ½ VᵀWV, for the diagonal of W."""
    return 0.5 * float(error @ (weights * error))


def check_damping(value: object, source: object) -> float:
    """Return a damping as a float; `source` (a policy or "Square.damping_value") begins the error message."""
    if isinstance(value, float) and 0.0 <= value <= LARGEST:
        return float(value)  # before the formula is formatted, which takes longer than a step
    number = floats(value, f"{source} must return a number, zero or more", ParameterError)  # type: ignore[arg-type]
    if number.shape != () or not 0.0 <= number <= LARGEST:
        raise ParameterError(f"{source} must return one finite number, zero or more, got {value!r}")
    return float(number)


@lru_cache(maxsize=256)
def _affine_of(policy: Rule) -> tuple[float, float] | None:
    return affine_coefficients(policy.rule, _arguments(policy.rule) or [], policy.parameters)


@lru_cache(maxsize=256)
def _expression_of(policy: Rule) -> sp.Expr:
    return _evaluate(policy.rule, _arguments(policy.rule) or [], policy.letters)


def _arguments(rule: object) -> list[str] | None:
    """Return the names of a function's arguments, or None if it is not a function of named arguments."""
    try:
        arguments = inspect.signature(rule).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    are_named = all(one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) for one in arguments)
    return [one.name for one in arguments] if are_named else None


def _evaluate(rule: Callable[..., Any], arguments: list[str], letters: Mapping[str, str]) -> Any:
    """Evaluate a rule on symbols; raise ParameterError unless it returns a formula for one number."""
    import sympy as sp

    n = sp.Symbol("n", integer=True, positive=True)
    inputs = {"E": sp.Symbol("E", nonnegative=True), "J": sp.MatrixSymbol("J", 6, n)}
    inputs |= {name: sp.Matrix(sp.symbols(f"{name}0:6", real=True)) for name in "VW"}
    inputs |= {name: sp.Symbol(letters.get(name, name), real=True) for name in arguments if name not in inputs}
    try:
        returned = sp.sympify(rule(**{name: inputs[name] for name in arguments}))
        D = returned[0, 0] if getattr(returned, "shape", None) == (1, 1) else returned
    except Exception as error:  # a user's function may raise anything
        raise ParameterError(
            f"the damping rule must return a formula; it raised: {error}; use SymPy functions, such as sp.sqrt and "
            "sp.Max, and sp.Piecewise for a choice"
        ) from error
    if not isinstance(D, sp.Expr) or getattr(D, "shape", ()) not in ((), None):
        raise ParameterError(f"the damping rule must return one number, got {returned!r}")
    if unknown := D.free_symbols - set().union(*(one.free_symbols for one in inputs.values())):
        raise ParameterError(
            f"unknown symbols {', '.join(sorted(map(str, unknown)))} in the damping rule; allowed: "
            f"{', '.join(INPUTS)} and the rule's parameters"
        )
    invalid = {number for number in D.atoms(sp.Number) if not number.is_finite or abs(number) > LARGEST}
    if invalid or D.has(sp.I, sp.oo, sp.zoo) or D.is_negative:
        raise ParameterError(f"the damping rule must return one finite number, zero or more, got {returned}")
    return D


def _check_parameter(name: str, value: object) -> float:
    number = floats(value, f"the parameter {name} must be a number", ParameterError)  # type: ignore[arg-type]
    if number.shape != () or not np.isfinite(number):
        raise ParameterError(f"the parameter {name} must be one finite number, got {value!r}")
    return float(number)
