"""Values of the library, before and after use, can be copied and sent to another process with the same results."""

import copy
import dataclasses
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from enum import Enum

import numpy as np
import pytest

from lessons_lib import pose_ik, robots, studies, trajectories
from lessons_lib.course.starts import basins
from lessons_lib.differential_ik.errors import MeshTouched, NotWithinConfigurationLimits, TargetNotSet, UnknownSolver
from lessons_lib.errors import ConfigurationError, FrameNotFound, ParameterError
from lessons_lib.extras import MissingExtra
from lessons_lib.robots import Chain

WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "protocol 2": lambda thing: pickle.loads(pickle.dumps(thing, 2)),
    "protocol 5, out of band": lambda thing: out_of_band(thing),
}


WEIGHTED = pose_ik.pose([1, 2, 3, 4, 5, 6]).of(pose_ik.LevenbergMarquardt(pose_ik.TrustRegion()))


def out_of_band(thing):
    """Pickle with out-of-band arrays, as joblib and Dask do; the received memory may be writable."""
    buffers = []
    data = pickle.dumps(thing, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[bytearray(buffer) for buffer in buffers])


def use_everything(chain):
    """Call every function that caches something on a chain, and return the chain."""
    q = 0.5 * (chain.sampling_limits[:, 0] + chain.sampling_limits[:, 1]) + 0.1
    target = chain.forward_kinematics(q)
    chain.space_jacobian(q), chain.body_jacobian(q), chain.pose_and_jacobian(q)
    pose_ik.solve(chain, target, q), pose_ik.solve_batch(chain, target[None], q)
    trajectories.trace(chain, target[None], q)
    return chain


