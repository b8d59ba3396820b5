"""What a goal with intervals does not reach: which components lie outside their intervals, and by how much."""

from __future__ import annotations

import numpy as np

from lessons_lib.lie.intervals import COMPONENTS, Intervals
from lessons_lib.pose_ik.evaluation import evaluate
from lessons_lib.pose_ik.explanation.context import FailureContext
from lessons_lib.pose_ik.explanation.explanation import Cause, format_length

OUTSIDE_INTERVALS = "outside the intervals"


def violations(context: FailureContext, intervals: Intervals) -> list[Cause]:
    """Return the components of q outside their intervals, in degrees and in the arm's unit of length."""
    here, unit = evaluate(context.arm, context.target, context.q, "target", split=True), context.arm.unit_in_words
    tolerances, parts = np.repeat([context.stop.orientation, context.stop.position], 3), []
    for i, (name, (lower, upper), value) in enumerate(zip(COMPONENTS, intervals.bounds, -here.error, strict=True)):
        over = max(lower - value, value - upper)
        if over > tolerances[i]:
            scale, suffix = (np.degrees(1.0), "°") if i < 3 else (1.0, f" {unit}")
            amount = f"{scale * over:.3g}°" if i < 3 else format_length(over, unit)
            allowed = f"[{scale * lower:.4g}, {scale * upper:.4g}]{suffix}"
            parts.append(f"{name} is {scale * value:.4g}{suffix}, {amount} outside {allowed}")
    if not parts:
        return []
    remedy = "Widen these intervals, or choose another target."
    return [Cause(OUTSIDE_INTERVALS, True, f"at q {'; '.join(parts)}.", remedy, context.q)]
