"""Arrays of every kind: what is a pose is solved, what is none is refused in words, and nothing is read beyond its end.

The quick way into compiled code takes an array as it is; everything else has to find its way round.
"""

import math
from typing import Any

import numpy as np
import pytest
from run_in_python import assert_same

from lessons_lib.errors import ConfigurationError, LessonsError, ParameterError, TransformError
from lessons_lib.lie import ORTHOGONALITY
from lessons_lib.lie.poses import ORTHONORMALIZE_TOLERANCE
from lessons_lib.pose_ik import Chan, LevenbergMarquardt, Status, Stop, solve, solve_batch
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.robots import Chain

Q0 = np.array([0.1, -0.2, 0.3, -0.4, 0.5, -0.6])
Q = np.array([0.5, -0.8, 1.1, 0.2, -0.9, 0.4])


def strided(values: np.ndarray) -> np.ndarray:
    """Return the same numbers with other numbers between them."""
    wide = np.full([2 * size for size in values.shape], 7.0)
    every_other = tuple(slice(None, None, 2) for _ in values.shape)
    wide[every_other] = values
    return wide[every_other]


def unaligned(values: np.ndarray) -> np.ndarray:
    """Return the same numbers, beginning at an odd address."""
    return np.frombuffer(b"x" + values.tobytes(), offset=1).reshape(values.shape)


def frozen(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values.setflags(write=False)
    return values


def masked(values: np.ndarray) -> Any:
    return np.ma.masked_array(values)


class LookAlike:
    """What says of itself all that an array of doubles says, and is none: only NumPy can make one of it."""

    def __init__(self, values: np.ndarray) -> None:
        self.values, self.ndim, self.dtype, self.shape = values, values.ndim, values.dtype, values.shape

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        return self.values


KINDS = {
    "lists": lambda values: values.tolist(),
    "tuples": lambda values: tuple(map(tuple, values.tolist())) if values.ndim == 2 else tuple(values.tolist()),
    "fortran": np.asfortranarray,
    "backwards": lambda values: values[::-1].copy()[::-1],
    "read-only": frozen,
    "strided": strided,
    "unaligned": unaligned,
    "big-endian": lambda values: values.astype(">f8"),
    "longdouble": lambda values: values.astype(np.longdouble),
    "object": lambda values: values.astype(object),
    "masked": masked,
    "memoryview": memoryview,
    "subclass": lambda values: values.view(np.recarray),
    "look-alike": LookAlike,
}


@pytest.mark.parametrize("kind", KINDS)
def test_any_kind_of_array_gives_the_same_answer(ur10: Chain, kind: str) -> None:
    target = ur10.forward_kinematics(Q)
    expected, convert = solve(ur10, target, Q0), KINDS[kind]
    assert expected.converged
    assert_same(solve(ur10, convert(target), Q0), expected)
    assert_same(solve(ur10, target, convert(Q0)), expected)
    assert_same(solve(ur10, convert(target), convert(Q0)), expected)


def test_a_rounded_rotation_is_replaced_by_the_nearest_one(ur10: Chain) -> None:
    """The Newton-Schulz iteration gives the polar factor, as the singular values do."""
    assert ORTHONORMALIZE_TOLERANCE == ORTHOGONALITY
    rng, sharp = np.random.default_rng(3), Stop(orientation=1e-12, position=1e-12)
    for size in (1e-11, 1e-9, 1e-8, 6e-8):
        target = ur10.forward_kinematics(Q)
        target[:3, :3] += size * rng.uniform(-1.0, 1.0, (3, 3))
        left, _, right = np.linalg.svd(target[:3, :3])
        nearest = target.copy()
        nearest[:3, :3] = left @ right
        for found in (solve(ur10, target, Q0, stop=sharp), solve_batch(ur10, [target] * 9, Q0, stop=sharp)[8]):
            assert found.converged
            np.testing.assert_allclose(ur10.forward_kinematics(found.q), nearest, rtol=0, atol=4e-12)
    target[:3, :3] *= 1.0 + ORTHOGONALITY
    with pytest.raises(TransformError, match="not a rotation"):
        solve(ur10, target, Q0)


@pytest.mark.parametrize("bad", [None, math.nan, "1", [1.0], np.ma.masked])
@pytest.mark.parametrize("place", [(0, 0), (2, 3), (3, 3)])
def test_a_list_that_holds_something_else(ur10: Chain, bad: object, place: tuple[int, int]) -> None:
    target = ur10.forward_kinematics(Q).tolist()
    target[place[0]][place[1]] = bad
    for solver, given in ((solve, target), (solve_batch, [target])):
        with pytest.raises(TransformError):
            solver(ur10, given, Q0)


WRONG_SHAPES = [(3, 3), (4, 3), (3, 4), (8, 4), (5,), (16,), (1, 16), (1, 4, 4), (2, 4, 4), (0,), (4, 0), (0, 4), ()]


@pytest.mark.parametrize("shape", WRONG_SHAPES)
@pytest.mark.parametrize("solve", [solve_in_python, solve])
def test_targets_of_another_shape(ur10: Chain, shape: tuple[int, ...], solve: Any) -> None:
    with pytest.raises(TransformError, match=r"target must have shape \(4, 4\), got \("):
        solve(ur10, np.ones(shape), Q0)


@pytest.mark.parametrize("shape", [(5,), (7,), (1,), (0,), (), (6, 1), (1, 6), (2, 3), (12,), (600,)])
@pytest.mark.parametrize("solve", [solve_in_python, solve])
def test_starts_of_another_shape(ur10: Chain, shape: tuple[int, ...], solve: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"q of UR10 must have shape \(6,\), got \("):
        solve(ur10, ur10.forward_kinematics(Q), np.zeros(shape))


@pytest.mark.parametrize("bad", [None, {}, set(), "there", b"there", object(), 1.0, np.array("x"), np.eye(4) * 1j])
def test_what_is_no_pose_at_all(ur10: Chain, bad: object) -> None:
    with pytest.raises(TransformError, match="target must"):
        solve(ur10, bad, Q0)


@pytest.mark.parametrize("bad", [{}, set(), "here", b"here", object(), 1.0, np.array("x"), Q0 * 1j])
def test_what_is_no_configuration_at_all(ur10: Chain, bad: object) -> None:
    with pytest.raises(ConfigurationError, match="q of UR10 must"):
        solve(ur10, ur10.forward_kinematics(Q), bad)


@pytest.mark.parametrize("bad", [np.eye(4), [1], {}, None, "ur10", Chain])
def test_what_is_no_chain_at_all(ur10: Chain, bad: object) -> None:
    """Arguments in the wrong order are the commonest mistake, and an array cannot be a key."""
    for solver in (solve, solve_batch):
        with pytest.raises(ParameterError, match="arm is a"):
            solver(bad, np.eye(4))


@pytest.mark.parametrize("place", [(0, 0), (2, 2), (0, 3), (2, 3), (3, 0), (3, 3)])
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e308])
def test_a_number_that_is_none_anywhere_in_the_target(ur10: Chain, place: tuple[int, int], bad: float) -> None:
    target = ur10.forward_kinematics(Q)
    target[place] = bad
    if bad == 1e308 and place in ((0, 3), (2, 3)):
        assert solve(ur10, target, Q0).status is Status.UNREACHABLE
        return
    with np.errstate(over="ignore", invalid="ignore"), pytest.raises(TransformError, match="target"):
        solve(ur10, target, Q0)


