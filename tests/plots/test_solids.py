"""The solids of the viewer are closed, face outward, and have the given size."""

import numpy as np
import pytest

from lessons_lib.plots.solids import capsule, drum


def volume(quads: np.ndarray) -> float:
    """By the divergence theorem, each quadrilateral cut in two; negative if faces point inward."""
    halves = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return float(np.einsum("mi,mi->", halves[:, 0], np.cross(halves[:, 1], halves[:, 2])) / 6)


def test_a_capsule_has_the_volume_of_a_rod_with_round_ends() -> None:
    rod = capsule((0, 0, 0), (0.1, 0.2, -0.3), (0.02, 0.02), around=60, cap=20)
    exact = np.pi * 0.02**2 * np.sqrt(0.14) + 4 / 3 * np.pi * 0.02**3
    assert volume(rod) == pytest.approx(exact, rel=0.01)  # 60 flat faces around lose a fifth of a per cent
    ball = capsule((1, 2, 3), (1, 2, 3), (0.5, 0.5), around=80, cap=30)
    assert volume(ball) == pytest.approx(4 / 3 * np.pi * 0.5**3, rel=0.01)


def test_a_drum_lies_between_the_cylinders_of_its_bevel() -> None:
    inner, outer = (np.pi * radius**2 * 0.06 for radius in (0.82 * 0.04, 0.04))
    assert inner < volume(drum((0, 1, 0), (0, 2, 0), 0.04, 0.06, around=60)) < outer
