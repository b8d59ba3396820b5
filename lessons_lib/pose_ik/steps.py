"""A method at work on one start: asks for steps, and may refuse what came of one.

Methods are frozen; what an adaptive one learns on its way lives here, and every start begins anew.
"""

from __future__ import annotations

import numpy as np

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik.damping import TrustRegion, updated
from lessons_lib.pose_ik.methods import Method, Stepping
from lessons_lib.pose_ik.rule import checked_damping
from lessons_lib.pose_ik.weights import counted_components, frame_and_split, weighed


class Steps:
    """The steps of a method that has no memory, every one of which is taken.

    Attributes:
        method: The method.
        frame: Frame in which it wants Jacobian and error.
        split: Whether they are those of the split error, because some of its components do not count.
        counted: 1.0 for each component of the error that counts, 0.0 for the others, shape (6,).
    """

    def __init__(self, method: Stepping) -> None:
        """Begin a start."""
        self.method = method
        self.frame, self.split = frame_and_split(method)
        self.counted = counted_components(method)

    def damping_value(self, jacobian: Array, error: Array) -> float:
        """Return the damping D of the next step, 0 for a method that has none.

        Raises:
            ParameterError: The method returned something else than a number, zero or more.
        """
        method = self.method
        if isinstance(method, Method):
            return method.damping_value(jacobian, error)
        value = getattr(method, "damping_value", None)
        if value is None:
            return 0.0
        return checked_damping(value(jacobian.copy(), error.copy()), f"{type(method).__name__}.damping_value")

    def propose(self, jacobian: Array, error: Array) -> Array:
        """Return the next step, shape (n,); NaN where the method's linear algebra failed.

        A step that is not finite ends its start, as failed linear algebra does: a method may divide by zero at one
        configuration and be good at all others. The method gets copies, so that what it writes into them is its own.

        Raises:
            ParameterError: The method returned something else than n numbers.
        """
        name, given = type(self.method).__name__, (jacobian.copy(), error.copy())
        try:
            step = floats(self.method.step(*given), f"{name}.step must return numbers", ParameterError)
        except np.linalg.LinAlgError:
            return np.full(jacobian.shape[1], np.nan)
        if step.shape != (jacobian.shape[1],):
            raise ParameterError(f"{name}.step returned shape {step.shape}; a step has shape ({jacobian.shape[1]},)")
        return step

    def model(self, jacobian: Array, error: Array) -> tuple[Array, Array]:
        """Return √W A and √W V of the objective; A is the derivative that the method takes, of the twist or of J."""
        if isinstance(self.method, Method):
            return self.method.model(jacobian, error)
        return weighed(self.method, jacobian, error)

    def accepts(self, jacobian: Array, error: Array, step: Array, error_ahead: Array) -> bool:
        """Return whether a step is taken, knowing the error after it: always."""
        return True


class TrustRegionSteps(Steps):
    """The steps of Levenberg-Marquardt with a TrustRegion: the damping learns how far the linear model can be trusted.

    Attributes:
        value: Damping D of the next step; None before the first.
        growth: What a refusal multiplies D by.
    """

    def __init__(self, method: Method, policy: TrustRegion) -> None:
        """Begin a start with the first damping of the policy, and a growth of 2."""
        super().__init__(method)
        self.stated, self.policy = method, policy
        self.value: float | None = None
        self.growth = 2.0

    def damping_value(self, jacobian: Array, error: Array) -> float:
        """Return D."""
        if self.value is None:
            self.value = super().damping_value(jacobian, error)
        return self.value

    def propose(self, jacobian: Array, error: Array) -> Array:
        """Return the step at the present damping."""
        return self.stated.damped(jacobian, error, self.damping_value(jacobian, error))

    def accepts(self, jacobian: Array, error: Array, step: Array, error_ahead: Array) -> bool:
        """Return whether the step reduced the error by a fair part of what it promised, and adapt the damping."""
        slope, rooted = self.model(jacobian, error)
        ahead = self.model(jacobian, error_ahead)[1]
        value = self.damping_value(jacobian, error)
        promised = 0.5 * float(step @ (value * step + slope.T @ rooted))
        reduction = 0.5 * float(rooted @ rooted - ahead @ ahead)
        gain = reduction / promised if promised > 0.0 else -1.0
        accepted = gain > self.policy.accept
        self.value, self.growth = updated(value, self.growth, gain, accepted)
        return accepted


def steps_of(method: Stepping) -> Steps:
    """Return the steps of one start of a method."""
    if isinstance(method, Method) and isinstance(method.damping, TrustRegion):
        return TrustRegionSteps(method, method.damping)
    return Steps(method)
