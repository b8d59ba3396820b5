"""The manipulability task against Pink's where Pink's formula holds, and against the robots' own measure."""

import numpy as np
import pink.tasks
import pinocchio
import pytest
from pink_robots import robot

from lessons_lib import differential_ik as dik
from lessons_lib import robots
from lessons_lib.errors import FrameNotFound, ParameterError

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


def test_measure_is_that_of_the_chain() -> None:
    chain, q = robots.ur10(), np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    tree = robot("UR10").tree
    at = dik.Configuration(tree, q)
    for mask, part in ((None, "all"), ("position", "translation"), ("orientation", "rotation")):
        task = dik.ManipulabilityTask("tool0", tree, mask=mask)  # type: ignore[arg-type]
        expected = robots.manipulability(at.get_frame_jacobian("tool0"), part)
        assert task.compute_manipulability(at) == pytest.approx(expected, rel=1e-12)
    assert chain.dof == tree.nv


@pytest.mark.parametrize(("mask", "frame"), [("planar_xy", "local"), ("position", "world")])
def test_where_pinks_gradient_is_another_one(mask: str | None, frame: str) -> None:
    """Finite differences of Pink's own measure decide: it leaves out how the frame's axes and origin move."""
    pair = robot("UR10")
    ours_at, theirs_at = pair.both(np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4]))
    reference = pinocchio.ReferenceFrame.WORLD if frame == "world" else pinocchio.ReferenceFrame.LOCAL
    task = pink.tasks.ManipulabilityTask("tool0", pair.model, reference_frame=reference, mask=mask)  # type: ignore[arg-type]
    ours = dik.ManipulabilityTask("tool0", pair.tree, reference_frame=frame, mask=mask)  # type: ignore[arg-type]
    assert ours.compute_manipulability(ours_at) == pytest.approx(task.compute_manipulability(theirs_at), rel=1e-9)
    gradient = np.empty(6)
    for i in range(6):
        ends = [pair.both(ours_at.q + s * np.eye(6)[i])[1] for s in (1e-6, -1e-6)]
        gradient[i] = np.subtract(*(task.compute_manipulability(end) for end in ends)) / 2e-6
    assert np.abs(ours.compute_jacobian(ours_at)[0] - gradient).max() < 1e-7
    assert np.abs(task.compute_jacobian(theirs_at)[0] - gradient).max() > 1e-2


def test_it_raises_the_measure_while_the_hand_stays() -> None:
    tree = robot("xArm").tree
    at = dik.Configuration(tree, [0.3, -0.3, 0.5, 0.6, 0.2, 0.7, 0.1])
    hand = tree.frame_names[-1]
    frame, raise_it = dik.FrameTask(hand, 10.0, 10.0), dik.ManipulabilityTask(hand, tree, manipulability_rate=1e-3)
    frame.set_target_from_configuration(at)
    before = raise_it.compute_manipulability(at)
    for _ in range(100):
        at.integrate_inplace(dik.solve_ik(at, [frame, raise_it], 0.02, damping=1e-6), 0.02)
    assert raise_it.compute_manipulability(at) > 1.05 * before  # the seventh joint gives little room
    assert np.abs(frame.compute_error(at)).max() < 1e-3


def test_a_planar_arm_has_no_measure_in_space() -> None:
    tree = robots.load_urdf(robots.urdf_file("planar_2r"))
    task = dik.ManipulabilityTask(tree.frame_names[-1], tree)
    at = dik.Configuration(tree, [0.3, 0.8])
    assert task.compute_manipulability(at) == 0.0
    assert not task.compute_jacobian(at).any()


def test_what_it_refuses() -> None:
    tree = robot("Panda").tree
    with pytest.raises(FrameNotFound, match="no frame 'panda_link9'"):
        dik.ManipulabilityTask("panda_link9", tree)
    with pytest.raises(ParameterError, match="reference_frame must be 'local' or 'world', got 'body'"):
        dik.ManipulabilityTask("panda_link8", tree, reference_frame="body")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="unknown mask 'xy'; valid are 'orientation', 'position', 'planar_xy'"):
        dik.ManipulabilityTask("panda_link8", tree, mask="xy")  # type: ignore[arg-type]
    for mask in ([0.5] * 6, [0] * 6):
        with pytest.raises(ParameterError, match="mask must be six ones and zeros, not all zero"):
            dik.ManipulabilityTask("panda_link8", tree, mask=mask)
    with pytest.raises(ParameterError, match=r"mask must have shape \(6,\), got \(3,\)"):
        dik.ManipulabilityTask("panda_link8", tree, mask=[1, 1, 1])
    with pytest.raises(ParameterError, match="manipulability_rate must be a finite number, got nan"):
        dik.ManipulabilityTask("panda_link8", tree, manipulability_rate=np.nan)
    with pytest.raises(ParameterError, match="cost must be one number or 1, got shape"):
        dik.ManipulabilityTask("panda_link8", tree, cost=[1.0, 2.0])  # type: ignore[arg-type]
