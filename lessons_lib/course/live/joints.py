"""Controls for the joints of a chain, and the data of its body for a view."""

from collections.abc import Mapping, Sequence
from math import ceil, degrees, floor
from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.course.live.control import Control
from lessons_lib.course.live.link_shapes import shape_of, skeleton_of
from lessons_lib.robots import Chain
from lessons_lib.robots.stick_figure import Skeleton

LEAST_LEVER = 0.05
"""The minimum distance of a handle from a joint's axis and from other handles, as a fraction of the body's length."""

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def joint_controls(chain: Chain, q: Array) -> tuple[Control, ...]:
    """Return q1 … qn: degrees in steps of 1° for a revolute joint, m in steps of 1 cm for a prismatic one."""
    # q, the initial configuration in rad or m, is rounded to the grid
    controls = []
    for i, kind in enumerate(chain.joint_types):
        unit, step, scale = ("m", 0.01, 1.0) if kind == "prismatic" else ("°", 1.0, degrees(1.0))
        low, high = chain.sampling_limits[i] * scale
        ends = ceil(low / step - 1e-6), floor(high / step + 1e-6)
        place = min(max(round(q[i] * scale / step), ends[0]), ends[1])
        name = f"q{i + 1}"
        at = [round(k * step, 12) for k in (*ends, place)]
        words = f"joint {i + 1}" if chain.joint_names[i] in (name, f"joint {i + 1}") else chain.joint_names[i]
        controls.append(Control(name, words, name.translate(SUBSCRIPTS), unit, at[0], at[1], step, at[2]))
    return tuple(controls)


def angle_controls(
    letter: str, words: str, starts: Sequence[float], first: int = 1, only: tuple[str, ...] | None = None
) -> tuple[Control, ...]:
    """Return a control over a whole revolution in steps of 1° for each start [°]; names and labels are numbered."""
    return tuple(
        Control(f"{letter}{i}", f"{words} {i}", f"{letter}{i}".translate(SUBSCRIPTS), "°", -180, 180, 1, at, only)
        for i, at in enumerate(starts, first)
    )


def configuration(chain: Chain, values: Mapping[str, Any]) -> Array:
    """Return the q set by the joints' controls, shape (n,), rad or m."""
    joint_values = np.array([values[f"q{i + 1}"] for i in range(chain.dof)], dtype=np.float64)
    turning = np.array([kind != "prismatic" for kind in chain.joint_types])
    return np.where(turning, np.radians(joint_values), joint_values)


def body_data(chain: Chain, like: Chain | None = None) -> dict[str, Any]:
    """Return the data to draw the `skeleton_of` a chain: its joints, their kinds, their handles."""
    body = skeleton_of(chain, like)
    return {
        "name": chain.name,
        "joints": body.joints.tolist(),
        "carriers": body.carriers.tolist(),
        "kinds": list(chain.joint_types),
        "reach": body.reach,
        "grips": _grips(chain, body),
        "shape": shape_of(chain),
    }


def _grips(chain: Chain, body: Skeleton) -> list[int | None]:
    """Return for each joint a corner of the body to drag it by: the next one that it moves, each used once."""
    used: list[int | None] = []
    for i in range(chain.dof):
        screw, joint_values = chain.screws[:, i], [body.corners[k] for k in used if k is not None]
        moved = [k for k in range(len(body.corners)) if body.carriers[k] > i]
        free = [
            k
            for k in moved
            if all(np.linalg.norm(body.corners[k] - c) > LEAST_LEVER * body.reach for c in joint_values)
        ]
        speeds = {k: float(np.linalg.norm(screw[3:] + np.cross(screw[:3], body.corners[k]))) for k in free}
        used.append(next((k for k in free if speeds[k] > LEAST_LEVER * body.reach), None))
    return used
