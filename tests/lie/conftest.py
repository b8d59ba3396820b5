"""Fixture of random twists, some with zero components of the axis."""

import numpy as np
import pytest


def unit_axes(count, rng):
    """Return unit vectors, shape (count, 3), with three, two or one nonzero components."""
    kept = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    axes = rng.normal(size=(count, 3)) * kept[np.arange(count) % len(kept)]
    return axes / np.linalg.norm(axes, axis=1, keepdims=True)


@pytest.fixture
def twists():
    """A function (angle, count) -> twists (ω, v) of that angle, shape (count, 6), ‖v‖ about 1 m."""

    def draw(angle, count):
        rng = np.random.default_rng(2)
        return np.hstack([unit_axes(count, rng) * angle, rng.normal(size=(count, 3)) / np.sqrt(3)])

    return draw
