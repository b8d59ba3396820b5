"""Bodies over lanes: to the last bit what Python computes, by vector instructions, however many there are."""

import numpy as np
import pytest

from lessons_lib import collisions, robots
from lessons_lib.codegen.translate import Unit
from lessons_lib.collisions.module import module
from lessons_lib.collisions.segments import apart, between

OVER_LANES = ("carry", "pair_distance", "pair_row", "lever")


def drawn(rng, kind):
    """Return two capsules as rows: in general, parallel, a sphere, crossing, one and the same, or of no size at all."""
    rows = np.column_stack([rng.normal(size=(2, 6)), rng.uniform(0, 0.3, 2)])
    if kind == "parallel":
        rows[1, 3:6] = rng.uniform(-2, 2) * rows[0, 3:6]
    if kind in ("a sphere", "points"):
        rows[1, 3:6] = 0.0
    if kind == "crossing":
        rows[1, :3] = rows[0, :3] + 0.5 * rows[0, 3:6] - 0.25 * rows[1, 3:6]
    if kind in ("the same", "points"):
        rows[1, :3], rows[0, 3:6] = rows[0, :3], rows[1, 3:6]
    return rows


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 50])
@pytest.mark.parametrize("kind", ["general", "parallel", "a sphere", "crossing", "the same", "points"])
def test_each_lane_holds_the_bits_that_python_computes(kind, count):
    rng, found = np.random.default_rng(1), np.empty((count, 10))
    pairs = np.array([drawn(rng, kind) for _ in range(count)]).reshape(-1, 2, 7)
    places = 2 * np.arange(count)
    module().pair_distances(pairs.reshape(-1, 7), places, places + 1, found)
    for row, pair in zip(found, pairs.tolist(), strict=True):
        first, second = ((tuple(one[:3]), tuple(one[3:6]), one[6]) for one in pair)
        distance, p, q, n = between(*first, *second)
        assert row.tolist() == [distance, *p, *q, *n] and apart(*first, *second) == distance


@pytest.mark.parametrize("rows", [0, 1, 7, 8, 9, 20])
def test_many_configurations_are_as_many_single_ones(rows):
    arm, rng = robots.panda(), np.random.default_rng(2)
    balls = [collisions.sphere(rng.uniform(-0.6, 0.6, 3), 0.1) for _ in range(4)]
    scene = collisions.Scene(arm, collisions.fitted_links(arm, 0.05), balls)
    Q = rng.uniform(-3, 3, (rows, 7))
    distance, motion = scene.at_many(Q)
    gradients, change = scene.gradients(Q), rng.uniform(0, 1, 7)
    assert distance.shape == (rows, len(scene.pairs)) and motion.size == 0
    assert scene.clearance(Q).shape == scene.is_free(Q).shape == (rows,)
    far = scene.at_many(Q, change)
    assert np.array_equal(far[0], distance) and far[1].shape == distance.shape
    for row, q in enumerate(Q):
        assert np.array_equal(distance[row], scene.distances(q).distance)
        assert np.array_equal(gradients[row], scene.gradients(q))
        assert np.array_equal(far[1][row], scene.at_many(q[None], change)[1][0])


@pytest.mark.parametrize("name", OVER_LANES)
def test_all_lanes_are_computed_at_once(name):
    unit = Unit()
    unit.function(getattr(module(), name), ("f2x8",))
    text = unit.text()
    assert "<8 x double>" in text and "br " not in text and "contract" not in text
