"""What a view in space is told of an arm, and both arms on which the iteration is shown."""

from typing import Any

from lessons_lib.codegen.scripts import derived_once
from lessons_lib.live.joints import body_data
from lessons_lib.live.link_shapes import skeleton_of
from lessons_lib.plots.arm import is_planar
from lessons_lib.pose_ik import Stop, TrustRegion
from lessons_lib.pose_ik.layout import STALL
from lessons_lib.robots import Chain
from lessons_lib.robots.derivations import planar_2r
from lessons_lib.studies import Problem, problem

TASKS: dict[str, Problem] = {
    "2R of Example 6.1": problem("example-6.1"),
    "UR10": problem("ur10"),
}
"""By the words of the menu: an arm, a start and a target."""

PLANAR, SPATIAL = TASKS

TAGS = {PLANAR: "planar", SPATIAL: "ur10"}
"""How the names of an arm's kernels end."""


FROM_ABOVE = {"eye": [0.32, -1.6, 7.9], "centre": [0.32, 0.4, 0.0], "floor": -0.08}
FROM_ASIDE = {"eye": [1.0, -4.2, 2.1], "centre": [-0.22, 0.0, 0.32], "floor": 0.0}
"""From where one looks at what, and where the floor lies, m: an arm in the plane is looked at from above."""


def arm_data(name: str, chain: Chain, **changes: Any) -> dict[str, Any]:
    """Return body, kernels, floor and camera of an arm; `changes` are another "eye" or "centre", m."""
    body = skeleton_of(chain)
    place = FROM_ABOVE if is_planar(chain) else FROM_ASIDE
    return {**body_data(chain, body), **place, **changes, "name": name, "tag": TAGS[name]}


@derived_once
def script() -> str:
    """Return the iteration of both arms, with the closed form of the 2R, which derives for some seconds."""
    from lessons_lib.live.iteration import source

    return source({TAGS[name]: task.chain for name, task in TASKS.items()}, planar_2r())


def stop_data(stop: Stop) -> dict[str, Any]:
    """Return what the loop in the page is told: when to stop, when a step is none, when a trust region takes one."""
    return {
        "orientation": stop.orientation,
        "position": stop.position,
        "steps": stop.max_iterations,
        "stall": STALL,
        "accept": TrustRegion().accept,
    }
