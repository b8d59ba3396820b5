"""How far two capsules are from each other: beside coal, 50 digits, and where nothing is in general place."""

from types import SimpleNamespace

import mpmath
import numpy as np
import pytest

from lessons_lib.all_solutions.interval import rebind_math
from lessons_lib.collisions import Capsule, segments
from lessons_lib.collisions.module import module
from lessons_lib.robots import vec3


def compute_contacts(rows):
    """Return distance, points and direction of pairs of capsules (a, b, radius), shape (k, 2, 7), by the machine."""
    rows = np.array(rows, dtype=float)
    k = len(rows)
    bodies = rows.reshape(-1, 7).copy()
    bodies[:, 3:6] -= bodies[:, :3]
    found = np.empty((k, 10))
    module().pair_distances(bodies, np.arange(0, 2 * k, 2), np.arange(1, 2 * k, 2), found)
    return found


def draw_capsules(rng, kind):
    """Return two capsules: in general, parallel, of no length, touching, crossing, or on one line."""
    a, b, c, d = rng.normal(size=(4, 3))
    r = rng.uniform(0.02, 0.4, 2)
    u = b - a
    if kind in ("parallel", "beside"):
        d = c + u * rng.uniform(-2, 2)
    if kind == "nearly parallel":
        d = c + u + 10.0 ** rng.uniform(-17, -6) * rng.normal(size=3)
    if kind == "on one line":
        c, d = a + u * rng.uniform(-3, 3), a + u * rng.uniform(-3, 3)
    if kind == "a sphere":
        d = c
    if kind == "two spheres":
        b, d = a, c
    if kind == "crossing":
        middle = a + 0.4 * u
        c, d = middle - d, middle + 2 * d
    if kind == "touching":
        n = np.cross(u, rng.normal(size=3))
        n /= np.linalg.norm(n)
        v = np.cross(n, rng.normal(size=3))
        c, d = (a + b) / 2 + (r.sum() * n) - v, (a + b) / 2 + (r.sum() * n) + v
    return [[*a, *b, r[0]], [*c, *d, r[1]]]


KINDS = "general,parallel,beside,nearly parallel,on one line,a sphere,two spheres,crossing,touching".split(",")


@pytest.mark.parametrize("kind", KINDS)
def test_distances_are_coals(kind, coal_distance):
    rng = np.random.default_rng(1)
    rows = np.array([draw_capsules(rng, kind) for _ in range(200)])
    found = compute_contacts(rows)[:, 0]
    expected = np.array([coal_distance(*(Capsule(one[:3], one[3:6], one[6]) for one in row)) for row in rows])
    assert np.abs(found - expected).max() < 1e-7  # coal divides by a determinant: 1e-8 of a length is lost
    assert kind != "touching" or np.abs(found).max() < 1e-14
    assert kind != "crossing" or np.abs(found + rows[:, :, 6].sum(axis=1)).max() < 1e-14


@pytest.mark.parametrize("kind", KINDS)
def test_points_are_on_the_capsules_and_as_far_apart_as_the_distance(kind):
    rng = np.random.default_rng(2)
    rows = np.array([draw_capsules(rng, kind) for _ in range(40)])
    for row, found in zip(rows, compute_contacts(rows), strict=True):
        (a, b), (c, d) = row[0, :6].reshape(2, 3), row[1, :6].reshape(2, 3)
        p, q, n = found[1:4], found[4:7], found[7:]
        assert abs(np.linalg.norm(n) - 1.0) < 1e-14
        assert np.abs(q - p - found[0] * n).max() < 1e-12  # as deep as it is far
        for point, (first, last), radius, side in ((p, (a, b), row[0, 6], 1), (q, (c, d), row[1, 6], -1)):
            centre, u = point - side * radius * n, last - first
            place = np.clip((centre - first) @ u / (u @ u), 0, 1) if u.any() else 0.0
            assert np.abs(first + place * u - centre).max() < 1e-12


def test_nearly_parallel_segments_keep_all_digits():
    """A determinant of |u|²|v|² − (u·v)² would lose all of them where the sine is 1e-8."""
    rng, exact = np.random.default_rng(3), SimpleNamespace(sqrt=mpmath.sqrt)
    run = rebind_math(exact, segments.capsule_contact, segments, vec3)
    worst = 0.0
    for _ in range(100):
        row = np.array(draw_capsules(rng, "nearly parallel"))
        row[1, :6] += np.tile(row[0, :3] + 0.5 * (row[0, 3:6] - row[0, :3]) - row[1, :3], 2)  # through the middle
        with mpmath.workdps(50):
            ends = [[tuple(map(mpmath.mpf, one[:3])), tuple(map(mpmath.mpf, one[3:6])), mpmath.mpf(0)] for one in row]
            given = [part for a, b, r in ends for part in (a, segments.minus(b, a), r)]
            distance = float(run(*given)[0])
        row[:, 6] = 0.0
        worst = max(worst, abs(compute_contacts([row])[0, 0] - distance))
    assert worst < 1e-15
