"""Data of an arm for a view in space, and the two arms of the iteration figures."""

from typing import Any

from lessons_lib.course.live.joints import body_data
from lessons_lib.plots.arm import is_planar
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.robots import Chain
from lessons_lib.robots.derivations import planar_2r
from lessons_lib.studies import Problem, problem

TASKS: dict[str, Problem] = {
    "2R of Example 6.1": problem("example-6.1"),
    "UR10": problem("ur10"),
}
"""For each label in the menu, an arm, a start and a target."""

PLANAR, SPATIAL = TASKS

TAGS = {PLANAR: "planar", SPATIAL: "ur10"}
"""The suffixes of the arms' kernel names."""


FROM_ABOVE = {"eye": [0.32, -1.6, 7.9], "centre": [0.32, 0.4, 0.0], "floor": -0.08}
FROM_ASIDE = {"eye": [1.0, -4.2, 2.1], "centre": [-0.22, 0.0, 0.32], "floor": 0.0}
"""The camera's position, the point it looks at, and the height of the floor, in m; a planar arm is seen from above."""


def arm_data(chain: Chain, tag: str, **changes: Any) -> dict[str, Any]:
    """Return body, floor and camera of an arm, and the suffix of its kernel names; `changes` override entries."""
    return {**body_data(chain), **(FROM_ABOVE if is_planar(chain) else FROM_ASIDE), "tag": tag, **changes}


def script(*methods: StepMethod) -> str:
    """Return the search for both arms with methods of these kinds, and the closed form of the 2R."""
    from lessons_lib.course.live.search import source

    return source({TAGS[name]: task.chain for name, task in TASKS.items()}, methods, planar_2r())
