"""Each term of a certificate's bounds is tight: inputs are scaled so that one term dominates.

The residual runs on python-flint's balls of 53 bits, which bound the rounding of each operation, and its own radius is
compared with theirs: it may be neither much smaller nor much larger.
"""

import math
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from lessons_lib.certificates import kantorovich, residual
from lessons_lib.certificates.module import module
from lessons_lib.certificates.residual import AXIS, JOINT_RADIUS, PITCH, PRISMATIC, ROW, STEP
from lessons_lib.lie import exp_so3

flint = pytest.importorskip("flint")

AXES = (np.array([2.0, 3.0, 6.0]) / 7, np.array([6.0, 2.0, -3.0]) / 7, np.array([3.0, -6.0, 2.0]) / 7)


def joint(step=(0.0, 0.0, 0.0), *, axis=0, prismatic=0.0, pitch=0.0, radius=0.0):
    """Return the row of a joint."""
    row = np.zeros(ROW)
    row[PRISMATIC], row[PITCH], row[JOINT_RADIUS] = prismatic, pitch, radius
    row[AXIS : AXIS + 3], row[STEP : STEP + 3] = AXES[axis], step
    return row


FAR_STEP, NEAR_STEP = (0.7e4, -0.9e4, 1.1e4), (1.1e-3, 0.7e-3, -0.9e-3)

SCENES = {
    # name: joints, last step, radius of home, configuration, position of the target or "stretched"
    "one rotation": ([joint()], NEAR_STEP, 0.0, [0.3], None),
    "many rotations": ([joint(axis=i % 3) for i in range(4)], NEAR_STEP, 0.0, [0.3, -0.5, 0.7, 0.2], None),
    "a long step to the first axis": ([joint(FAR_STEP)], NEAR_STEP, 0.0, [0.3], None),
    "a long step after a rotation": ([joint(), joint(FAR_STEP, axis=1)], NEAR_STEP, 0.0, [0.3, 0.5], None),
    "short steps after a long one": ([joint(FAR_STEP), *[joint(NEAR_STEP)] * 24], NEAR_STEP, 0.0, [1e-3] * 25, None),
    "a long last step": ([joint(axis=2)], FAR_STEP, 0.0, [0.4], None),
    "a long prismatic joint": ([joint(prismatic=1.0)], NEAR_STEP, 0.0, [1.3e4], None),
    "short prismatic joints after a long one": (
        [joint(prismatic=1.0), *[joint(prismatic=1.0, axis=1)] * 24],
        NEAR_STEP,
        0.0,
        [1.3e4, *[1e-3] * 24],
        None,
    ),
    "a prismatic joint with an inexact direction": ([joint(prismatic=1.0, radius=1e-10)], NEAR_STEP, 0.0, [1.3], None),
    "a helical joint": ([joint(pitch=1.7e3)], NEAR_STEP, 0.0, [0.9], None),
    "an inexact pitch": ([joint(pitch=1e-3, radius=1e-10)], NEAR_STEP, 0.0, [9.0], None),
    "an inexact axis far from the tip": ([joint(radius=1e-10)], (0.7, -0.9, 1.1), 0.0, [0.4], None),
    "an inexact home pose": ([joint()], NEAR_STEP, 1e-10, [0.4], None),
    "a far target": ([joint()], NEAR_STEP, 0.0, [0.4], (-3e4, 2e4, 1e4)),
    "a target that is nearly a rotation": ([joint()], NEAR_STEP, 0.0, [0.4], "stretched"),
}


class Math:
    """The functions of `math` that the residual uses, on floats and balls."""

    inf = math.inf

    @staticmethod
    def sqrt(x):
        """Return the root."""
        return x.sqrt() if isinstance(x, flint.arb) else math.sqrt(x)


def names_of(source, code=None, **known):
    """Return the names of a module, or of its changed source, with some of them replaced."""
    made = {**vars(source)}
    exec(compile(Path(source.__file__).read_text("utf8") if code is None else code, "text", "exec"), made)  # noqa: S102
    made.update(known)
    return made