def is_same(one, other):
    """Return whether two values are equal to the last bit and equally writable."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        assert isinstance(other, np.ndarray)
        equal = np.array_equal(one, other, equal_nan=one.dtype != object)
        return equal and one.dtype == other.dtype and one.flags.writeable == other.flags.writeable
    if isinstance(one, Enum) or one is None:
        return one is other
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
    if dataclasses.is_dataclass(one):
        names = [field.name for field in dataclasses.fields(one)]
    elif isinstance(one, pose_ik.Result):
        names = ["q", "status", "converged", "iterations", "restarts", "orientation_error", "position_error", "trace"]
    else:
        return bool(one == other)
    return all(is_same(getattr(one, name), getattr(other, name)) for name in names)


def test_is_same_detects_differences(planar_2r):
    """Otherwise the tests below could not fail."""
    one = pose_ik.solve(planar_2r, planar_2r.forward_kinematics([0.3, 0.4]), trace=True)
    other = pose_ik.solve(planar_2r, planar_2r.forward_kinematics([0.3, 0.4 + 1e-9]), trace=True)
    assert is_same(one, one) and not is_same(one, other)
    array = np.zeros(2)
    closed = array.copy()
    closed.setflags(write=False)
    assert is_same(array, array.copy()) and not is_same(array, closed) and not is_same(array, -array.astype(np.float32))


@pytest.fixture(scope="module")
def planar_2r():
    return robots.planar_2r()


def values():
    """Return one value of each kind that the library returns."""
    chain = robots.planar_2r()
    targets = np.array([chain.forward_kinematics([0.1 * k, 1.0]) for k in range(6)])
    far = targets.copy()
    far[3:, 0, 3] = 9.0
    motion = trajectories.through(targets, how="decoupled", scaling="cubic")
    path = trajectories.trace(chain, far, on_failure="stop")
    seen = trajectories.trace(chain, targets)
    str(seen), seen.moves
    found = pose_ik.solve(chain, targets[2], [0.4, 0.8], trace=True)
    return {
        "Chain": chain,
        "Chain, used": use_everything(robots.planar_2r()),
        "Path, cut short": path,
        "Path, used": seen,
        "Motion": motion,
        "Trajectory": trajectories.retime([[0.2, 0.5], [0.3, 0.4]], chain, acceleration=1.0),
        "JerkLimited": trajectories.rest_to_rest(chain, [0, 0], [0.3, 0.4], jerk=9.0, velocity=1.0, acceleration=1.0),
        "Result": pose_ik.solve(chain, targets[1]),
        "Result, not converged": pose_ik.solve(chain, far[3]),
        "Result, traced": found,
        "Trace": found.trace,
        "BatchResult": pose_ik.solve_batch(chain, far),
        "BatchResult, empty": pose_ik.solve_batch(chain, []),
        "Status": pose_ik.Status.STALLED,
        "Stop": pose_ik.Stop(1e-3, 1e-4, 7),
        "BestOf": pose_ik.BestOf(7, restarts=9),
        "Goal": pose_ik.pose((1, 1, 0, 1, 1, 1), axes="target"),
        "NewtonRaphson": pose_ik.NewtonRaphson("space"),
        "LevenbergMarquardt": WEIGHTED,
        "Basins": basins.basins(pose_ik.GaussNewton(), size=8),
        "Choice": studies.METHODS["chan"],
    }


@pytest.fixture(scope="module")
def made():
    return values()


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_is_equal_and_as_read_only_as_the_original(made, way):
    for name, value in made.items():
        assert is_same(WAYS[way](value), value), name


@pytest.mark.parametrize("way", WAYS)
def test_a_copied_chain_gives_the_same_results(made, way):
    chain = made["Chain, used"]
    assert isinstance(chain, Chain)
    arrived = WAYS[way](chain)
    assert isinstance(arrived, Chain) and arrived is not chain
    assert arrived.kernels is chain.kernels, "equal recipes share code"
    target = chain.forward_kinematics([0.7, 0.8])
    np.testing.assert_array_equal(arrived.forward_kinematics([0.7, 0.8]), target)
    assert is_same(pose_ik.solve(arrived, target), pose_ik.solve(chain, target))


ERRORS = [
    ParameterError("as it is"),
    FrameNotFound("tol0", ("tool0", "base"), "UR10"),
    NotWithinConfigurationLimits(0, "elbow", 4.0, -3.0, 3.0),
    TargetNotSet("a task"),
    MeshTouched(("wall", "link 3")),
    UnknownSolver("none of them", ["daqp"]),
    MissingExtra("retime", "motion", "scipy"),
]
"""An error that is created from its message, and errors that are created from other arguments."""


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("way", WAYS)
def test_a_copied_error_has_message_attributes_and_notes(error, way):
    """An error that cannot be unpickled would hang a Pool forever."""
    error.__notes__ = ["added on the way"]
    arrived = WAYS[way](error)
    assert type(arrived) is type(error) and str(arrived) == str(error)
    assert (arrived.args, vars(arrived)) == (error.args, vars(error))


def answer(chain, targets, method, starts):
    """Solve in another process, and return all kinds of results."""
    batch = pose_ik.solve_batch(chain, targets, method=method, starts=starts)
    path = trajectories.trace(chain, targets, method=method, starts=starts)
    return pose_ik.solve(chain, targets[0], method=method, starts=starts, trace=True), batch, path, chain


@pytest.mark.check
@pytest.mark.parametrize("start", [pytest.param("spawn", marks=pytest.mark.release), "fork"])
def test_worker_processes_return_the_same_results(start):
    """With a used chain, by Pool and by executor."""
    chain, starts = use_everything(robots.planar_2r()), pose_ik.Restarts(3)
    targets = np.array([chain.forward_kinematics([0.1 * k, 1.0]) for k in range(4)])
    context = multiprocessing.get_context(start)
    work = [(chain, targets, method, starts) for method in (pose_ik.NewtonRaphson(), WEIGHTED)]
    expected = [answer(*arguments) for arguments in work]
    with context.Pool(2) as pool:
        found = pool.starmap_async(answer, work).get(timeout=900)
        with pytest.raises(ConfigurationError, match="q of planar 2R"):
            pool.apply_async(chain.forward_kinematics, ([np.nan, 0.0],)).get(timeout=900)
    assert is_same(found, expected)
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        found = list(executor.map(answer, *zip(*work, strict=True), timeout=900))
    assert is_same(found, expected)
