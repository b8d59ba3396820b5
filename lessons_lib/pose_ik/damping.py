"""Damping policies, which choose the number D of (JᵀWJ + D I) d = JᵀWV.

With the objective E = ½ VᵀWV:

| policy | D | source |
|---|---|---|
| Constant | λ² | Wampler 1986 |
| Wampler | λ | the same, in the notation of Haviland & Corke |
| Chan | λ E | Chan & Lawrence 1988 |
| Sugihara | E + w | Sugihara 2011 |
| Damping | a user-defined formula | |
| TrustRegion | increased after a rejected step, decreased after a good one | Marquardt 1963; Nielsen 1999 |

All except TrustRegion depend only on the current step and consist of their `rule`; see rule.py.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from lessons_lib.arrays import check_number
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.pose_ik.rule import Rule


class NonnegativeRule(Rule):
    """A rule whose parameters are finite numbers, zero or more."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if value.__class__ is not float or not 0.0 <= value <= sys.float_info.max:
                check_nonnegative(self)
                return


@suggest_arguments
@dataclass(frozen=True)
class Constant(NonnegativeRule):
    """The same damping λ at every step: D = λ².

    With W = I a step multiplies no error by more than 1/(2λ): 4 for the default. The method converges slowly near the
    target and leaves some random poses unsolved after all restarts; these take hundreds of times as long as a pose
    takes with the default policy; see `make bench CLAIMS=methods`.

    >>> from lessons_lib import pose_ik
    >>> pose_ik.Constant(0.5).expression
    lambda**2

    Attributes:
        damping: λ, zero or more.

    Source: Wampler, Manipulator inverse kinematic solutions based on vector formulations and damped
    least-squares methods, IEEE Trans. SMC 16 (1986). The default 0.125 is the MATLAB library's.
    """

    letters: ClassVar = {"damping": "lambda"}

    damping: float = 0.125

    @staticmethod
    def rule(damping: Any) -> Any:
        """Return λ²."""
        return damping * damping


@suggest_arguments
@dataclass(frozen=True)
class Wampler(NonnegativeRule):
    """The same number at every step, D = λ, not squared.

    >>> from lessons_lib import pose_ik
    >>> pose_ik.Wampler(1e-4).expression
    lambda

    Attributes:
        damping: λ, zero or more.

    Source: Haviland & Corke, Manipulator Differential Kinematics, Part I (2023), where W_n = λ I.
    """

    letters: ClassVar = {"damping": "lambda"}

    damping: float = 1e-4

    @staticmethod
    def rule(damping: Any) -> Any:
        """Return λ."""
        return damping


@suggest_arguments
@dataclass(frozen=True)
class Chan(NonnegativeRule):
    """Damping in proportion to the objective, D = λ E: small steps far from the target, Newton's step close to it.

    >>> from lessons_lib import pose_ik
    >>> pose_ik.Chan(0.1).expression
    E*lambda

    Attributes:
        damping: λ, zero or more.

    Source: Chan & Lawrence, General inverse kinematics with the error damped pseudoinverse, ICRA 1988,
    in the form of Haviland & Corke (2023).
    """

    letters: ClassVar = {"damping": "lambda"}

    damping: float = 0.1

    @staticmethod
    def rule(E: Any, damping: Any) -> Any:
        """Return λ E."""
        return damping * E


@suggest_arguments
@dataclass(frozen=True)
class Sugihara(NonnegativeRule):
    """The objective plus a small bias, D = E + w, without a factor to tune; D never vanishes.

    >>> from lessons_lib import pose_ik
    >>> pose_ik.Sugihara(1e-3).expression
    E + w

    Attributes:
        bias: w, zero or more.

    Source: Sugihara, Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method,
    IEEE Trans. Robotics 27 (2011).
    """

    letters: ClassVar = {"bias": "w"}

    bias: float = 1e-3

    @staticmethod
    def rule(E: Any, bias: Any) -> Any:
        """Return E + w."""
        return E + bias


@suggest_arguments
@dataclass(frozen=True)
class TrustRegion:
    """Damping that adapts to how well the linear model predicts each step.

    The model predicts that a step d reduces E by ½ dᵀ(D d + JᵀWV). The gain ρ is the actual over the predicted
    reduction. If ρ > `accept`, the step is accepted and D is multiplied by max(1/3, 1 - (2ρ - 1)³). Otherwise q does
    not change, and D is multiplied by 2, then 4, 8, … until a step is accepted.

    >>> from lessons_lib import pose_ik
    >>> pose_ik.LevenbergMarquardt(pose_ik.TrustRegion())
    <Levenberg-Marquardt, TrustRegion, damping=TrustRegion(initial=0.001, accept=0.0001)>

    Attributes:
        initial: First D, as a multiple of the largest diagonal entry of JᵀWJ, positive.
        accept: Gain ρ above which a step is accepted, in [0, 1).

    Source: Madsen, Nielsen & Tingleff, Methods for Non-Linear Least Squares Problems (2004), Alg. 3.16,
    which recommends an `initial` from 1e-3 to 1 if the start may be far from the solution.
    """

    initial: float = 1e-3
    accept: float = 1e-4

    def __post_init__(self) -> None:
        """Check the parameters."""
        check_nonnegative(self)
        if self.initial == 0.0:
            raise ParameterError("TrustRegion.initial must be positive, got 0.0: D would stay 0")
        if self.accept >= 1.0:
            raise ParameterError(f"TrustRegion.accept must be in [0, 1), got {self.accept!r}; a perfect step gains 1")


def check_nonnegative(policy: NonnegativeRule | TrustRegion) -> None:
    """Check that every field of a policy is a finite number, zero or more, and convert it to float."""
    for field in fields(policy):  # type: ignore[arg-type]
        number, name = getattr(policy, field.name), f"{type(policy).__name__}.{field.name}"
        value = check_number(name, number, "a number, zero or more")
        if not 0.0 <= value <= sys.float_info.max:
            raise ParameterError(f"{name} must be finite, zero or more, got {number!r}")
        object.__setattr__(policy, field.name, value)
