"""The kernels that a method needs, and their parameters."""

from __future__ import annotations

from lessons_lib.lie.intervals import Intervals
from lessons_lib.pose_ik.damping import TrustRegion
from lessons_lib.pose_ik.goal import WeightedMethod
from lessons_lib.pose_ik.methods import Method, StepMethod
from lessons_lib.pose_ik.rule import Rule
from lessons_lib.pose_ik.variant import LINE, TRUST_REGION, Variant
from lessons_lib.pose_ik.weights import Axes, active_mask, frame_and_split, intervals_of, sqrt_weights, weights_of


def is_compiled(method: StepMethod) -> bool:
    """Return whether the engine has kernels for a method and its damping."""
    if type(method) not in (Method, WeightedMethod):
        return False
    damping = getattr(method, "damping", None)
    return damping is None or type(damping) is TrustRegion or is_stated(damping)


def is_stated(policy: object) -> bool:
    """Return whether a policy consists of its formula, and the engine has every function in it."""
    if not isinstance(policy, Rule) or type(policy).value is not Rule.value:
        return False
    if policy.affine is not None:
        return True
    from lessons_lib.pose_ik.rule_kernels import is_printed

    return is_printed(policy)


def variant_of(method: StepMethod, sequential: bool = False) -> Variant:
    """Return the kernels that a compiled method needs, for the SIMD search or the sequential search."""
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
