"""The default solves every reachable pose within the limits and reports its true errors."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lessons_lib import pose_ik
from lessons_lib.lie import exp_se3

SINGULAR = ("singular", "nearly singular", "at the edge")
CASES = [
    *((name, "anywhere") for name in ("planar_2r", "ur10", "panda")),
    *(("panda", f"{joints} joints at limits") for joints in (1, 3, 7)),
    *((name, kind) for name in ("ur10", "panda") for kind in SINGULAR),
]


def configurations(chain, rng, kind):
    """Return configurations; singular ones have joints at multiples of π/2, or near them, or every other at zero."""
    q = np.array([chain.random_configuration(rng) for _ in range(700 if kind == "anywhere" else 100)])
    if "limits" in kind:
        for row in q:
            chosen = rng.choice(chain.dof, int(kind[0]), replace=False)
            row[chosen] = chain.limits[chosen, rng.integers(2, size=len(chosen))]
    if kind in SINGULAR:
        q = np.where(rng.random(q.shape) < 0.5, np.round(q / (np.pi / 2)) * (np.pi / 2), q)
    if kind == "nearly singular":
        q += 10.0 ** rng.uniform(-12, -3, (100, 1)) * rng.choice([-1, 1], q.shape)
    if kind == "at the edge":
        q[:, 1::2] = 0.0
    return np.clip(q, *chain.limits.T)


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_reachable_poses_are_solved(request, name, kind, independent_errors):
    """Before steps stopped at the limits, a tenth of these failed with three joints at limits, a quarter with seven."""
    chain, rng = request.getfixturevalue(name), np.random.default_rng(23)
    targets = chain.forward_kinematics(configurations(chain, rng, kind))
    if kind == "at the edge":
        targets[::2, :3, 3] *= 1.0 + 1e-9
    results = pose_ik.solve_batch(chain, targets, chain.random_configuration(rng) if kind == "anywhere" else None)
    assert results.converged.mean() >= (0.99 if kind in SINGULAR else 1.0)
    assert ((results.q >= chain.limits[:, 0]) & (results.q <= chain.limits[:, 1])).all()
    for row in np.flatnonzero(results.converged)[:300:5]:
        angle, distance = independent_errors(chain, results.q[row], targets[row])
        # theirs and ours differ by rounding: a dozen products of matrices
        assert max(angle, distance) <= 1e-6 + 1e-13
        assert angle == pytest.approx(results.orientation_error[row], abs=1e-13)
        assert distance == pytest.approx(results.position_error[row], abs=1e-13)


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("ur10", pose_ik.NewtonRaphson()),
        ("ur10", pose_ik.NewtonRaphson("space")),
        ("ur10", pose_ik.GaussNewton()),
        ("ur10", pose_ik.LevenbergMarquardt(pose_ik.TrustRegion())),
        ("panda", pose_ik.GaussNewton()),
    ],
    ids=str,
)
def test_the_other_methods_solve_at_least_98_percent(request, name, method, independent_errors):
    chain, rng = request.getfixturevalue(name), np.random.default_rng(22)
    targets = chain.targets(200, rng)[0]
    results = pose_ik.solve_batch(chain, targets, method=method)
    assert results.converged.mean() >= 0.98  # of 101 starts each; some targets lie at a limit
    for row in np.flatnonzero(results.converged)[:50]:
        assert max(independent_errors(chain, results.q[row], targets[row])) <= 1e-6 + 1e-9


@settings(deadline=None)  # the first example may have to compile
@given(st.lists(st.floats(-4, 4), min_size=6, max_size=6), st.integers(0, 2**32))
@example([-2.0, -4.0, -4.0, -3.0, -4.0, -4.0], 58027)  # ends with the elbow at 7e-7 rad
def test_reported_errors_are_true_for_any_target(ur10, independent_errors, twist, seed):
    target = exp_se3(twist)
    start = ur10.random_configuration(np.random.default_rng(seed))
    result = pose_ik.solve(ur10, target, start, starts=pose_ik.Restarts(3))
    angle, distance = independent_errors(ur10, result.q, target)
    # 1e-7 near a half turn, where the two logarithms may round to different sides
    assert abs(result.orientation_error - angle) <= 1e-7
    assert abs(result.position_error - distance) <= 1e-6 * max(1.0, distance)
    assert (result.q >= ur10.limits[:, 0]).all() and (result.q <= ur10.limits[:, 1]).all()
    assert result.converged == (result.status is pose_ik.Status.CONVERGED)
    assert result.converged == (result.orientation_error <= 1e-6 and result.position_error <= 1e-6)
