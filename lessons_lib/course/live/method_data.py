"""Data of a method and of a stopping rule for a page."""

from typing import Any

from lessons_lib.pose_ik import Stop, layout
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.variant import variant_of

STATUSES = {
    layout.CONVERGED: "converged",
    layout.STALLED: "stalled",
    layout.MAX_ITERATIONS_USED: "out of steps",
    layout.NOT_FINITE: "not finite",
    layout.INVALID_DAMPING: "not finite",
}
"""The page's wording for each status of a start."""


def stop_data(stop: Stop) -> dict[str, Any]:
    """Return the data of a stopping rule, and the wording of the statuses."""
    tolerances = {"orientation": stop.orientation, "position": stop.position}
    return {**tolerances, "steps": stop.max_iterations, "statuses": STATUSES}


def kind_of(method: StepMethod) -> str:
    """Return the error, derivative and damping for which a method's kernels are derived, as part of a name."""
    variant = variant_of(method, sequential=True)
    return f"{variant.model}_{variant.damping}".replace("a + b E", "line").replace(" ", "_")
