"""A damping rule: the number D stated once, as a formula, for the page, for NumPy and for the engine.

A rule is a function of named arguments, which it is given as numbers or as symbols:

| name | meaning |
|---|---|
| E | ½ VᵀWV, the error that is being minimised |
| V | the error twist, or the split error, in the method's frame, 6×1, rows (ω, v) in rad and m |
| W | the six weights, 6×1 |
| J | the Jacobian that goes with V, 6×n, rows (ω, v) |

Every other name is a parameter, a number that may change without anything being derived or compiled again.
A rule that is a straight line in E, D = a + b E, is given to the engine as the two numbers a and b.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik.straight_line import on_a_line

if TYPE_CHECKING:
    import sympy as sp


GIVEN = ("E", "V", "W", "J")
"""What a rule may ask for besides its parameters."""

_SYMBOLS = {"E": {"E"}, "V": {f"V{i}" for i in range(6)}, "W": {f"W{i}" for i in range(6)}, "J": {"J", "n"}}

LARGEST = 1.7976931348623157e308


class Rule:
    """A policy without memory; it has a `rule`, and its dataclass fields are the parameters.

    Attributes:
        rule: D as a function of what it names.
        letters: How the page writes a parameter, where that is not its name.
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
        return expression_of(self)

    @property
    def line(self) -> tuple[float, float] | None:
        """The numbers a and b of D = a + b E, or None where D is another function."""
        return line_of(self)

    def value(self, error: Array, weights: Array, jacobian: Array | None = None) -> float:
        """Return D, the number that is added to the diagonal of JᵀWJ.

        Args:
            error: V, shape (6,), in rad and m.
            weights: The diagonal of W, shape (6,).
            jacobian: J, shape (6, n), of which few rules know.

        Raises:
            ParameterError: What the formula gives is not finite, or negative; or it asks for a Jacobian, and there is
                none.
        """
        E, line = squared_error(error, weights), self.line
        if line is not None:
            return checked_damping(line[0] + line[1] * E, self)
        if jacobian is None and "J" in names_of(self):
            raise ParameterError(f"{self!r} needs the Jacobian: value(error, weights, jacobian)")
        from lessons_lib.pose_ik.rule_kernels import value_of

        return checked_damping(value_of(self, E, error, weights, jacobian), self)


