"""An error raised in one process arrives in another as it was; one that cannot be made again hangs a Pool for ever."""

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from unittest import mock

import numpy as np
import pytest

from lessons_lib import extras, robots
from lessons_lib.differential_ik import (
    Configuration,
    FrameTask,
    MeshTouched,
    VelocityLimit,
    solve_ik,
)
from lessons_lib.errors import LessonsError


def standing() -> Configuration:
    return Configuration(robots.load_urdf(robots.urdf_file("panda")))


def outside() -> None:
    configuration = standing()
    q = configuration.q.copy()
    q[0] = 1e3
    configuration.update(q)
    configuration.check_limits()


def no_target() -> None:
    configuration = standing()
    FrameTask(configuration.model.frame_names[-1], 1.0, 1.0).compute_error(configuration)


def no_solution() -> None:
    """Ask for a constraint that no velocity within the limits can meet."""
    configuration = standing()
    frame = configuration.model.frame_names[-1]
    task = FrameTask(frame, 1.0, 1.0)
    far = configuration.get_transform_frame_to_world(frame).copy()
    far[:3, 3] += 1e3
    task.set_target(far)
    limits = [VelocityLimit(configuration.model)]
    solve_ik(configuration, [], 0.01, limits=limits, constraints=[task], safety_break=False)


def mesh_touched() -> None:
    raise MeshTouched(("wall", "link 3"))


def of_extras() -> None:
    """Ask for a package whose library is not there."""
    with mock.patch.dict(extras.EXTRAS, plots=("a_library_that_there_is_not",)):
        extras.need("plots", "lessons_lib.plots")


RAISED: dict[str, Callable[[], object]] = {
    "ConfigurationError": lambda: robots.planar_2r().forward_kinematics([np.nan, 0.0]),
    "FrameNotFound": lambda: standing().get_transform_frame_to_world("nowhere"),
    "NotWithinConfigurationLimits": outside,
    "TargetNotSet": no_target,
    "MeshTouched": mesh_touched,
    "UnknownSolver": lambda: solve_ik(standing(), [], 0.01, solver="none of them", safety_break=False),
    "NoSolutionFound": no_solution,
    "MissingExtra": of_extras,
}
"""An error with a message alone, and each one that is made of other arguments than its message."""


def made_of_other_arguments(root: type[LessonsError] = LessonsError) -> set[str]:
    below = {name for child in root.__subclasses__() for name in made_of_other_arguments(child)}
    return below | ({root.__name__} if "__init__" in vars(root) else set())


def test_each_error_that_is_made_of_other_arguments_is_raised_here() -> None:
    assert made_of_other_arguments() <= set(RAISED)


def made(name: str) -> LessonsError:
    """Return the error as the library makes it, with a note that somebody added on the way."""
    try:
        RAISED[name]()
    except LessonsError as error:
        assert type(error).__name__ == name
        error.add_note("seen by a test")
        return error
    raise AssertionError(f"no {name} was raised")


def fail(name: str) -> None:
    RAISED[name]()


@pytest.mark.parametrize("name", RAISED)
@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL, None])
def test_an_error_arrives_as_it_was(name: str, protocol: int | None) -> None:
    error = made(name)
    arrived = copy.deepcopy(error) if protocol is None else pickle.loads(pickle.dumps(error, protocol))
    assert type(arrived) is type(error)
    assert str(arrived) == str(error) and arrived.args == error.args
    assert vars(arrived).keys() == vars(error).keys() and arrived.__notes__ == ["seen by a test"]
    for attribute, value in vars(error).items():
        there = vars(arrived)[attribute]
        assert type(there) is type(value)
        if isinstance(value, str | int | float | tuple):
            assert there == value, attribute


@pytest.mark.check
@pytest.mark.parametrize("method", [pytest.param("spawn", marks=pytest.mark.release), "fork"])
def test_a_pool_hands_every_error_on(method: str) -> None:
    """Neither pool may hang: an error that cannot be unpickled ends the thread that would have brought it."""
    names = ["ConfigurationError", "FrameNotFound", "NotWithinConfigurationLimits", "UnknownSolver"]
    context = multiprocessing.get_context(method)
    with context.Pool(1) as pool:
        for name in names:
            with pytest.raises(LessonsError) as caught:
                pool.apply_async(fail, (name,)).get(timeout=900)
            assert type(caught.value).__name__ == name
    if method == "spawn":
        with ProcessPoolExecutor(1, mp_context=context) as executor:
            for name in names:
                found = executor.submit(fail, name).exception(timeout=900)
                assert type(found).__name__ == name and str(found) == str(made(name))
