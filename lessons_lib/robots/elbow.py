"""The arm angle (swivel angle) of a 7R arm: how far its elbow has swung, with the formula of `symbolic.arm_angle`."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Recipe
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.robots import derivations
from lessons_lib.robots.arguments import check_chain
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.stick_figure import prefixes

RECIPE = Recipe("arm_angle", (Derived(derivations.arm_angle, "numpy"),))

UP = np.array([0.0, 0.0, 1.0])
"""The z-axis of {s}: ψ is zero where the elbow stands above the line from shoulder to wrist."""

CARRIERS = (1, 3, 5)
"""How many joints move shoulder, elbow and wrist: those before the axis on which each lies."""

FLAT = 1e-9
"""Sine and cosine below this, over the lengths that multiply them, leave no angle: elbow or `UP` lies on the line."""


def arm_angle(chain: Chain, q: ArrayLike) -> float:
    """Return ψ in (−π, π], by which the elbow has turned about the line from shoulder to wrist, rad.

    It is zero where the elbow stands above the line, and grows right-handed about the line towards the wrist.

    Args:
        chain: As in `elbow_points`.
        q: Configuration, shape (7,), rad.

    Raises:
        ParameterError: Another kind of chain.
        ConfigurationError: q has another shape or holds a value that is not finite, or there is no such angle: elbow,
            shoulder and wrist lie on one line, or the wrist is straight above or below the shoulder.
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


def elbow_points(chain: Chain, q: ArrayLike) -> Array:
    """Return shoulder, elbow and wrist in {s}, shape (3, 3), a row each, m.

    Args:
        chain: As in `home_points`.
        q: Configuration, shape (7,), rad.

    Raises:
        ParameterError: Another kind of chain.
        ConfigurationError: q has another shape or holds a value that is not finite.
    """
    at_home, moved = home_points(chain), prefixes(chain, chain.check_configuration(q))
    return np.array([T[:3, :3] @ point + T[:3, 3] for T, point in zip(moved[[*CARRIERS]], at_home, strict=True)])


def home_points(chain: Chain) -> Array:
    """Return shoulder, elbow and wrist at q = 0 in {s}, shape (3, 3), a row each, m; `CARRIERS` move them.

    The shoulder is the point of axis 2 that is nearest to axis 1, the elbow that of axis 4 nearest to axis 3, the wrist
    that of axis 6 nearest to axis 5: where the axes meet, if they do.

    Args:
        chain: Seven revolute joints; the axes of 1 and 2, 3 and 4, 5 and 6 are not parallel.

    Raises:
        ParameterError: Another kind of chain.
    """
    check_chain(chain)
    if chain.dof != 7 or set(chain.joint_types) != {"revolute"} or chain.coupling is not None:
        raise ParameterError(f"{chain!r} has no arm angle; seven revolute joints have one")
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
    """Return the generated module with pair_kernel(elbow, wrist, up)."""
    return modules.load(RECIPE)
