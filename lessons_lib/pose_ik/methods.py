"""A method states how a step is found: the derivative, the formula of the step, its damping, the frame of the error.

`NewtonRaphson`, `GaussNewton`, `LevenbergMarquardt` and `Halley` return a `Method` in the field's words; `Method` takes
a formula of the reader's own, which is derived and compiled as theirs are. What of the error counts, and how much, is
no business of a method: a goal says that (goal.py).

An object with `step(jacobian, error)` is a method as well; it may also have `frame` ("body" when left out), the frame
in which it wants both, and `name`. The search is then run by Python, hundreds of times slower.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Literal, Protocol

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.lie import left_jacobian_inverse_se3
from lessons_lib.pose_ik.damping import Chan, Constant, TrustRegion
from lessons_lib.pose_ik.rule import Rule
from lessons_lib.pose_ik.weights import weighed, weights_of

Frame = Literal["body", "space"]
Derivative = Literal["geometric", "exact"]
Formula = Callable[[Any, Any, Any], Any]
FRAMES = ("body", "space")
CHAN = Chan()
"""The damping of the default method."""


class Stepping(Protocol):
    """What a search in Python asks of a method."""

    def step(self, jacobian: Array, error: Array) -> Array:
        """Return the step d, shape (n,), for a Jacobian, shape (6, n), and an error twist, shape (6,)."""


def least_squares(J: Any, V: Any, solve: Callable[[Any, Any], Any]) -> Any:
    """Return the step of every method that solves one linear problem, J d ≈ V."""
    return solve(J, V)


@dataclass(frozen=True, repr=False)
class Method:
    """How a step is found from the Jacobian J and the error V.

    Attributes:
        formula: The step d as a function of J, V and `solve`, which returns the d of a linear problem A d ≈ e: the
            shortest that minimises (A d − e)ᵀW(A d − e), or with a damping the one that minimises
            (A d − e)ᵀW(A d − e) + D |d|². It is called once, with SymPy matrices, 6×n and 6×1; the weights W are the
            goal's.
        damping: The policy that chooses D: Constant, Wampler, Chan, Sugihara, TrustRegion, or a formula of the
            reader's own, `Damping(...)`; None for none.
        frame: "body" for J_b and V_b, "space" for J_s and V_s.
        derivative: Which J the formula is given. "geometric" is the Jacobian itself, as in the literature, exact where
            all six components vanish; "exact" is J_l(V_b)⁻¹ J_b, for the body frame only. None takes the exact one
            where the goal leaves components out, and otherwise the geometric one. The exact one costs a 6×6 matrix a
            step. It gains little where every component goes to zero; where the orientation stays off, the geometric
            one needs several times the steps, and beyond 109° never arrives.
        name: What tables and legends call it.

    Raises:
        ParameterError: A formula that is no function; a damping that is no policy; an unknown frame or derivative; the
            exact derivative in another frame than the body's.
    """

    formula: Formula = least_squares
    damping: Rule | TrustRegion | None = None
    frame: Frame = "body"
    derivative: Derivative | None = None
    name: str = ""

    def __post_init__(self) -> None:
        """Check everything, and find a name where none is given."""
        if not callable(self.formula):
            raise ParameterError(f"formula is {self.formula!r}; it is a function of J, V and solve, which returns d")
        check_frame(self)
        check_derivative(self.derivative, self.frame)
        check_policy(self.damping)
        if isinstance(self.damping, TrustRegion) and not self.is_plain:
            raise ParameterError(
                f"damping is {self.damping!r}, which learns from one linear problem; a formula of its own takes a "
                "damping without a memory, or none"
            )
        if not isinstance(self.name, str):
            raise ParameterError(f"name is {self.name!r}; it is what tables call the method")
        if not self.name:
            object.__setattr__(self, "name", getattr(self.formula, "__name__", "method") + in_frame(self.frame))

    def __hash__(self) -> int:
        """Return a number that goes with the value, worked out once: `solve` looks its question up by value."""
        known: int | None = self.__dict__.get("_hash")
        if known is None:
            known = hash((self.formula, self.damping, self.frame, self.derivative, self.name))
            object.__setattr__(self, "_hash", known)
        return known

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy needs; the hash of a text differs from process to process."""
        return {name: value for name, value in vars(self).items() if name != "_hash"}

    def __repr__(self) -> str:
        """Return the name, and what is not as usual."""
        told = [field.name for field in fields(self) if field.name not in ("name", "formula")]
        changed = [f"{one}={getattr(self, one)!r}" for one in told if getattr(self, one) != getattr(Method, one, None)]
        return f"<{', '.join([self.name, *changed])}>"

    @property
    def is_plain(self) -> bool:
        """Whether a step solves one linear problem, that of the derivative and the error."""
        return self.formula is least_squares

    @property
    def is_exact(self) -> bool:
        """Whether a step is given the exact derivative of the twist."""
        return self.derivative == "exact"

    def step(self, jacobian: Array, error: Array) -> Array:
        """Return the step d, shape (n,); for a TrustRegion its first one.

        Args:
            jacobian: J_b or J_s as `frame` says, shape (6, n).
            error: V_b or V_s, shape (6,).
        """
        return self.damped(jacobian, error, self.damping_value(jacobian, error))

    def damped(self, jacobian: Array, error: Array, damping: float) -> Array:
        """Return the step with a damping D that is known, shape (n,)."""
        slope = self.slope(jacobian, error)

        def solve(A: Array, e: Array) -> Array:
            return damped_step(*weighed(self, A, e), damping)

        if self.is_plain:
            return solve(slope, error)
        from lessons_lib.pose_ik.stated_step import step_of

        return step_of(self.formula, slope, error, solve)

    def slope(self, jacobian: Array, error: Array) -> Array:
        """Return the derivative that the formula is given, shape (6, n)."""
        return exact_derivative(jacobian, error) if self.is_exact else jacobian

    def model(self, jacobian: Array, error: Array) -> tuple[Array, Array]:
        """Return the weighted linear model of the error, √W A and √W V: A is what the formula is given."""
        return weighed(self, self.slope(jacobian, error), error)

    def damping_value(self, jacobian: Array, error: Array) -> float:
        """Return D, zero without a damping; for a TrustRegion that of its first step.

        Raises:
            ParameterError: A formula of the reader's own gives something else than a number, zero or more.
        """
        if isinstance(self.damping, TrustRegion):
            slope, _ = self.model(jacobian, error)
            return self.damping.first_value(np.sum(slope * slope, axis=0))
        return 0.0 if self.damping is None else self.damping.value(error, weights_of(self), jacobian)