@cache
def scene(name):
    """Return the inputs of `residual` as floats and as balls."""
    rows, step, radius, q, where = SCENES[name]
    joints, home, T, q = np.array(rows), np.eye(4), np.eye(4), np.array(q)
    home[:3, :3], home[:3, 3] = exp_so3([0.3, -0.2, 0.1]), step
    run, F, J = module().residual, np.empty(6), np.empty((6, len(q)))
    run(joints, home, radius, q, T, F, J, np.empty((len(q), 8)))
    T[:3, 3] = F[3:] if where is None or isinstance(where, str) else where
    if where == "stretched":
        T[:3, :3] *= 1.0 + 1e-10
    inputs = joints, home, radius, q, T
    balls = [np.array(joints, dtype=object), np.array(home, dtype=object), 0.0, np.array(q, dtype=object)]
    for row in balls[0]:
        for k in (*range(AXIS, AXIS + 3), *range(STEP, STEP + 3), PITCH):
            blurred = row[JOINT_RADIUS] and (k != PITCH or row[PITCH])
            row[k] = flint.arb(row[k], row[JOINT_RADIUS] / math.sqrt(3) if blurred else 0.0)
    for i in range(3):
        for k in range(4):
            balls[1][i, k] = flint.arb(home[i, k], radius / 3 if k < 3 else radius / math.sqrt(3))
    balls[3][:] = [flint.arb(float(x)) for x in q]
    D, off = np.array(T, dtype=object), residual.distance_to_rotation(T) - residual.distance_to_rotation(np.eye(4))
    for i in range(3):
        for k in range(4):
            D[i, k] = flint.arb(T[i, k], off / 3 if k < 3 else 0.0)
    return inputs, (*balls, D)


def radius(entries):
    """Return the root of the sum of the squares of the radii of balls."""
    return math.sqrt(sum(float(x.rad()) ** 2 for x in np.ravel(entries) if isinstance(x, flint.arb)))


@cache
def radii_of_balls(name):
    """Return the radii of F and J by balls."""
    _, (joints, home, _, q, T) = scene(name)
    flint.ctx.prec, off = 53, module().SINE_COSINE_ERROR
    F, J = np.zeros(6, dtype=object), np.zeros((6, len(q)), dtype=object)
    known = {"sine_cosine_bounded": lambda x: tuple(flint.arb(float(y), off) for y in (x.sin(), x.cos()))}
    text = names_of(residual, math=Math, SINE_COSINE_ERROR=off, **known)
    text["residual"](joints, home, 0.0, q, T, F, J, np.zeros((len(q), 8), dtype=object))
    return radius(F), radius(J)


def shares(name):
    """Return the radii of F and J relative to those of balls, and that of τ relative to that of F."""
    inputs, _ = scene(name)
    n, code = len(inputs[3]), Path(residual.__file__).read_text("utf8")
    known = {"sine_cosine_bounded": module().sine_cosine_bounded, "SINE_COSINE_ERROR": module().SINE_COSINE_ERROR}
    found = []
    for one in (code, re.sub(r"trace - .*", "trace", code)):
        text = names_of(residual, one, **known)
        found.append(text["residual"](*inputs, np.empty(6), np.empty((6, n)), np.empty((n, 8))))
    (e_F, e_J, least), (_, _, trace), by_balls = *found, radii_of_balls(name)
    return np.array([e_F / by_balls[0], e_J / by_balls[1] if by_balls[1] else 0.0, (trace - least) / by_balls[0]])


SHARES = {
    "one rotation": (4.797, 4.107, 10.84),
    "many rotations": (1.39, 1.563, 3.375),
    "a long step to the first axis": (9.891, 18.03, 0.00765),
    "a long step after a rotation": (2.953, 2.838, 0.0007289),
    "short steps after a long one": (1.452, 1.505, 0.004785),
    "a long last step": (2.961, 3.569, 0.0004628),
    "a long prismatic joint": (5.443, 0, 0.001918),
    "short prismatic joints after a long one": (2.428, 0, 0.0001475),
    "a prismatic joint with an inexact direction": (1.323, 1, 3.475e-05),
    "a helical joint": (2.77, 7.877, 0.0279),
    "an inexact pitch": (2.517, 2.121, 2.713),
    "an inexact axis far from the tip": (12.23, 4.927, 9.337),
    "an inexact home pose": (1.092, 0.8903, 1.149),
    "a far target": (1.222, 4.38, 0.003825),
    "a target that is nearly a rotation": (0.8328, 1.02, 2.111),
}
"""Radii of F and J relative to those of balls, and that of τ relative to that of F."""


@pytest.mark.parametrize("name", SCENES)
def test_radii_relative_to_balls_are_as_recorded(name):
    np.testing.assert_allclose(shares(name), SHARES[name], rtol=0.03)


def system(size=1.0, condition=1.0, columns=6):
    """Return a derivative with given singular values, whose rows are along no axis."""
    rng = np.random.default_rng(3)
    left, right = (np.linalg.qr(rng.normal(size=(k, k)))[0] for k in (6, columns))
    return left @ np.diag(size * np.geomspace(1.0, 1.0 / condition, 6)) @ right[:6]


STEEP, STEEP_SEVEN = system(condition=1e12), system(condition=1e12, columns=7)
ALONG_THE_LARGEST = 1e-3 * np.linalg.svd(STEEP)[0][:, 0]
"""A residual along the largest singular value."""

