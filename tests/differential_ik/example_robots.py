"""Robots of example-robot-data and the two arms of lesson 17, at random configurations within their limits."""

import warnings
from functools import cache
from importlib.metadata import files
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from lessons_lib import differential_ik as dik
from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.errors import UrdfError
from lessons_lib.robots import Tree

RANDOM = {"which": st.integers(0, 999), "seed": st.integers(0, 2**32 - 1)}
"""Arguments of a test: the index of a robot, and a seed."""

WIDE = 100.0
"""Largest absolute value of a random coordinate, rad or m."""


@cache
def paths() -> tuple[Path, ...]:
    """Return the URDF files; the arms of lesson 17 come last."""
    found = sorted(Path(str(f.locate())) for f in files("example-robot-data") or () if f.suffix == ".urdf")
    return (*found, Path(str(robots.urdf_file("two_arms"))))


@cache
def tree(path: Path, floating: bool) -> Tree | None:
    """Return a robot, or None if its file is invalid or it has no moving joint."""
    try:
        with warnings.catch_warnings(action="ignore"):  # some files omit joint limits
            found = robots.load_urdf(path, floating_base=floating)
    except UrdfError:
        return None
    return found if found.nv else None


def configuration(which: int, rng: np.random.Generator) -> dik.Configuration | None:
    """Return a robot within its limits, one in four with a floating base and one in ten at a limit, or None."""
    found = tree(paths()[which % len(paths())], bool(rng.random() < 0.25))
    if found is None:
        return None
    q = draw(found, rng)
    coordinates = found.q_of_v[found.q_of_v >= 0]
    limited = coordinates[found.lower[coordinates] < found.upper[coordinates]]
    if limited.size and rng.random() < 0.1:
        k = rng.choice(limited)
        q[k] = np.clip(found.upper[k], -WIDE, WIDE)
    return dik.Configuration(found, q)


def draw(found: Tree, rng: np.random.Generator) -> Array:
    """Return a random configuration, clipped because some files give limits of 1e16."""
    return np.clip(found.random_configuration(rng), -WIDE, WIDE)
