"""Arm angle (swivel angle) of a 7R arm, by the formula of `symbolic.redundancy`."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import Derived, Recipe
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.robots import derivations
from lessons_lib.robots.arguments import check_chain
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.stick_figure import prefixes

RECIPE = Recipe("arm_angle", (Derived(derivations.arm_angle, "numpy"),))

UP = np.array([0.0, 0.0, 1.0])
"""z-axis of {s}: ψ is zero if the elbow is above the line from shoulder to wrist."""

CARRIERS = (1, 3, 5)
"""Number of joints that move shoulder, elbow and wrist: those before the axis of each."""

FLAT = 1e-9
"""Below this, relative to their lengths, sine and cosine define no angle: elbow or `UP` is on the line."""


@suggest_arguments
def arm_angle(chain: Chain, q: ArrayLike) -> float:
    """Return the angle ψ in (−π, π] of the elbow about the line from shoulder to wrist, rad.

    It is zero if the elbow is above the line, and grows right-handed about the line towards the wrist.

    >>> from lessons_lib import robots
    >>> round(robots.arm_angle(robots.panda(), [0.2, -0.3, 0.1, -2.2, 0, 2.0, 0.8]), 6)
    -0.036773

    Args:
        chain: As in `elbow_points`.
        q: Configuration, shape (7,), rad.

    Raises:
        ParameterError: The chain does not have seven revolute joints, or two of these axes are parallel.
        ConfigurationError: q has another shape or holds a value that is not finite, or the angle is undefined: elbow,
            shoulder and wrist are collinear, or the wrist is straight above or below the shoulder.
    """
    shoulder, elbow, wrist = elbow_points(chain, q)
    to_elbow, to_wrist = elbow - shoulder, wrist - shoulder
    pair = _kernels().pair_kernel(to_elbow, to_wrist, UP)
    if np.hypot(*pair) <= FLAT * np.linalg.norm(to_elbow) * np.linalg.norm(to_wrist) ** 2:
        at = np.round(chain.check_configuration(q), 6).tolist()
        raise ConfigurationError(
            f"{chain.name} has no arm angle at q = {at}: the line from shoulder to wrist passes through the elbow, or "
            "points straight up or down"
        )
    return float(np.arctan2(*pair))


@suggest_arguments
def elbow_points(chain: Chain, q: ArrayLike) -> Array:
    """Return shoulder, elbow and wrist in {s} as rows, shape (3, 3), m.

    The shoulder is the point of axis 2 nearest to axis 1, the elbow that of axis 4 nearest to axis 3, the wrist that of
    axis 6 nearest to axis 5: the intersections of the axes, if they intersect.

    >>> from lessons_lib import robots
    >>> robots.elbow_points(robots.panda(), [0, -0.3, 0, -2.2, 0, 2.0, 0.8]).round(3).tolist()[0]
    [0.0, 0.0, 0.333]

    Args:
        chain: Seven revolute joints; the axes of 1 and 2, 3 and 4, 5 and 6 are not parallel.
        q: Configuration, shape (7,), rad.

    Raises:
        ParameterError: The chain does not have seven revolute joints, or two of these axes are parallel.
        ConfigurationError: q has another shape or holds a value that is not finite.
    """
    at_home, moved = home_points(chain), prefixes(chain, chain.check_configuration(q))
    return np.array([T[:3, :3] @ point + T[:3, 3] for T, point in zip(moved[[*CARRIERS]], at_home, strict=True)])


def home_points(chain: Chain) -> Array:
    """Return the points of `elbow_points` at q = 0, shape (3, 3), m; raise ParameterError for an unsuitable chain."""
    check_chain(chain)
    if chain.dof != 7 or set(chain.joint_types) != {"revolute"} or chain.coupling is not None:
        raise ParameterError(f"the arm angle needs seven revolute joints, got {chain!r}")
    return np.array([_nearest_point(chain, i) for i in CARRIERS])


def _nearest_point(chain: Chain, i: int) -> Array:
    """Return the point of axis i that is nearest to axis i − 1, at q = 0."""
    (a, p), (b, r) = ((screw[:3], np.cross(screw[:3], screw[3:])) for screw in chain.screws[:, [i - 1, i]].T)
    cosine = float(a @ b)
    squared_sine = 1.0 - cosine**2
    if squared_sine < FLAT:
        raise ParameterError(f"{chain.name} has no arm angle: the axes of joints {i} and {i + 1} are parallel")
    along = (cosine * float(a @ (r - p)) - float(b @ (r - p))) / squared_sine
    point: Array = r + along * b
    return point


@lru_cache(maxsize=1)
def _kernels() -> ModuleType:
    return linker.load(RECIPE)
