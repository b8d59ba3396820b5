"""Which kernels a method needs: its error and derivative, whether there are weights, and the formula of its damping."""

from __future__ import annotations

from lessons_lib.pose_ik.damping import TrustRegion
from lessons_lib.pose_ik.goal import Weighed
from lessons_lib.pose_ik.methods import Method, Stepping
from lessons_lib.pose_ik.rule import Rule
from lessons_lib.pose_ik.variant import LINE, TRUST_REGION, Variant
from lessons_lib.pose_ik.weights import Axes, counted_components, frame_and_split, roots_of, weights_of


def is_compiled(method: Stepping) -> bool:
    """Return whether a method, with its damping, is one that the engine has kernels for."""
    if type(method) not in (Method, Weighed):
        return False
    damping = getattr(method, "damping", None)
    return damping is None or type(damping) is TrustRegion or is_stated(damping)


def is_stated(policy: object) -> bool:
    """Return whether a policy is no more than its formula, and the engine has all that stands in it."""
    if not isinstance(policy, Rule) or type(policy).value is not Rule.value:
        return False
    if policy.line is not None:
        return True
    from lessons_lib.pose_ik.rule_kernels import is_printed

    return is_printed(policy)


def variant_of(method: Stepping, one_by_one: bool = False) -> Variant:
    """Return the kernels that a compiled method needs, over lanes or for one start after the other."""
    frame, split = frame_and_split(method)
    exact = getattr(method, "is_exact", False)
    words = "axes" if isinstance(frame, Axes) else frame
    model = f"split {words}" if split else "exact" if exact else words
    weighted = one_by_one or bool((weights_of(method) != 1.0).any())
    masked = one_by_one or not counted_components(method).all()
    damping, count, rule = LINE, 2, None
    policy = getattr(method, "damping", None)
    if isinstance(policy, TrustRegion):
        damping = TRUST_REGION
    elif isinstance(policy, Rule) and policy.line is None:
        from lessons_lib.pose_ik.rule_kernels import formula_of

        damping, count, rule = formula_of(policy), len(policy.parameters), policy
    formula = method.formula if isinstance(method, Method) and not method.is_plain else None
    return Variant(model, weighted, masked, damping, count, rule, one_by_one, formula)


def given_numbers(method: Stepping) -> list[float]:
    """Return the numbers that the kernels of a method are given: roots of the weights, those of the damping, axes."""
    policy, frame = getattr(method, "damping", None), getattr(method, "axes", None)
    roots = roots_of(method)
    axes = [number for row in frame.rows for number in row] if isinstance(frame, Axes) else []
    if isinstance(policy, TrustRegion):
        return [*roots, policy.initial, policy.accept, *axes]
    if not isinstance(policy, Rule):
        return [*roots, 0.0, 0.0, *axes]
    return [*roots, *(policy.parameters.values() if policy.line is None else policy.line), *axes]
