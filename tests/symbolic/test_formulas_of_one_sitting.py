"""Lesson 00 derives in plain SymPy: its expressions equal those of the library, and its sliders redraw."""

from pathlib import Path

import matplotlib.pyplot as plt
import mpmath
import nbformat
import numpy as np
import pytest
import sympy as sp
from at_points import point, value

from lessons_lib import pose_ik, robots
from lessons_lib.symbolic import open_chain, se3, so3

ROOT = Path(__file__).resolve().parents[2]
CELLS = nbformat.read(ROOT / "notebooks" / "00_in_one_sitting.ipynb", as_version=4).cells
SKIPPED = "guess table-code thirty-code both library-code speed-code".split()
"""Cells that only measure or draw."""
REVOLUTE = [sp.Rational(2, 3), sp.Rational(1, 3), sp.Rational(-2, 3), 1, -2, sp.Rational(1, 2)]
PRISMATIC = [0, 0, 0, sp.Rational(3, 5), 0, sp.Rational(4, 5)]


@pytest.fixture(scope="module")
def lesson():
    """Return the names that the lesson's cells define; nbval runs the proof for the UR10, which takes seconds."""
    names = {"display": lambda *_: None, "rng": np.random.default_rng(1)}
    for cell in CELLS:
        if cell.cell_type == "code" and cell.id.removesuffix("-00") not in SKIPPED:
            if cell.id == "ur10-code-00":
                names["derivative_agrees"] = lambda *_: True
            exec(compile(cell.source, cell.id, "exec"), names)
            plt.close("all")
    return names


def in_digits(matrix):
    return mpmath.matrix(matrix.evalf(40).tolist())


def assert_equal(one, other):
    with mpmath.workdps(40):
        assert mpmath.mnorm(one - other, mpmath.inf) < 1e-30


@pytest.mark.parametrize("screw", [REVOLUTE, PRISMATIC], ids=["revolute", "prismatic"])
@pytest.mark.parametrize("angle", [0, sp.Rational(1, 10**9), sp.Rational(-5, 4), 9])
def test_exponential_and_adjoint_equal_the_librarys(lesson, screw, angle):
    ours = lesson["exp_se3"](screw, sp.sympify(angle))
    theirs = open_chain.joint_exp(sp.Matrix(screw), sp.sympify(angle))
    assert_equal(in_digits(ours), in_digits(theirs))
    assert_equal(in_digits(lesson["adjoint"](ours)), in_digits(se3.adjoint(theirs)))
    assert lesson["hat"](screw[3:]) == so3.hat(sp.Matrix(screw[3:]))
    assert lesson["hat_se3"](screw) == se3.hat(sp.Matrix(screw))


@pytest.mark.parametrize(
    ("screws", "home", "pose", "jacobian", "symbols", "arm"),
    [
        ("planar_screws", "planar_M", "T_2R", "J_2R", "q2", robots.planar_2r()),
        ("screws", "M_ur10", "T_ur10", "J_ur10", "q6", robots.ur10()),
    ],
    ids=["2R", "UR10"],
)
def test_pose_and_space_jacobian_equal_the_librarys(lesson, screws, home, pose, jacobian, symbols, arm):
    derived = open_chain.derive(sp.Matrix(lesson[screws]).T, sp.Matrix(lesson[home]))
    np.testing.assert_allclose(np.array(lesson[screws], dtype=float).T, arm.screws, atol=1e-14)  # roundings of metres
    np.testing.assert_allclose(np.array(lesson[home], dtype=float), arm.home, atol=1e-14)
    here = point(derived.q)
    values = {ours: here[theirs] for ours, theirs in zip(lesson[symbols], derived.q, strict=True)}
    assert_equal(in_digits(lesson[pose].subs(values)), value(derived, derived.T, here))
    assert_equal(in_digits(lesson[jacobian].subs(values)), value(derived, derived.J_s, here))
    if pose == "T_2R":
        assert_equal(in_digits(lesson["J_b"].subs(values)), value(derived, derived.J_b, here))


def test_damped_step_equals_the_librarys(lesson):
    home, target = np.zeros(6), lesson["T_sd"]
    path, _ = lesson["solve"](lesson["ur10"], target, home, lesson["damped_step"](0.25))
    method = pose_ik.LevenbergMarquardt(pose_ik.Constant(0.25))
    result = pose_ik.solve(robots.ur10(), target, home, method=method, starts=pose_ik.Restarts(0), trace=True)
    assert result.trace is not None
    np.testing.assert_allclose(path, result.trace.q, rtol=0, atol=1e-9)  # 25 steps magnify roundings by some 10
