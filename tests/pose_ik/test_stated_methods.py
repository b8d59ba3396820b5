"""Methods given as a formula: Halley's, and user-defined ones."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from run_in_python import check_iterates

from lessons_lib.pose_ik import Chan, Constant, Method, Restarts, Status, Stop, pose, position_only, solve
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.pose_ik.variant import is_compiled

UNEQUAL = (1.0, 0.5, 2.0, 3.0, 1.0, 0.7)


def refine(J, V, solve):
    """Return a damped step plus another for the residual of the linear model: two linear problems."""
    d = solve(J, V)
    return d + solve(J, V - J * d)


def bound(J, V, solve):
    """Return a step that is shorter than half a radian."""
    d = solve(J, V)
    return d / sp.sqrt(1 + 4 * d.dot(d))


def clip(J, V, solve):
    """Return a step that moves no joint by more than a fifth of a radian."""
    return solve(J, V).applyfunc(lambda x: sp.Max(-0.2, sp.Min(0.2, x)))


USER_DEFINED = {
    "refined": Method(refine, damping=Constant(0.3)),
    "bounded": Method(bound),
    "clipped": Method(clip, damping=Chan(0.1)),
}


@pytest.mark.parametrize("weights", [None, UNEQUAL])
@pytest.mark.parametrize("joints", [2, 6, 7])
def test_a_step_in_numbers_is_that_of_its_formula(joints, weights):
    rng = np.random.default_rng(9)
    J, V, roots = rng.normal(size=(6, joints)), rng.normal(size=6), np.sqrt(np.ones(6) if weights is None else weights)

    def d(e, D):
        A = roots[:, None] * J
        tall = np.vstack([A, np.sqrt(D) * np.eye(joints)])
        return np.linalg.lstsq(tall, np.append(roots * e, np.zeros(joints)), rcond=None)[0]

    first, newton, damped = d(V, 0.09), d(V, 0.0), d(V, 0.05 * float((roots * V) @ (roots * V)))
    expected = {
        "refined": first + d(V - J @ first, 0.09),
        "bounded": newton / np.sqrt(1 + 4 * newton @ newton),
        "clipped": np.clip(damped, -0.2, 0.2),
    }
    for name, method in USER_DEFINED.items():
        step = pose(weights).of(method).step(J, V)
        np.testing.assert_allclose(step, expected[name], rtol=1e-9, atol=1e-12)
    assert (np.abs(expected["clipped"]) == 0.2).any()


PROBLEMS = {
    "refined": {"method": USER_DEFINED["refined"]},
    "bounded": {"method": USER_DEFINED["bounded"]},
    "clipped": {"method": USER_DEFINED["clipped"]},
    "in the space frame": {"method": replace(USER_DEFINED["bounded"], frame="space")},
    "of the exact derivative": {"method": replace(USER_DEFINED["bounded"], derivative="exact")},
    "with weights": {"method": USER_DEFINED["refined"], "goal": pose(UNEQUAL)},
    "for a position": {"method": USER_DEFINED["refined"], "goal": position_only()},
    "along axes": {"method": USER_DEFINED["refined"], "goal": pose((0, 0, 0, 1, 1, 0), axes="target")},
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_user_defined_formula_gives_the_same_iterates_in_every_search(planar_2r, name):
    q = np.array([0.3, -1.2])
    target, start = planar_2r.forward_kinematics(q), q + np.random.default_rng(5).uniform(-0.4, 0.4, 2)
    assert is_compiled(PROBLEMS[name]["method"])
    options = {**PROBLEMS[name], "starts": Restarts(0), "stop": Stop(max_iterations=60)}
    found = check_iterates(planar_2r, target, start, **options)
    assert found.converged and found.iterations > 2


@pytest.mark.parametrize("inside", [False, True])
def test_a_formula_that_divides_by_zero_ends_its_starts(planar_2r, inside):
    """The planar arm rotates about z only, so V0 is zero."""

    def divide(J, V, solve):
        return solve(J, V / V[0]) if inside else solve(J, V) / V[0]

    target, options = planar_2r.forward_kinematics([0.3, 0.9]), {"method": Method(divide), "starts": Restarts(2)}
    for search, traced in ((solve, {}), (solve, {"trace": True}), (solve_in_python, {})):
        found = search(planar_2r, target, [0.2, 0.8], **options, **traced)
        assert found.status is Status.NOT_FINITE and found.restarts == 2 and np.isfinite(found.q).all()
