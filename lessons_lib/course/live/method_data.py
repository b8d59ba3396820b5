"""What a page is told of a method and of a stopping rule."""

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
"""How a start ends, in the words of the page."""


def stop_data(stop: Stop) -> dict[str, Any]:
    """Return what the page is told of a stopping rule, and the words for how a start ends."""
    tolerances = {"orientation": stop.orientation, "position": stop.position}
    return {**tolerances, "steps": stop.max_iterations, "statuses": STATUSES}


def kind_of(method: StepMethod) -> str:
    """Return for which error, derivative and damping the kernels of a method are derived, as a part of a name."""
    variant = variant_of(method, sequential=True)
    return f"{variant.model}_{variant.damping}".replace("a + b E", "line").replace(" ", "_")
