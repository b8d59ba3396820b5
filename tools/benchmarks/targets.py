"""Draw targets of seven kinds, because solvers differ less at random poses than at singular poses and limits.

The kinematics is that of `poses.py`, and NumPy and SciPy do the rest: no solver of the library is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import least_squares, minimize

from lessons_lib.arrays import Array
from lessons_lib.robots import Chain
from tools.benchmarks.models import placements
from tools.benchmarks.poses import forward_kinematics

NEAR, SINGULAR, EDGE = 0.05, 1e-7, 1e-3
"""Distance of a near start, rad; largest singular value that counts as zero; distance from the farthest pose, rad."""

BEYOND = 1.05
"""Distance of an outside target, in sums of the distances from joint to joint, which bound the reach."""

Samples = tuple[Array, Array]
"""A target, shape (4, 4), and a start, shape (n,)."""


def draw_targets(chain: Chain, kind: str, count: int, seed: int) -> tuple[Array, Array]:
    """Return targets of one kind, shape (k, 4, 4), and a start for each, shape (k, n)."""
    rng = np.random.default_rng([seed, list(KINDS).index(kind)])
    place = forward_kinematics(chain)
    pairs = [KINDS[kind](chain, place, rng) for _ in range(count)]
    return np.array([target for target, _ in pairs]), np.array([start for _, start in pairs])


Place = Callable[[Array], Array]


def _random(chain: Chain, place: Place, rng: np.random.Generator) -> Samples:
    return place(chain.random_configuration(rng)), chain.random_configuration(rng)


def _near(chain: Chain, place: Place, rng: np.random.Generator) -> Samples:
    q, way = chain.random_configuration(rng), rng.normal(size=chain.dof)
    start = np.clip(q + NEAR * way / np.linalg.norm(way), *chain.limits.T)
    return place(q), start


def _singular(chain: Chain, place: Place, rng: np.random.Generator) -> Samples:
    steps, _ = placements(chain)
    lower, upper = np.column_stack([chain.limits.T, np.tile([[-2.0], [2.0]], 6)])
    while True:  # a configuration and a force at the tip, of size 1, that no joint feels
        begun = np.concatenate([chain.random_configuration(rng), rng.normal(size=6) / 3.0])

        def residuals(x: Array) -> Array:
            q, force = np.split(x, [chain.dof])
            return np.append(axes(steps, q).T @ force, force @ force - 1.0)

        fit = least_squares(
            residuals, np.clip(begun, lower + 1e-6, upper - 1e-6), bounds=(lower, upper), xtol=1e-15, max_nfev=30
        )
        q = fit.x[: chain.dof]
        if np.linalg.svd(axes(steps, q), compute_uv=False)[-1] < SINGULAR:
            return place(q), chain.random_configuration(rng)


def _at_limits(chain: Chain, place: Place, rng: np.random.Generator) -> Samples:
    q = chain.random_configuration(rng)
    at = rng.choice(chain.dof, size=int(rng.integers(1, 3)), replace=False)
    q[at] = chain.limits[at, rng.integers(0, 2, size=len(at))]
    return place(q), chain.random_configuration(rng)


def _edge(chain: Chain, place: Place, rng: np.random.Generator) -> Samples:
    direction = rng.normal(size=3)
    fit = minimize(
        lambda q: -direction @ place(q)[:3, 3],
        chain.random_configuration(rng),
        bounds=chain.limits.tolist(),
        method="L-BFGS-B",
    )
    q = np.clip(fit.x + EDGE * rng.uniform(-1.0, 1.0, chain.dof), *chain.limits.T)
    return place(q), chain.random_configuration(rng)


def _half_turn(chain: Chain, place: Place, rng: np.random.Generator) -> Samples:
    q = chain.random_configuration(rng)
    start = q.copy()
    lower, upper = chain.limits[-1]
    start[-1] += np.pi if q[-1] + np.pi <= upper else -np.pi
    if start[-1] < lower:
        return _half_turn(chain, place, rng)
    return place(q), start


def _outside(chain: Chain, place: Place, rng: np.random.Generator) -> Samples:
    steps, tip = placements(chain)
    most = sum(float(np.linalg.norm(step[:3, 3])) for step in (*steps, tip))
    direction = rng.normal(size=3)
    target = place(chain.random_configuration(rng))
    target[:3, 3] = BEYOND * most * direction / np.linalg.norm(direction)
    return target, chain.random_configuration(rng)


KINDS: dict[str, Callable[[Chain, Place, np.random.Generator], Samples]] = {
    "random": _random,
    "near": _near,
    "singular": _singular,
    "at limits": _at_limits,
    "edge of reach": _edge,
    "half a turn": _half_turn,
    "outside": _outside,
}


def axes(steps: Sequence[Array], q: Array) -> Array:
    """Return the axes of the joints at q as (direction, moment), shape (6, n)."""
    T, columns = np.eye(4), []
    for step, angle in zip(steps, q, strict=True):
        T = T @ step
        columns.append([*T[:3, 2], *np.cross(T[:3, 3], T[:3, 2])])
        c, s = np.cos(angle), np.sin(angle)
        T = T @ np.array([[c, -s, 0.0, 0.0], [s, c, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    return np.array(columns).T
