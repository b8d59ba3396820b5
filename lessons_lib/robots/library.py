"""The robots of the course."""

from collections.abc import Callable

import numpy as np

from lessons_lib.arrays import Array, is_real
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.robots.chain import Chain
from lessons_lib.robots.denavit_hartenberg import from_dh
from lessons_lib.robots.screws import from_screws

UR10_DH = (
    (0.0, np.pi / 2, 0.1273),
    (-0.612, 0.0, 0.0),
    (-0.5723, 0.0, 0.0),
    (0.0, np.pi / 2, 0.163941),
    (0.0, -np.pi / 2, 0.1157),
    (0.0, 0.0, 0.0922),
)
"""The UR10's table, rows (a, α, d), m and rad, standard convention. Source: the manufacturer."""

PANDA_DH = (
    (0.0, 0.0, 0.333),
    (0.0, -np.pi / 2, 0.0),
    (0.0, np.pi / 2, 0.316),
    (0.0825, np.pi / 2, 0.0),
    (-0.0825, -np.pi / 2, 0.384),
    (0.0, np.pi / 2, 0.0),
    (0.088, np.pi / 2, 0.0),
)
"""The Panda's table, rows (a, α, d), m and rad, modified (Craig) convention. Source: the manufacturer."""

PANDA_FLANGE = 0.107
"""Distance from the Panda's last joint to its flange, along z, m. Source: the manufacturer."""


@suggest_arguments
def planar_2r(length_1: float = 1.0, length_2: float = 1.0) -> Chain:
    """Return the planar arm with two revolute joints, in the x-y plane of {s}.

    >>> from lessons_lib import robots
    >>> robots.planar_2r(0.5, 0.3).forward_kinematics([0, 0])[:3, 3].tolist()
    [0.8, 0.0, 0.0]

    Args:
        length_1: Length of the first link, m.
        length_2: Length of the second link, m.

    Raises:
        ParameterError: A length is not positive and finite.

    Source: Lynch & Park (2017), Example 6.1 (both lengths 1).
    """
    return _planar(length_1, length_2)


@suggest_arguments
def planar_3r(length_1: float = 1.0, length_2: float = 1.0, length_3: float = 1.0) -> Chain:
    """Return the planar arm with three revolute joints, in the x-y plane of {s}, redundant for a point of the plane.

    >>> from lessons_lib import robots
    >>> robots.planar_3r().dof
    3

    Args:
        length_1: Length of the first link, m.
        length_2: Length of the second link, m.
        length_3: Length of the third link, m.

    Raises:
        ParameterError: A length is not positive and finite.
    """
    return _planar(length_1, length_2, length_3)


def _planar(*lengths: float) -> Chain:
    *elbows, tip = np.cumsum(link_lengths(*lengths))
    home = np.eye(4)
    home[0, 3] = tip
    screws = np.array([[0, 0, 1, 0, -x, 0] for x in (0.0, *elbows)]).T
    limits, name = [(-np.pi, np.pi)] * len(lengths), f"planar {len(lengths)}R"
    return from_screws(screws, home, limits=limits, name=name, length_unit="m")


def link_lengths(*lengths: float) -> Array:
    """Return the link lengths of a planar arm, shape (n,), m; raise ParameterError unless positive and finite."""
    for i, length in enumerate(lengths, 1):
        if not is_real(length) or not 0.0 < length < np.inf:
            raise ParameterError(
                f"length_{i} of the planar {len(lengths)}R must be positive and finite, in m, got {length!r}"
            )
    return np.array(lengths, dtype=np.float64)


def ur10() -> Chain:
    """Return Universal Robots' UR10, {s} at its base and {b} at its flange (`tool0`), limits ±2π.

    >>> from lessons_lib import robots
    >>> robots.ur10().forward_kinematics([0] * 6)[:3, 3].round(4).tolist()
    [-1.1843, -0.2561, 0.0116]

    Source: the manufacturer's DH table (standard convention), a₂ = −0.612 m, and its speeds; accelerations are not
    published.
    """
    names = ("shoulder pan", "shoulder lift", "elbow", "wrist 1", "wrist 2", "wrist 3")
    limits = [(-2 * np.pi, 2 * np.pi)] * 6
    chain = from_dh(UR10_DH, limits=limits, name="UR10", joint_names=names, length_unit="m")
    return chain.with_limits(velocity=np.radians([120, 120, 180, 180, 180, 180]))


def panda() -> Chain:
    """Return Franka Emika's Panda, {s} at its base (`panda_link0`) and {b} at its flange (`panda_link8`).

    >>> from lessons_lib import robots
    >>> robots.panda().limits[3].tolist()
    [-3.0718, -0.0698]

    Source: the manufacturer's DH table (modified convention of Craig), flange 0.107 m beyond joint 7, and joint limits.
    """
    flange = np.eye(4)
    flange[2, 3] = PANDA_FLANGE
    limits = [
        (-2.8973, 2.8973),
        (-1.7628, 1.7628),
        (-2.8973, 2.8973),
        (-3.0718, -0.0698),
        (-2.8973, 2.8973),
        (-0.0175, 3.7525),
        (-2.8973, 2.8973),
    ]
    chain = from_dh(PANDA_DH, "modified", tool=flange, limits=limits, name="Panda", length_unit="m")
    speeds, accelerations = (2.175, 2.175, 2.175, 2.175, 2.61, 2.61, 2.61), (15.0, 7.5, 10.0, 12.5, 15.0, 20.0, 20.0)
    return chain.with_limits(velocity=speeds, acceleration=accelerations)


ROBOTS: dict[str, Callable[[], Chain]] = {"planar_2r": planar_2r, "ur10": ur10, "panda": panda}
"""Arms by their name on the command line and in blocks."""