@pytest.mark.parametrize("joint", range(6))
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 7.0, -7.0, 1e300])
def test_a_start_that_is_none(ur10: Chain, joint: int, bad: float) -> None:
    start = Q0.copy()
    start[joint] = bad
    name = ur10.joint_names[joint]
    message = "finite" if not math.isfinite(bad) else f"{name}.*limits|limits.*{name}"
    with pytest.raises(ConfigurationError, match=message):
        solve(ur10, ur10.forward_kinematics(Q), start)


@pytest.mark.parametrize("row", [0, 1, 1023, 1024, 2500, 4999])
@pytest.mark.parametrize("threads", [1, 2])
def test_one_bad_row_among_many_is_named(ur10: Chain, row: int, threads: int) -> None:
    targets = np.tile(ur10.forward_kinematics(Q), (5000, 1, 1))
    starts = np.tile(Q0, (5000, 1))
    for spoil, message in (
        (lambda T, q: T.__setitem__((0, 0), 2.0), f"rotation part of target {row} is not a rotation"),
        (lambda T, q: T.__setitem__((1, 3), math.nan), f"target {row} must be finite"),
        (lambda T, q: q.__setitem__(2, 9.0), f"row {row} of q0: .*limits"),
        (lambda T, q: q.__setitem__(5, math.nan), f"row {row} of q0: .*finite"),
    ):
        bad_targets, bad_starts = targets.copy(), starts.copy()
        spoil(bad_targets[row], bad_starts[row])
        with pytest.raises(LessonsError, match=message):
            solve_batch(ur10, bad_targets, bad_starts, threads=threads)


@pytest.mark.parametrize("shape", [(3, 5), (2, 6), (4, 6), (3, 6, 1), (18,), (1, 6)])
def test_starts_of_a_batch_of_another_shape(ur10: Chain, shape: tuple[int, ...]) -> None:
    targets = np.tile(ur10.forward_kinematics(Q), (3, 1, 1))
    with pytest.raises(ConfigurationError, match="must have shape"):
        solve_batch(ur10, targets, np.zeros(shape))


def test_a_policy_derived_from_one_of_ours_is_asked(ur10: Chain) -> None:
    """The compiled loops know the library's own classes; a reader's subclass is the reader's."""
    asked = []

    class Careful(Chan):
        def value(self, error: np.ndarray, weights: np.ndarray, jacobian: object = None) -> float:
            asked.append(error)
            return 2.0 * super().value(error, weights)

    result = solve(ur10, ur10.forward_kinematics(Q), Q0, method=LevenbergMarquardt(Careful(0.1)))
    assert result.converged and len(asked) >= result.iterations
