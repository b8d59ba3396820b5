"""The variant of a method: everything about it that the kernels depend on, except its parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lessons_lib.lie.intervals import Intervals
from lessons_lib.pose_ik.damping import TrustRegion
from lessons_lib.pose_ik.goal import WeightedMethod
from lessons_lib.pose_ik.methods import Method, StepMethod
from lessons_lib.pose_ik.rule import Rule
from lessons_lib.pose_ik.weights import Axes, active_mask, frame_and_split, intervals_of, sqrt_weights, weights_of

LINE, TRUST_REGION, NEWTON = "a + b E", "trust region", "Newton"
"""Dampings other than a rule: affine in the objective, a trust region, and that of `descent`."""


@dataclass(frozen=True)
class Variant:
    """Everything about a method that the kernels of a search depend on, except its parameters."""

    model: str = "body"  # or space, exact, split body, split space, split target, split axes, split intervals
    weighted: bool = False  # whether the six weights are among the parameters
    masked: bool = False  # whether some components of the error do not count
    damping: str = LINE  # or TRUST_REGION, NEWTON, or a rule's formula as text
    parameters: int = 2  # number of damping parameters
    rule: Rule | None = field(default=None, compare=False)  # the rule with that formula, if it is not LINE
    sequential: bool = False  # whether for the sequential search, which keeps the model and may hold joints
    formula: Callable[..., Any] | None = None  # that of the step, if it is more than one linear problem

    def recipe(self, dof: int) -> str:
        """Return a text that identifies the variant, for an arm of `dof` joints."""
        numbers = f"{self.model}, {self.weighted}, {self.masked}, {self.damping}, {self.parameters}, {self.sequential}"
        if self.formula is None:
            return numbers
        from lessons_lib.pose_ik.stated_step import key_of

        return f"{numbers}, {key_of(self.formula, dof)}"

    @property
    def uses_split_error(self) -> bool:
        return self.model.startswith("split")

    @property
    def numbers(self) -> int:
        """Number of kernel parameters: roots of the weights, damping parameters, axes or intervals."""
        return 6 + self.parameters + {"split axes": 9, "split intervals": 12}.get(self.model, 0)

    @property
    def uses_trust_region(self) -> bool:
        """Whether the damping is a trust region, so that steps may be rejected."""
        return self.damping == TRUST_REGION


def is_compiled(method: StepMethod) -> bool:
    """Return whether the engine has kernels for a method and its damping."""
    if type(method) not in (Method, WeightedMethod):
        return False
    damping = getattr(method, "damping", None)
    return damping is None or type(damping) is TrustRegion or is_stated(damping)


def is_stated(policy: object) -> bool:
    """Return whether a policy is nothing but its formula, and the engine has every function in it."""
    if not isinstance(policy, Rule) or type(policy).value is not Rule.value:
        return False
    if policy.affine is not None:
        return True
    from lessons_lib.pose_ik.rule_kernels import is_printed

    return is_printed(policy)


def variant_of(method: StepMethod, sequential: bool = False) -> Variant:
    """Return the variant of a compiled method, for the SIMD search or the sequential search."""
    frame, split = frame_and_split(method)
    exact = getattr(method, "is_exact", False)
    words = "axes" if isinstance(frame, Axes) else "intervals" if isinstance(frame, Intervals) else frame
    model = f"split {words}" if split else "exact" if exact else words
    weighted = sequential or bool((weights_of(method) != 1.0).any())
    masked = sequential or not active_mask(method).all() or isinstance(frame, Intervals)
    damping, count, rule = LINE, 2, None
    policy = getattr(method, "damping", None)
    if isinstance(policy, TrustRegion):
        damping = TRUST_REGION
    elif isinstance(policy, Rule) and policy.affine is None:
        from lessons_lib.pose_ik.rule_kernels import formula_of

        damping, count, rule = formula_of(policy), len(policy.parameters), policy
    formula = method.formula if isinstance(method, Method) and not method.is_single_linear_solve else None
    return Variant(model, weighted, masked, damping, count, rule, sequential, formula)


def kernel_parameters(method: StepMethod) -> list[float]:
    """Return the kernel parameters of a method: roots of the weights, damping parameters, axes or intervals."""
    policy, frame, intervals = getattr(method, "damping", None), getattr(method, "axes", None), intervals_of(method)
    roots = sqrt_weights(method)
    axes = [number for row in frame.rows for number in row] if isinstance(frame, Axes) else []
    axes = axes if intervals is None else intervals.error_bounds.tolist()
    if isinstance(policy, TrustRegion):
        return [*roots, policy.initial, policy.accept, *axes]
    if not isinstance(policy, Rule):
        return [*roots, 0.0, 0.0, *axes]
    return [*roots, *(policy.parameters.values() if policy.affine is None else policy.affine), *axes]