SYSTEMS = {
    # J, F, its radius, that of J, K
    "rounding of a product": (STEEP, np.zeros(6), 1e-20, 1e-30, 1e-20),
    "rounding of a step": (STEEP, ALONG_THE_LARGEST, 1e-30, 1e-30, 1e-13),
    "a residual": (system(), np.full(6, 1e-3), 1e-30, 1e-30, 1.0),
    "a residual with a radius": (system(condition=4.0), np.zeros(6), 1e-3, 1e-30, 1.0),
    "a derivative with a radius": (system(condition=4.0), np.full(6, 1e-4), 1e-30, 1e-2, 1.0),
    "a large second derivative": (system(), np.full(6, 1e-4), 1e-30, 1e-30, 300.0),
    "a small second derivative": (system(), np.full(6, 1e-4), 1e-30, 1e-30, 1e-9),
    "seven joints": (system(condition=1e2, columns=7), np.full(6, 1e-6), 1e-30, 1e-4, 1.0),
    "seven joints, rounding": (STEEP_SEVEN, np.zeros(6), 1e-20, 1e-30, 1e-20),
}


def certify(name):
    """Return outcome and result of `certify` for a system."""
    J, F, e_F, e_J, K = SYSTEMS[name]
    n, found = J.shape[1], np.zeros(4)

    def residual_stub(joints, home, radius, A, A_norm, K, q, T, F_out, J_out):
        F_out[:], J_out[:] = F, J
        return e_F, e_J, 3.0

    text = names_of(kantorovich, coupled_residual=residual_stub, LARGEST_ANGLE=1e5)
    joints, A = np.zeros((n, ROW)), np.empty((0, 0))
    return text["certify"](joints, np.eye(4), 0.0, A, 1.0, K, np.zeros(n), np.eye(4), found), found


@cache
def by_balls(name):
    """Return radius, radius of uniqueness, h, 1 / |P| and g by Kantorovich's theorem on balls."""
    J, F, e_F, e_J, K = SYSTEMS[name]
    flint.ctx.prec, n = 53, J.shape[1]
    C, M = np.zeros((n, 6)), J
    if n > 6:
        kantorovich.row_space(J, C)
        M = np.empty((6, 6))
        kantorovich.multiply(J, C, M)
    P = np.empty((6, 6))
    kantorovich.invert(M, P)
    ball = np.vectorize(lambda x: flint.arb(float(x)), otypes=[object])
    exactly = ball(J) @ ball(C) if n > 6 else ball(M)
    upper = np.vectorize(lambda x: float(x.abs_upper()))
    large = np.linalg.norm(P)
    spread = np.sqrt(6.0) if n > 6 else 1.0
    g = np.linalg.norm(upper(ball(P) @ exactly - ball(np.eye(6)))) + large * e_J * spread
    eta = np.linalg.norm(upper(ball(P) @ ball(F))) + large * e_F
    b = large * K
    h = b * eta / (1.0 - g) ** 2
    root = np.sqrt(1.0 - 2.0 * h)
    return np.array([2.0 * eta / ((1.0 - g) * (1.0 + root)), min((1.0 - g) / b, 1.0), h, 1.0 / large, g])


BALL_SHARES = {
    "rounding of a product": (1.000902, 0.999999, 1.001802, 0.999999, 0),
    "rounding of a step": (1.001595, 0.999999, 1.002495, 0.999999, 0),
    "a residual": (1.000004, 0.999996, 1.000006, 0.999999, 0),
    "a residual with a radius": (1.000005, 0.999996, 1.000007, 0.999999, 0),
    "a derivative with a radius": (1.000004, 0.9999959, 1.000006, 0.999999, 0),
    "a large second derivative": (1.000005, 0.999996, 1.000006, 0.999999, 0),
    "a small second derivative": (1.000004, 0.999999, 1.000006, 0.999999, 0),
    "seven joints": (1.000004, 0.9999959, 1.000006, 0.999999, 0),
    "seven joints, rounding": (1.002524, 0.999999, 1.005051, 0.999999, 0),
}
"""Radius, radius of uniqueness, h and 1 / |P| relative to those of the theorem on balls, and the outcome PROVEN."""


@pytest.mark.parametrize("name", SYSTEMS)
def test_certificates_relative_to_the_theorem_on_balls_are_as_recorded(name):
    outcome, found = certify(name)
    rounding = 1e-3  # between processors a share that is itself of rounding's size differs by 2.3e-4
    np.testing.assert_allclose([*found / by_balls(name)[:4], outcome], BALL_SHARES[name], rtol=rounding)
