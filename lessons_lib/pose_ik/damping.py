"""How much to charge a step for its length: the policies that choose the number on the diagonal of JᵀWJ.

A policy chooses the number D of (JᵀWJ + D I) d = JᵀWV. With E = ½ VᵀWV, the error that is being minimised:

| policy | D | source |
|---|---|---|
| Constant | λ² | Wampler 1986 |
| Wampler | λ | the same, as Haviland & Corke write it |
| Chan | λ E | Chan & Lawrence 1988 |
| Sugihara | E + w | Sugihara 2011 |
| Damping | a formula of the reader's own | |
| TrustRegion | grows when a step disappoints, shrinks when it pleases | Marquardt 1963; Nielsen 1999 |

All but the last have no memory, and are no more than their `rule`; see rule.py.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from lessons_lib.arrays import Array, check_number
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik.rule import Rule


class NotNegative(Rule):
    """A rule whose parameters, the fields of a dataclass, are finite numbers, zero or more."""

    def __post_init__(self) -> None:
        """Refuse others."""
        for value in vars(self).values():
            if value.__class__ is not float or not 0.0 <= value <= sys.float_info.max:
                check_not_negative(self)
                return


@dataclass(frozen=True)
class Constant(NotNegative):
    """The same damping λ at every step: D = λ².

    With W = I no error is ever multiplied by more than 1/(2λ): 4 for the default.
    Near the target it crawls: of random poses it leaves some unsolved, after all their restarts, and these take it
    hundreds of times as long as the default takes for a pose; see `make bench CLAIMS=methods`.

    Source: Wampler, Manipulator inverse kinematic solutions based on vector formulations and damped
    least-squares methods, IEEE Trans. SMC 16 (1986). The default 0.125 is the MATLAB library's.
    """

    letters: ClassVar = {"damping": "lambda"}

    damping: float = 0.125

    @staticmethod
    def rule(damping: Any) -> Any:
        """Return λ²."""
        return damping * damping


@dataclass(frozen=True)
class Wampler(NotNegative):
    """The same number at every step, D = λ, not squared.

    Source: Haviland & Corke, Manipulator Differential Kinematics, Part I (2023), where W_n = λ I.
    """

    letters: ClassVar = {"damping": "lambda"}

    damping: float = 1e-4

    @staticmethod
    def rule(damping: Any) -> Any:
        """Return λ."""
        return damping


@dataclass(frozen=True)
class Chan(NotNegative):
    """Damping in proportion to the error, D = λ E: careful far away, Newton's step close by.

    Source: Chan & Lawrence, General inverse kinematics with the error damped pseudoinverse, ICRA 1988,
    in the form of Haviland & Corke (2023).
    """

    letters: ClassVar = {"damping": "lambda"}

    damping: float = 0.1

    @staticmethod
    def rule(E: Any, damping: Any) -> Any:
        """Return λ E."""
        return damping * E


@dataclass(frozen=True)
class Sugihara(NotNegative):
    """The error itself plus a small bias, D = E + w: no factor to tune, and never quite zero.

    Source: Sugihara, Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method,
    IEEE Trans. Robotics 27 (2011).
    """

    letters: ClassVar = {"bias": "w"}

    bias: float = 1e-3

    @staticmethod
    def rule(E: Any, bias: Any) -> Any:
        """Return E + w."""
        return E + bias


@dataclass(frozen=True)
class TrustRegion:
    """Damping that learns from every step whether the linear model can be trusted.

    A step d promises to reduce E by L(d) = ½ dᵀ(D d + JᵀWV). With the gain ρ = (reduction that came)/(reduction
    promised), a step is taken when ρ > `accept`, and D is multiplied by max(1/3, 1 - (2ρ - 1)³); otherwise q
    stays where it is, and D is multiplied by 2, then 4, 8, … until a step is taken again.

    Attributes:
        initial: First D, as a multiple of the largest diagonal entry of JᵀWJ.
        accept: Smallest gain ρ that lets a step pass, in [0, 1).

    Source: Madsen, Nielsen & Tingleff, Methods for Non-Linear Least Squares Problems (2004), Alg. 3.16,
    whose advice for a start that is not known to be good is an `initial` from 1e-3 to 1.
    """

    initial: float = 1e-3
    accept: float = 1e-4

    def __post_init__(self) -> None:
        """Refuse what cannot start or would never accept."""
        check_not_negative(self)
        if self.initial == 0.0:
            raise ParameterError("TrustRegion.initial is 0.0; damping that is multiplied at each step starts above 0")
        if self.accept >= 1.0:
            raise ParameterError(f"TrustRegion.accept is {self.accept!r}; the gain of a perfect step is 1: use [0, 1)")

    def first_value(self, diagonal: Array) -> float:
        """Return the first D from the diagonal of JᵀWJ, shape (n,)."""
        return self.initial * float(np.max(diagonal))


def updated(value: float, growth: float, gain: float, accepted: bool) -> tuple[float, float]:
    """Return the next damping and the next growth factor by Nielsen's rule.

    Args:
        value: The damping D that the last step was made with.
        growth: The factor that a refusal costs, 2 after an accepted step.
        gain: ρ, reduction of E over the reduction that the linear model promised.
        accepted: Whether the step was taken.
    """
    if accepted:
        return value * max(1.0 / 3.0, 1.0 - (2.0 * gain - 1.0) ** 3), 2.0
    return value * growth, 2.0 * growth


def check_not_negative(policy: NotNegative | TrustRegion) -> None:
    """Raise ParameterError unless every field of a policy is a finite number, zero or more; keep them as floats."""
    for field in fields(policy):  # type: ignore[arg-type]
        given, name = getattr(policy, field.name), f"{type(policy).__name__}.{field.name}"
        value = check_number(name, given, "it is a number, zero or more")
        if not 0.0 <= value <= sys.float_info.max:
            raise ParameterError(f"{name} is {given!r}; it is finite, zero or more")
        object.__setattr__(policy, field.name, value)
