"""A desired tip velocity of the planar arm, and its versions by clipping, slowing and a quadratic program."""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib import differential_ik as dik
from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError

if TYPE_CHECKING:
    import qpsolvers

__all__ = [
    "tip_program",
]


ACTIVE = 1e-6
"""A constraint pushes if its multiplier exceeds this value, in m²/s² per rad/s or per m/s.

A smaller multiplier is a rounding error.
"""

ROWS = tuple(f"{end} {{}} limit of joint {i}" for end in ("upper", "lower") for i in (1, 2))
"""The row names for one kind of limit, in order."""


class TipVelocity(dik.Task):
    """Task that moves a frame in the x-y plane at a velocity: J Δq = u dt."""

    def __init__(self, frame: str, velocity: ArrayLike, dt: float) -> None:
        """Store the frame, u (shape (2,), in m/s) and the duration of the step, in s."""
        super().__init__(cost=1.0)
        self.frame, self.shift = frame, dt * np.asarray(velocity, dtype=np.float64)

    def compute_error(self, configuration: dik.Configuration) -> Array:
        """Return −u dt, shape (2,), m, since a task solves J Δq = −e."""
        return -self.shift

    def compute_jacobian(self, configuration: dik.Configuration) -> Array:
        """Return ∂(x, y)/∂q, shape (2, nv), m/rad."""
        return configuration.get_velocity_jacobian(self.frame)[:2]


@dataclass(frozen=True)
class TipProgram:
    """The quadratic program for one step of the planar arm, with joint rates as its unknowns."""

    configuration: dik.Configuration
    velocity: Array  # desired velocity of the tip, m/s, (2,)
    problem: "qpsolvers.Problem"  # the program in Δq, as `build_ik` returns it
    dt: float  # duration of the step, s; Δq = q̇ dt
    names: tuple[str, ...]  # of the rows of G

    @property
    def jacobian(self) -> Array:
        return self.configuration.get_velocity_jacobian("tip")[:2]

    @property
    def rows(self) -> tuple[Array, Array]:
        """G and h of G q̇ ≤ h, shapes (m, 2) and (m,): rad/s for a joint, m/s towards the wall."""
        G, h = (np.asarray(part, dtype=np.float64) for part in (self.problem.G, self.problem.h))
        return self._scales[:, None] * G * self.dt, self._scales * h

    @property
    def objective(self) -> tuple[Array, Array]:
        """H and c of ½ q̇ᵀHq̇ + cᵀq̇, equal to ½‖Jq̇ − u‖² up to a constant; shapes (2, 2) and (2,)."""
        return self.problem.P, self.problem.q / self.dt

    @property
    def _scales(self) -> Array:
        """Factor of each row of the problem: a joint's row is in Δq, the wall's in speed."""
        return np.array([1.0 if name == "wall" else 1.0 / self.dt for name in self.names])

    @property
    def free(self) -> Array:
        """The joint rates that achieve u without constraints, shape (2,), rad/s."""
        return np.asarray(np.linalg.solve(self.jacobian, self.velocity), dtype=np.float64)

    @property
    def clipped(self) -> Array:
        """The free rates, each clipped to the velocity limit of its joint, shape (2,), rad/s."""
        largest = self.configuration.model.velocity_limits
        return np.clip(self.free, -largest, largest)

    @property
    def slowed(self) -> Array:
        """The free rates times the largest feasible factor up to 1, shape (2,), rad/s."""
        G, h = self.rows
        along = G @ self.free
        factors = np.where(along > h, h / np.where(along > h, along, 1.0), 1.0)
        return self.free * max(0.0, float(factors.min()))

    def solve(self) -> tuple[Array, Array]:
        """Return the optimal feasible rates, (2,), rad/s, and the multiplier of each row, or raise NoSolutionFound."""
        import qpsolvers  # imported here: it takes half a second, which the other methods do not need

        solution = qpsolvers.solve_problem(self.problem, "daqp")
        if not solution.found or solution.x is None or solution.z is None:
            raise dik.NoSolutionFound(self.problem, solution)
        # in Δq the objective is scaled by dt², so the multipliers are too; scaling a row divides its multiplier
        return solution.x / self.dt, solution.z / (self.dt**2 * self._scales)

    def active(self, multipliers: Array) -> list[str]:
        """Return the names of the rows whose multiplier is not zero."""
        return [name for name, mu in zip(self.names, multipliers, strict=True) if mu > ACTIVE]


def tip_program(
    q: ArrayLike,
    velocity: ArrayLike,
    wall: float | None = None,
    gain: float = 2.0,
    dt: float = 0.01,
    acceleration: float | None = None,
    last: ArrayLike = (0.0, 0.0),
) -> TipProgram:
    """Return the program for one step of the arm `robots.urdf_file("planar_2r")`, whose links are 1 m long.

    Its rows are the joint limits and velocity limits, the acceleration limit if one is given, and a wall above the tip.

    Args:
        q: Configuration, shape (2,), rad.
        velocity: u, desired velocity of the tip, shape (2,), m/s.
        wall: Height y of the wall, m; None for no wall.
        gain: γ of the wall, 1/s.
        dt: Duration of the step, s.
        acceleration: Acceleration limit of either joint, rad/s²; None for no limit.
        last: Joint rates of the last step, shape (2,), rad/s.

    Raises:
        ParameterError: The velocity is not two finite numbers, or gain or dt is out of range.
        ConfigurationError: q has another shape or is not finite.
    """
    asked = np.array(velocity, dtype=np.float64)
    if asked.shape != (2,) or not np.isfinite(asked).all():
        raise ParameterError(f"velocity must be two finite numbers in m/s, got {velocity!r}")
    asked.setflags(write=False)
    at = dik.Configuration(_arm(), q)
    barriers = [] if wall is None else [dik.PositionBarrier("tip", [1], p_max=[wall], gain=gain)]
    limits: list[dik.Limit] = [dik.ConfigurationLimit(at.model), dik.VelocityLimit(at.model)]
    kinds = ["position", "velocity"]
    if acceleration is not None:
        slow = dik.AccelerationLimit(at.model, [acceleration] * 2)
        slow.set_last_integration(last, dt)
        limits.append(slow)
        kinds.append("acceleration")
    problem = dik.build_ik(at, [TipVelocity("tip", asked, dt)], dt, limits=limits, barriers=barriers)
    names = [row.format(kind) for kind in kinds for row in ROWS]
    return TipProgram(at, asked, problem, dt, (*names, *(["wall"] * len(barriers))))


@cache
def _arm() -> robots.Tree:
    """Return the planar arm, loaded once."""
    return robots.load_urdf(robots.urdf_file("planar_2r"))
