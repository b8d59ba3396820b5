"""The recursion from the tip gives pose and Jacobians of the product of exponentials in fewer operations."""

import mpmath
import numpy as np
import pytest
import sympy as sp
from at_points import point, value

from lessons_lib.codegen import Kernel
from lessons_lib.symbolic import open_chain, se3, tip_to_base

length_1, length_2, height = sp.symbols("L1 L2 h", positive=True)
UP, ACROSS, ALONG = (0, 0, 1), (0, 1, 0), (1, 0, 0)


def revolute(axis, point=(0, 0, 0), pitch=0):
    omega, p = sp.Matrix(axis), sp.Matrix(point)
    return omega.col_join(p.cross(omega) + sp.sympify(pitch) * omega)


def prismatic(axis):
    return sp.zeros(3, 1).col_join(sp.Matrix(axis))


CHAINS = {
    "antiparallel": [revolute(UP), revolute((0, 0, -1), (length_1, 0, 0)), revolute(UP, (length_1, height, 0))],
    "anthropomorphic": [revolute(UP), revolute(ACROSS, (0, 0, height)), revolute(ACROSS, (length_1, 0, height))],
    "skew": [revolute(UP), revolute(ALONG, (0, length_1, height)), revolute(ACROSS, (length_2, 0, height))],
    "RPR": [revolute(UP), prismatic(ALONG), revolute(UP, (length_1, 0, 0))],
    "slides": [prismatic(ALONG), prismatic(ACROSS), prismatic(UP)],
    "helical": [revolute(UP, pitch=height), revolute(ACROSS, (length_1, 0, 0), pitch=length_2)],
    "same axis twice": [revolute(UP, (length_1, 0, 0)), revolute(UP, (length_1, 0, 0))],
}


@pytest.mark.parametrize("name", CHAINS)
def test_both_derivations_are_the_same_functions(name):
    screws = sp.Matrix.hstack(*CHAINS[name])
    home = se3.pose(sp.Matrix([[0, 0, 1], [1, 0, 0], [0, 1, 0]]), sp.Matrix([length_1 + length_2, 0, height]))
    plain, short = (module.derive(screws, home) for module in (open_chain, tip_to_base))
    for seed in (4, 5):
        at = point([*plain.q, length_1, length_2, height], seed)
        for matrix in ("T", "J_b", "J_s"):
            long, recursive = (value(derived, getattr(derived, matrix), at) for derived in (plain, short))
            with mpmath.workdps(40):
                assert mpmath.mnorm(long - recursive, mpmath.inf) < 1e-35, matrix


def numbers(rng, joints, near):
    """Return screws of mixed joints; each axis after the first is within about `near` of the previous one."""
    columns, axis = [], rng.normal(size=3)
    for _ in range(joints):
        axis = axis / np.linalg.norm(axis) + near * rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        point, pitch = rng.uniform(-1, 1, 3), rng.choice([0.0, 0.3])
        still = rng.random() < 0.2
        columns.append([0, 0, 0, *axis] if still else [*axis, *(np.cross(point, axis) + pitch * axis)])
    return sp.Matrix(columns).T


@pytest.mark.parametrize(
    ("joints", "near"), [(1, 3.0), *((2, near) for near in (3.0, 0.2, 1e-2, 1e-4, 1e-8, 1e-13)), (3, 0.2), (3, 1e-8)]
)
def test_axes_at_any_angle(joints, near):
    rng = np.random.default_rng(int(1 / near) + joints)
    screws = numbers(rng, joints, near)
    home = se3.exp(sp.Matrix(rng.normal(size=6).tolist())).evalf(40)
    values = rng.uniform(-3, 3, joints)
    plain, short = (module.derive(screws, home) for module in (open_chain, tip_to_base))
    for name in ("T", "J_b"):
        q = dict(zip(plain.q, values, strict=True))
        difference = value(plain, getattr(plain, name), q) - value(short, getattr(short, name), q)
        # the axes are unit vectors to 2e-16 only, and SNAP changes a direction by at most itself; lengths below 20 m
        assert mpmath.mnorm(difference, mpmath.inf) < (2e-13 if joints > 1 else 1e-14)


def test_rounding_in_a_table_adds_no_operations():
    cosine = 6.123233995736766e-17  # cos(π/2) in double precision
    exact = sp.Matrix.hstack(revolute(UP), revolute(ACROSS, (sp.Float(0.4, 17), 0, sp.Float(0.3, 17))))
    rough = exact.copy()
    rough[2, 1] = sp.Float(cosine, 17)
    counts = []
    for screws in (exact, rough):
        derived = tip_to_base.derive(screws, se3.pose(sp.eye(3), sp.Matrix([1, 0, 0])))
        counts.append(operations(derived))
    assert counts[0] == counts[1]


def operations(derived):
    kernel = Kernel("k", {"q": sp.Matrix(derived.q)}, {"T": derived.T, "J_b": derived.J_b}, derived.steps)
    return kernel.program.operations


def test_a_symbolic_axis_is_refused():
    a, b = sp.symbols("a b")
    with pytest.raises(ValueError, match=r"the axis of joint 1 must be numbers, got ω = \(a, b, 0\)"):
        tip_to_base.derive(sp.Matrix.hstack(revolute(UP), revolute((a, b, 0))), sp.eye(4))