def NewtonRaphson(frame: Frame = "body") -> Method:  # noqa: N802 (a constructor)
    """Return Newton's method for J d = V, with the pseudoinverse where J cannot be inverted: d = J⁺V.

    Where a step takes the whole error away, both frames give the same one. Where a residual remains, they do not: the
    twist that remains is measured in the frame, and the linear part of a space twist depends on where the origin lies.

    The compiled search solves for the step as for a damped one with D = 0, side by side over lanes. A pose on whose way
    a pivot is lost in rounding, or a step takes a joint beyond what the lanes' sines know, is searched again with a
    pseudoinverse in each step, by singular values; that takes some 0.4 ms, see `make bench CLAIMS=methods`.

    Args:
        frame: "body" for J_b and V_b, "space" for J_s and V_s.

    Raises:
        ParameterError: Another frame.

    Source: Lynch & Park, Modern Robotics (2017), Section 6.2.2.
    """
    return _newton_raphson(frame) if isinstance(frame, str) else Method(frame=frame)


@lru_cache(maxsize=4)
def _newton_raphson(frame: Frame) -> Method:
    return Method(frame=frame, name=f"Newton-Raphson ({frame})")


@lru_cache(maxsize=1)
def GaussNewton() -> Method:  # noqa: N802 (a constructor)
    """Return Gauss-Newton on ½ VᵀWV, with the exact derivative of V_b = log(T_sb⁻¹ T_sd).

    For a small step d, V_b becomes V_b - A d with A = J_l(V_b)⁻¹ J_b, and the step minimises (A d - V)ᵀW(A d - V).
    When J_b is square and regular this is Newton's step after all, because J_l(V) V = V.
    It costs as much as `NewtonRaphson`.

    Source: Solà, Deray & Atchuthan, A micro Lie theory (2018), Section IV and eqs. (143)-(147).
    """
    return Method(derivative="exact", name="Gauss-Newton")


def LevenbergMarquardt(  # noqa: N802 (a constructor)
    damping: Rule | TrustRegion = CHAN, frame: Frame = "body", derivative: Derivative | None = None
) -> Method:
    """Return damped least squares: (JᵀWJ + D I) d = JᵀWV, with D from a damping policy, which is not None.

    Arguments and errors are those of `Method`.

    Source: Levenberg 1944; Marquardt 1963; Wampler 1986.
    """
    try:
        return _levenberg_marquardt(damping, frame, derivative)
    except TypeError:  # what has no hash
        return _levenberg_marquardt.__wrapped__(damping, frame, derivative)


