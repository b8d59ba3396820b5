"""An error raised in one process arrives in another as it was; one that cannot be made again hangs a Pool for ever."""

import copy
import importlib
import multiprocessing
import pickle
import pkgutil
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

import lessons_lib
from lessons_lib import claims, codegen, errors, extras, lie, robots, studies
from lessons_lib.course import simulation
from lessons_lib.differential_ik import (
    BodySphericalBarrier,
    Configuration,
    FrameTask,
    LinearHolonomicTask,
    MeshTouched,
    PositionBarrier,
    SelfCollisionBarrier,
    VelocityLimit,
    solve_ik,
)
from lessons_lib.errors import LessonsError
from lessons_lib.pose_ik import Stop, solve
from lessons_lib.robots import kernel_check


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


def unknown_solver() -> None:
    solve_ik(standing(), [], 0.01, solver="none of them", safety_break=False)


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


def of_simulation() -> None:
    raise simulation.SimulationError("block 'ik' failed")


def of_codegen() -> None:
    codegen.source([], "Fortran")


def of_claims() -> None:
    x = claims.statement.sp.Symbol("x", positive=True)
    claims.claim("0.0", "this is false", x, "=", 2 * x)


def of_kinematics() -> None:
    """Look at the kernels of another arm than the one that is asked for."""
    one, other = robots.planar_2r(), robots.planar_2r(1.0, 2.0)
    kernel_check.check_text(one.source("scalar"), other.screws, other.home)


def of_studies() -> None:
    """Keep a study where a file is, and no folder."""
    studies.run(studies.Study([robots.planar_2r()]), Path(__file__))


def of_extras() -> None:
    """Ask for a package whose library is not there."""
    with mock.patch.dict(extras.EXTRAS, plots=("a_library_that_there_is_not",)):
        extras.need("plots", "lessons_lib.plots")


RAISED: dict[str, Callable[[], object]] = {
    "LessonsError": lambda: raised(LessonsError("as it is")),
    "ArgumentError": lambda: raised(errors.ArgumentError("as it is")),
    "ConfigurationError": lambda: robots.planar_2r().forward_kinematics([np.nan, 0.0]),
    "TransformError": lambda: lie.inverse(np.zeros((4, 4))),
    "ScrewError": lambda: robots.from_screws(np.ones((6, 1)), np.eye(4)),
    "CouplingError": lambda: robots.Coupling(np.ones((2, 2))),
    "LimitsError": lambda: robots.from_screws(np.eye(6)[:, :1], np.eye(4), limits=[[1.0, 0.0]]),
    "ConventionError": lambda: robots.from_dh([], convention="none"),  # type: ignore[arg-type]
    "UrdfError": lambda: robots.load_urdf("<robot"),
    "FrameNotFound": lambda: standing().get_transform_frame_to_world("nowhere"),
    "ParameterError": lambda: Stop(max_iterations=0),
    "UnknownArgument": lambda: solve(robots.planar_2r(), np.eye(4), tol=1e-3),
    "ClaimError": of_claims,
    "CodegenError": of_codegen,
    "StudyError": of_studies,
    "KinematicsError": of_kinematics,
    "SimulationError": of_simulation,
    "NotWithinConfigurationLimits": outside,
    "TargetNotSet": no_target,
    "TaskDefinitionError": lambda: LinearHolonomicTask([[1.0]], [0.0, 1.0]),
    "TaskJacobianNotSet": lambda: LinearHolonomicTask([[1.0]], [0.0]).compute_error(standing()),
    "NoPositionLimitProvided": lambda: PositionBarrier("tool0"),
    "InvalidCollisionPairs": lambda: SelfCollisionBarrier(-1),
    "MeshTouched": lambda: raised(MeshTouched(("wall", "link 3"))),
    "NegativeMinimumDistance": lambda: BodySphericalBarrier(("a", "b"), -1.0),
    "UnknownSolver": unknown_solver,
    "NoSolutionFound": no_solution,
    "MissingExtra": of_extras,
}


def raised(error: Exception) -> None:
    raise error


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


def all_errors(root: type = LessonsError) -> Iterator[type]:
    yield root
    for child in root.__subclasses__():
        yield from all_errors(child)


def test_each_error_of_the_library_is_raised_here() -> None:
    for module in pkgutil.walk_packages(lessons_lib.__path__, "lessons_lib."):
        if not re.search(r"__main__$|draw_icons$|^lessons_lib\.course\.\w+\.check", module.name):
            importlib.import_module(module.name)
    found = {error.__name__ for error in all_errors() if error.__module__.startswith("lessons_lib")}
    assert found == set(RAISED)


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
