"""Each row of a batch equals the single solve, for any size of the batch and any number of threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from run_in_python import in_python

from lessons_lib import pose_ik

FIELDS = ("q", "status", "converged", "iterations", "restarts", "orientation_error", "position_error")


def assert_same(one, other):
    """Check that two results, of one pose or of a batch, are equal to the last bit."""
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)


def test_starts_are_common_or_one_for_each_target(ur10):
    rng = np.random.default_rng(72)
    targets, starts = ur10.targets(20, rng)[0], ur10.targets(20, rng)[1]
    each = pose_ik.solve_batch(ur10, targets, starts, method=pose_ik.GaussNewton(), threads=1)
    for row, (target, start) in enumerate(zip(targets, starts, strict=True)):
        assert_same(each[row], pose_ik.solve(ur10, target, start, method=pose_ik.GaussNewton()))
    common, few = pose_ik.solve_batch(ur10, targets, starts[0]), pose_ik.solve_batch(ur10, targets[:3], starts[:3])
    assert_same(common[7], pose_ik.solve(ur10, targets[7], starts[0]))
    assert_same(few[2], pose_ik.solve(ur10, targets[2], starts[2]))


@pytest.mark.parametrize("nothing", [np.empty((0, 4, 4)), []])
@pytest.mark.parametrize("method", [None, in_python()], ids=["compiled", "in Python"])
def test_a_batch_without_targets_is_empty(ur10, nothing, method):
    batch = pose_ik.solve_batch(ur10, nothing, method=method)
    assert len(batch) == 0 and batch.q.shape == (0, 6) and batch.status.shape == (0,)


SIZES = (1, 2, 7, 8, 9, 1023, 1024, 1025, 3000)


@pytest.fixture(scope="module")
def targets(ur10):
    """Poses of the UR10: most of them easy, some out of reach, some impossible, some rounded to single precision."""
    poses = ur10.targets(3000, np.random.default_rng(41))[0].copy()
    poses[100::500, :3, 3] = [5, 0, 0]
    poses[300] = np.eye(4)
    poses[2::97] = poses[2::97].astype(np.float32)
    return poses


def test_rows_do_not_depend_on_the_number_of_threads(ur10, targets):
    expected = pose_ik.solve_batch(ur10, targets, threads=1)
    assert set(expected.status) >= {pose_ik.Status.CONVERGED, pose_ik.Status.UNREACHABLE}
    for threads in (2, 3, None):
        assert_same(pose_ik.solve_batch(ur10, targets, threads=threads), expected)


def test_concurrent_calls_of_solve_return_the_same_results(ur10, targets):
    some = targets[250:450]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda target: pose_ik.solve(ur10, target), some))
    for result, target in zip(results, some, strict=True):
        assert_same(result, pose_ik.solve(ur10, target))


def test_rows_do_not_depend_on_the_size_of_the_batch(ur10, targets):
    whole = pose_ik.solve_batch(ur10, targets)
    for size in SIZES:
        part = pose_ik.solve_batch(ur10, targets[:size])
        for name in FIELDS:
            np.testing.assert_array_equal(getattr(part, name), getattr(whole, name)[:size], f"{name} of {size}")


@pytest.mark.parametrize("policy", [None, pose_ik.Sugihara(), pose_ik.TrustRegion()], ids=str)
@pytest.mark.parametrize("seeded", [False, True])
def test_each_row_equals_the_single_result_to_the_last_bit(ur10, targets, policy, seeded):
    some, method = targets[250:450], policy and pose_ik.LevenbergMarquardt(policy)
    many = pose_ik.solve_batch(ur10, some, method=method, rng=np.random.default_rng(5) if seeded else None)
    assert (many.converged == (many.status == pose_ik.Status.CONVERGED)).all()
    rng = np.random.default_rng(5) if seeded else None
    for row, target in enumerate(some):
        assert_same(many[row], pose_ik.solve(ur10, target, method=method, rng=rng))


def test_a_batch_advances_the_generator_as_single_solves_do(planar_2r):
    target = planar_2r.forward_kinematics([0.3, 0.4])
    one, other = np.random.default_rng(6), np.random.default_rng(6)
    pose_ik.solve_batch(planar_2r, [target] * 5, rng=one)
    for _ in range(5):
        pose_ik.solve(planar_2r, target, rng=other)
    assert one.integers(2**62) == other.integers(2**62)


@pytest.mark.parametrize("progress", [True, False, None])
def test_progress_bar_is_shown_on_request(ur10, targets, capsys, progress):
    pose_ik.solve_batch(ur10, targets, progress=progress)
    assert ("3000/3000" in capsys.readouterr().err) == bool(progress)