class Damping(Rule):
    """A rule of the reader's own, compiled like those of the library: `Damping(lambda E, c: c * sp.sqrt(E), c=0.1)`.

    It is a policy for `LevenbergMarquardt(damping=...)`. The formula is made of what SymPy has: `sp.sqrt`, `sp.exp`,
    `sp.Max`, and for a choice `sp.Piecewise`, such as Nakamura's rule, which damps near singularities alone:

        Damping(lambda J, D0, w0: sp.Piecewise((D0 * (1 - w(J) / w0) ** 2, w(J) < w0), (0, True)), D0=0.01, w0=0.1)

    with w(J) = sp.sqrt((J * J.T).det()). Steps at which D is negative or not finite are refused with an error. Where
    the formula holds a function that the engine has not (Bessel's, say), Python runs the search, hundreds of times
    slower.

    Raises:
        ParameterError: The rule is no function of named arguments, or no formula comes of it; a parameter is missing,
            is not asked for, or is no finite number.
    """

    _key: tuple[str, tuple[tuple[str, float], ...]]
    _line: tuple[float, float] | None
    _parameters: dict[str, float]
    _expression: sp.Expr

    def __init__(self, rule: Callable[..., Any], **parameters: float) -> None:
        """Take the formula out of the rule, once."""
        asked = _names(rule)
        if not callable(rule) or asked is None:
            raise ParameterError(
                f"Damping takes a function such as `lambda E, c: c * E` and its parameters, got {rule!r}"
            )
        wanted = [name for name in asked if name not in GIVEN]
        if taken := set(wanted) & set().union(*_SYMBOLS.values()):
            raise ParameterError(f"{', '.join(sorted(taken))} cannot name a parameter: the solver's own are called so")
        if sorted(wanted) != sorted(parameters):
            raise ParameterError(
                f"the rule asks for the parameters {wanted}, and {sorted(parameters)} are given; "
                f"{', '.join(GIVEN)} come from the solver"
            )
        numbers = {name: _finite(name, parameters[name]) for name in wanted}
        self._set(_stated(rule, asked, {}), numbers, on_a_line(rule, asked, numbers))

    def _set(self, expression: Any, parameters: dict[str, float], line: tuple[float, float] | None) -> None:
        import sympy as sp

        for name, value in (("_expression", expression), ("_parameters", parameters), ("_line", line)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_key", (sp.srepr(expression), tuple(parameters.items())))

    @classmethod
    def _again(cls, expression: Any, parameters: dict[str, float], line: tuple[float, float] | None) -> Damping:
        damping = cls.__new__(cls)
        damping._set(expression, parameters, line)
        return damping

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process as the formula: a lambda could not."""
        return Damping._again, (self.expression, self._parameters, self._line)

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
    def line(self) -> tuple[float, float] | None:
        """The numbers a and b of D = a + b E, or None where D is another function."""
        return self._line

    def __eq__(self, other: object) -> bool:
        """Return whether another one has the same formula and the same parameters."""
        return isinstance(other, Damping) and self._key == other._key

    def __hash__(self) -> int:
        """Return the hash of formula and parameters."""
        return hash(self._key)

    def __repr__(self) -> str:
        """Return formula and parameters."""
        return f"Damping({', '.join([str(self.expression), *(f'{n}={v!r}' for n, v in self._parameters.items())])})"


def squared_error(error: Array, weights: Array) -> float:
    """Return E = ½ VᵀWV of a twist V, shape (6,), with the diagonal W, shape (6,)."""
    return 0.5 * float(error @ (weights * error))


def checked_damping(value: object, source: object) -> float:
    """Return a damping as a float.

    Args:
        value: What was worked out.
        source: By what, the beginning of the message: a policy, or "Square.damping_value".

    Raises:
        ParameterError: Not a number, negative, or not finite; a step without damping would follow, and nobody knew.
    """
    if isinstance(value, float) and 0.0 <= value <= LARGEST:
        return float(value)  # at every step, where the words of a long formula would take longer than the step
    number = floats(value, f"{source} must return a number, zero or more", ParameterError)  # type: ignore[arg-type]
    if number.shape != () or not 0.0 <= number <= LARGEST:
        raise ParameterError(f"{source} returned {value!r}; a damping is one number, finite, zero or more")
    return float(number)


def names_of(policy: Rule) -> list[str]:
    """Return which of E, V, W and J the formula of a policy holds."""
    held = {symbol.name for symbol in policy.expression.free_symbols}
    return [name for name in GIVEN if held & _SYMBOLS[name]]


@lru_cache(maxsize=256)
def line_of(policy: Rule) -> tuple[float, float] | None:
    """Return a and b where the rule of a policy is D = a + b E, without SymPy."""
    return on_a_line(policy.rule, _names(policy.rule) or [], policy.parameters)


@lru_cache(maxsize=256)
def expression_of(policy: Rule) -> sp.Expr:
    """Return the rule of a policy as an expression."""
    return _stated(type(policy).rule, _names(type(policy).rule) or [], policy.letters)


def _names(rule: object) -> list[str] | None:
    """Return the names of a function's arguments, or None where some have no name, or it is no function."""
    try:
        arguments = inspect.signature(rule).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    named = all(one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) for one in arguments)
    return [one.name for one in arguments] if named else None


def _stated(rule: Callable[..., Any], asked: list[str], letters: Mapping[str, str]) -> Any:
    """Return what a rule gives for symbols.

    Raises:
        ParameterError: No formula comes of it.
    """
    import sympy as sp

    n = sp.Symbol("n", integer=True, positive=True)
    given = {"E": sp.Symbol("E", nonnegative=True), "J": sp.MatrixSymbol("J", 6, n)}
    given |= {name: sp.Matrix(sp.symbols(f"{name}0:6", real=True)) for name in "VW"}
    given |= {name: sp.Symbol(letters.get(name, name), real=True) for name in asked if name not in given}
    try:
        found = sp.sympify(rule(**{name: given[name] for name in asked}))
        stated = found[0, 0] if getattr(found, "shape", None) == (1, 1) else found
    except Exception as error:  # whatever a reader's function raises
        raise ParameterError(
            f"no formula comes of the rule ({error}); it is made of what SymPy has, such as sp.sqrt, sp.Max, and "
            "sp.Piecewise for a choice"
        ) from error
    if not isinstance(stated, sp.Expr) or getattr(stated, "shape", ()) not in ((), None):
        raise ParameterError(f"the rule gives {found!r}; a damping is one number")
    if strange := stated.free_symbols - set().union(*(one.free_symbols for one in given.values())):
        raise ParameterError(f"the rule holds {', '.join(sorted(map(str, strange)))}; it is made of what it names")
    wrong = {number for number in stated.atoms(sp.Number) if not number.is_finite or abs(number) > LARGEST}
    if wrong or stated.has(sp.I, sp.oo, sp.zoo) or stated.is_negative:
        raise ParameterError(f"the rule gives {found}; a damping is one number, finite, zero or more")
    return stated


def _finite(name: str, given: object) -> float:
    number = floats(given, f"the parameter {name} must be a number", ParameterError)  # type: ignore[arg-type]
    if number.shape != () or not np.isfinite(number):
        raise ParameterError(f"the parameter {name} is {given!r}; it is one finite number")
    return float(number)
