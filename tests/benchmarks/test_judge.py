"""The judge takes nobody's word: wrong poses, joints outside their limits and false claims are found."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from benchmarks import machine, poses
from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain

ARMS = [robots.ur10, robots.panda, robots.planar_2r]


@pytest.fixture
def slider() -> Chain:
    """A turn about z within ±1 rad, then a slide along x within ±0.5 m."""
    screws = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]], dtype=np.float64).T
    return robots.from_screws(screws, np.eye(4), limits=[(-1.0, 1.0), (-0.5, 0.5)])


def verdict(chain: Chain, q: list[float], target: Array, **choices: object) -> tuple[bool, bool, int]:
    found = poses.judge(chain, target[None], [(np.array(q), True)], **choices)  # type: ignore[arg-type]
    return bool(found.reached[0]), bool(found.inside[0]), found.false_claims()


def test_right_wrong_and_outside_are_told_apart(slider: Chain) -> None:
    target = slider.forward_kinematics([0.9, 0.4])
    assert verdict(slider, [0.9, 0.4], target) == (True, True, 0)
    assert verdict(slider, [0.9, 0.4 + 2e-6], target) == (True, True, 0)
    assert verdict(slider, [0.9, 0.4 + 4e-6], target) == (False, True, 1)
    assert verdict(slider, [0.9 + 4e-6, 0.4], target) == (False, True, 1)
    assert verdict(slider, [0.9 + 2.0 * np.pi, 0.4], target) == (True, False, 1)
    assert verdict(slider, [np.nan, 0.4], target) == (False, False, 1)


def test_whole_turns_are_taken_off_only_when_that_is_asked_for(slider: Chain) -> None:
    target = slider.forward_kinematics([0.9, 0.4])
    assert verdict(slider, [0.9 + 4.0 * np.pi, 0.4], target, wraps=True) == (True, True, 0)
    assert verdict(slider, [0.9 - 6.0 * np.pi, 0.4], target, wraps=True) == (True, True, 0)
    assert verdict(slider, [0.9, 0.4 + 2.0 * np.pi], target, wraps=True) == (False, False, 1)  # a slide has no turns


def test_turning_back_leaves_alone_what_no_turn_can_bring_inside(slider: Chain) -> None:
    q = np.array([[2.0, 0.0], [1.0, 0.5], [-1.0 - 2.0 * np.pi, 0.0]])
    assert poses.wrapped(slider, q) == pytest.approx(np.array([[2.0, 0.0], [1.0, 0.5], [-1.0, 0.0]]))


def test_slack_is_for_limits_alone(slider: Chain) -> None:
    outside = [1.0 + 1e-8, 0.0]
    target = slider.forward_kinematics(outside)
    assert verdict(slider, outside, target) == (True, False, 1)
    assert verdict(slider, outside, target, slack=1e-7) == (True, True, 0)


def test_shares_count_what_failed_and_what_was_claimed_falsely(slider: Chain) -> None:
    target = slider.forward_kinematics([0.0, 0.0])
    answers = [(np.zeros(2), True), (np.zeros(2), False), (np.array([0.5, 0.0]), True), (np.array([0.5, 0.0]), False)]
    shares = poses.judge(slider, np.tile(target, (4, 1, 1)), answers).shares()
    assert shares == {"solved": 50.0, "failed": 2, "reached": 50.0, "false_claims": 1}


def test_a_single_failure_never_reads_as_a_hundred_per_cent(slider: Chain) -> None:
    target = slider.forward_kinematics([0.0, 0.0])
    answers = [(np.zeros(2), True)] * 1999 + [(np.array([0.5, 0.0]), False)]
    shares = poses.judge(slider, np.tile(target, (2000, 1, 1)), answers).shares()
    assert (shares["solved"], shares["failed"]) == (99.9, 1)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 3e-6, 1.0, np.pi - 1e-6, np.pi])
def test_errors_between_poses_are_the_distance_and_the_angle(angle: float) -> None:
    T, apart = np.eye(4), np.eye(4)
    T[:3, :3] = Rotation.from_rotvec([0.3, -1.2, 0.4]).as_matrix()
    apart[:3, :3] = Rotation.from_rotvec(angle * np.array([0.6, 0.0, 0.8])).as_matrix()
    apart[:3, 3] = [0.3, 0.0, 0.4]
    distance, found = poses.errors(T, T @ apart)
    assert distance == pytest.approx(0.5)
    assert found == pytest.approx(angle, abs=1e-12)  # rounding of products of rotations, far below the judge's 3e-6


@pytest.mark.parametrize("make", ARMS)
def test_both_judges_agree(make: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pinocchio's recursion and SciPy's exponentials have nothing in common but the arm."""
    chain = make()  # type: ignore[operator]
    first = poses.forward_kinematics(chain)
    monkeypatch.setitem(machine.PEERS, "Pinocchio", ("no_such_module", "pin"))
    second = poses.forward_kinematics(chain)
    rng = np.random.default_rng(0)
    for q in (chain.random_configuration(rng) for _ in range(20)):
        assert first(q) == pytest.approx(second(q), abs=1e-12)
        assert first(q) == pytest.approx(chain.forward_kinematics(q), abs=1e-12)
    assert np.isnan(second(np.full(chain.dof, np.nan))).all()


def test_problems_are_the_same_for_all_and_starts_are_within_the_limits() -> None:
    chain = robots.panda()
    targets, starts = poses.problems(chain, 5)
    again, _ = poses.problems(chain, 5)
    assert np.array_equal(targets, again)
    assert targets.shape == (5, 4, 4)
    for start in starts:
        chain.check_within_limits(start)