@lru_cache(maxsize=64)
def _levenberg_marquardt(damping: Rule | TrustRegion, frame: Frame, derivative: Derivative | None) -> Method:
    check_policy(damping)
    if damping is None:
        raise ParameterError("damping is None; without one the method is GaussNewton() or NewtonRaphson()")
    name = f"Levenberg-Marquardt, {type(damping).__name__}{in_frame(frame)}"
    return Method(damping=damping, frame=frame, derivative=derivative, name=name)


def Halley(damping: Rule | None = None) -> Method:  # noqa: N802 (a constructor)
    """Return Halley's method for V_b = 0, of third order: Newton's step, and another with the derivative halfway to it.

    Close by, a step makes of an error e one of the size of e³, where Newton's makes e²; it costs two to three times as
    much. Undamped, a pose on whose way a pivot is lost (at a singularity, or always where a goal leaves components out)
    is solved by Python, hundreds of times slower: give a damping there.

    Args:
        damping: As `Method` has it, for both linear problems; None for none.

    Raises:
        ParameterError: As `Method` does.

    Source: Ortega & Rheinboldt, Iterative Solution of Nonlinear Equations in Several Variables (1970), §7.4.
    """
    from lessons_lib.symbolic.halley import halley

    name = "Halley" if damping is None else f"Halley, {type(damping).__name__}"
    return Method(halley, damping=damping, derivative="geometric", name=name)


def exact_derivative(jacobian: Array, error: Array) -> Array:
    """Return A = J_l(V_b)⁻¹ J_b, so that log(T(q + d)⁻¹ T_sd) = V_b - A d + O(d²); shape (6, n)."""
    return left_jacobian_inverse_se3(error) @ jacobian


def in_frame(frame: str) -> str:
    """Return how the name of a method ends."""
    return "" if isinstance(frame, str) and frame == "body" else f" ({frame})"


def check_frame(method: object) -> None:
    """Raise ParameterError unless a method's frame is "body" or "space"."""
    frame = getattr(method, "frame", "body")
    if not isinstance(frame, str) or frame not in FRAMES:
        raise ParameterError(
            f"frame is {frame!r}; a method works in 'body' or 'space'; other axes are a goal's: pose(weights, axes=…)"
        )


def check_derivative(derivative: object, frame: object) -> None:
    """Raise ParameterError unless the derivative exists, in this frame."""
    if derivative is not None and not (isinstance(derivative, str) and derivative in ("geometric", "exact")):
        raise ParameterError(f"derivative is {derivative!r}; it is None, 'geometric' or 'exact'")
    if derivative == "exact" and frame != "body":
        raise ParameterError("derivative 'exact' is that of the body twist; use it with frame='body'")


def check_policy(policy: object) -> None:
    """Raise ParameterError unless `policy` can choose a damping, or is None."""
    if policy is not None and not isinstance(policy, Rule | TrustRegion):
        raise ParameterError(
            f"damping is {policy!r}; it is a policy such as {Constant()!r}, {Chan()!r} or {TrustRegion()!r}, or a "
            "formula of your own: Damping(lambda E, c: c * E, c=0.1)"
        )


def least_squares_step(jacobian: Array, error: Array) -> Array:
    """Return the shortest d among those that minimise |J d - V|.

    Args:
        jacobian: J, shape (6, n).
        error: V, shape (6,).
    """
    return np.linalg.pinv(jacobian) @ error


def damped_step(jacobian: Array, error: Array, damping: float) -> Array:
    """Return the d that minimises |J d - V|² + D |d|².

    Both forms of the answer are the same for D > 0, (JᵀJ + D I)⁻¹Jᵀ = Jᵀ(JJᵀ + D I)⁻¹; the smaller system is solved,
    because the larger one is singular but for D; rows and columns of J that are zero do not count. Where D is so small
    that rounding decides whether the matrix is singular, the step is the undamped one.

    Args:
        jacobian: J, shape (6, n).
        error: V, shape (6,).
        damping: D, zero or more.
    """
    wide = jacobian.any(axis=0).sum() > jacobian.any(axis=1).sum()
    normal = jacobian @ jacobian.T if wide else jacobian.T @ jacobian
    factor = _cholesky(normal + damping * np.eye(len(normal))) if damping > 0.0 else None
    if factor is None:
        return least_squares_step(jacobian, error)
    right = error if wide else jacobian.T @ error
    answer: Array = np.linalg.solve(factor.T, np.linalg.solve(factor, right))
    return jacobian.T @ answer if wide else answer


def _cholesky(matrix: Array) -> Array | None:
    """Return the lower factor, or None where a pivot is no larger than the rounding of the matrix."""
    rounding = len(matrix) * np.finfo(np.float64).eps * np.trace(matrix)
    try:
        factor = np.asarray(np.linalg.cholesky(matrix), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    return factor if np.min(np.diag(factor)) ** 2 > rounding else None
