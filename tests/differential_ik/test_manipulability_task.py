"""The manipulability task against Pink's where Pink's formula holds, and against the robots' own measure."""

import numpy as np
import pink.tasks
import pytest
from pink_robots import robot

from lessons_lib import differential_ik as dik
from lessons_lib import robots

ARMS = {"UR10": "tool0", "SO-100": "jaw", "xArm": "link7"}


@pytest.fixture(params=ARMS)
def arm(request: pytest.FixtureRequest) -> tuple[object, str]:
    pair = robot(request.param)
    tip = ARMS[request.param] if ARMS[request.param] in pair.tree.frame_names else pair.tree.frame_names[-1]
    return pair, tip


@pytest.mark.parametrize("mask", [None, "position", "orientation"])
def test_measure_gradient_and_objective_are_pinks(arm: tuple[object, str], mask: str | None) -> None:
    pair, frame = arm
    rng = np.random.default_rng(1)
    for _ in range(5):
        ours_at, theirs_at = pair.both(pair.inside(rng))  # type: ignore[attr-defined]
        choices = {"cost": 0.7, "gain": 0.4, "lm_damping": 0.2, "manipulability_rate": 0.3, "mask": mask}
        ours = dik.ManipulabilityTask(frame, pair.tree, **choices)  # type: ignore[attr-defined, arg-type]
        theirs = pink.tasks.ManipulabilityTask(frame, pair.model, **choices)  # type: ignore[attr-defined, arg-type]
        m = theirs.compute_manipulability(theirs_at)
        # Pink takes the root of a determinant, which keeps half of the digits where it is small
        assert ours.compute_manipulability(ours_at) == pytest.approx(m, rel=1e-8, abs=1e-9)
        assert np.abs(ours.compute_jacobian(ours_at) - theirs.compute_jacobian(theirs_at)).max() < 1e-9
        assert np.array_equal(ours.compute_error(ours_at), theirs.compute_error(theirs_at))
        for mine, other in zip(ours.compute_qp_objective(ours_at), theirs.compute_qp_objective(theirs_at), strict=True):
            assert np.abs(mine - other).max() < 1e-9


def test_a_planar_arm_has_no_measure_in_space() -> None:
    tree = robots.load_urdf(robots.urdf_file("planar_2r"))
    task = dik.ManipulabilityTask(tree.frame_names[-1], tree)
    at = dik.Configuration(tree, [0.3, 0.8])
    assert task.compute_manipulability(at) == 0.0
    assert not task.compute_jacobian(at).any()
