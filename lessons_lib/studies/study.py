"""Studies: every robot with every method, starting strategy and goal, on the same random poses."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import product
from types import FunctionType
from typing import Any, get_args

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence

from lessons_lib import __version__
from lessons_lib.arrays import Array, ReadOnly, check_count
from lessons_lib.errors import ParameterError, StudyError
from lessons_lib.lazy import cached_property
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.pose_ik import BatchResult, Goal, LevenbergMarquardt, Restarts, Status, Stop, solve_batch
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.starts import Starts
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain
from lessons_lib.studies.method_registry import First

__all__ = [
    "Case",
    "Strategy",
    "Study",
]


@suggest_arguments
@dataclass(frozen=True)
class Strategy:
    """Start, restarts and stopping rule of a search.

    >>> from lessons_lib import pose_ik, studies
    >>> studies.Strategy("middle", starts=pose_ik.Restarts(0)).first
    'middle'

    Attributes:
        first: First start: "random" within the limits, "middle" of the joint ranges, or "home" (zero, clipped to the
            limits).
        stop: Tolerances and the largest number of steps of a start.
        starts: As in `pose_ik.solve`. `Restarts()` allows up to a thousand.

    Raises:
        ParameterError: `first` is another word.
    """

    first: First = "random"
    stop: Stop = Stop()
    starts: Starts = Restarts()

    def __post_init__(self) -> None:
        """Check `first`."""
        if not isinstance(self.first, str) or self.first not in get_args(First):
            raise ParameterError(f"first must be {', '.join(get_args(First))}, got {self.first!r}")


@dataclass(frozen=True)
class Case:
    """One combination of a study.

    Attributes:
        place: Its number, from 0. The random numbers that the solver draws depend on the study's seed and on it.
        robot: Name of the robot.
        method: Name of the method.
        strategy: Name of the strategy.
        goal: Name of the goal.
    """

    place: int
    robot: str
    method: str
    strategy: str
    goal: str


@dataclass(frozen=True, eq=False, repr=False)
class CaseResult(BatchResult):
    """The results of k poses.

    Attributes:
        distance: ‖q − q₀‖ from the first start, shape (k,), rad (m for a prismatic joint).
        seconds: Mean time of a pose in its chunk, shape (k,), s of one process; it depends on the machine.
    """

    distance: Array
    seconds: Array


Solved = tuple[int, CaseResult, dict[str, Any]]


@suggest_arguments
@dataclass(frozen=True, eq=False, repr=False)
class Study(ReadOnly):
    """All combinations of robots, methods, strategies and goals, each with the same number of poses.

    All cases of a robot get the same targets and the same random starts, so they can be compared pose by pose.

    >>> from lessons_lib import robots, studies
    >>> methods = {name: studies.method(name) for name in ("newton", "chan")}
    >>> len(studies.Study([robots.planar_2r(), robots.ur10()], methods).cases)
    4

    Attributes:
        robots: Chains with different names.
        methods: Methods by name.
        strategies: Strategies by name.
        goals: Goals by name; None is the whole pose.
        poses: Number of poses of a case.
        seed: Seed of all random numbers.
        chunk: Number of poses that are solved, and stored, together. It does not change any result.

    Raises:
        ParameterError: An empty axis, a count that is not positive, or a method that cannot serve a goal.
    """

    robots: Sequence[Chain]
    methods: Mapping[str, StepMethod] = field(default_factory=lambda: {"chan 0.1": LevenbergMarquardt()})
    strategies: Mapping[str, Strategy] = field(default_factory=lambda: {"random start": Strategy()})
    goals: Mapping[str, Goal | None] = field(default_factory=lambda: {"pose": None})
    poses: int = 1000
    seed: int = 0
    chunk: int = 10_000

    def __post_init__(self) -> None:
        """Check all cases."""
        for name, kind in (("robots", Sequence), ("methods", Mapping), ("strategies", Mapping), ("goals", Mapping)):
            if not isinstance(value := getattr(self, name), kind) or not value:
                form = "a list of chains" if name == "robots" else f"a mapping from labels to {name}"
                raise ParameterError(f"{name} must be {form} with at least one entry, got {value!r}")
        for chain in self.robots:
            check_chain(chain, "an entry of robots")
        names = [chain.name for chain in self.robots]
        if len(set(names)) < len(names):
            raise ParameterError(f"robots must have different names, got {', '.join(names)}")
        for name, least in (("poses", 1), ("chunk", 1), ("seed", 0)):
            check_count(name, getattr(self, name), least)
        for label, strategy in self.strategies.items():
            if not isinstance(strategy, Strategy):
                raise ParameterError(f"strategy {label!r} must be a Strategy, such as {Strategy()!r}, got {strategy!r}")
        for case in self.cases:
            chain, method, strategy, goal = self.parts(case)
            check_problem(chain, method, strategy.stop, strategy.starts, goal)

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """All cases; goals change fastest, then strategies, methods, and robots."""
        axes = [chain.name for chain in self.robots], self.methods, self.strategies, self.goals
        return tuple(Case(place, *names) for place, names in enumerate(product(*axes)))

    @property
    def chunks_of_a_case(self) -> int:
        """Number of chunks of a case; the last one may be smaller."""
        return -(-self.poses // self.chunk)

    @cached_property
    def hash(self) -> str:
        """Sixteen hexadecimal digits that depend on the library's version and on everything that affects the results.

        Raises:
            ParameterError: The repr of a user-defined method does not identify it.
        """
        return hashlib.sha256(json.dumps([__version__, self], default=for_json).encode()).hexdigest()[:16]

    def problems(self, robot: int = 0) -> tuple[Array, Array]:
        """Return targets, shape (k, 4, 4), m, and random starts, shape (k, n), rad or m, of a robot by its place."""
        return self._draw(self.robots[robot], range(self.poses))

    def parts(self, case: Case) -> tuple[Chain, StepMethod, Strategy, Goal | None]:
        """Return robot, method, strategy and goal of a case."""
        robots = {chain.name: chain for chain in self.robots}
        return robots[case.robot], self.methods[case.method], self.strategies[case.strategy], self.goals[case.goal]

    def chunk_of(self, number: int) -> tuple[Case, range]:
        """Return the case of a chunk, and its poses."""
        place, within = divmod(number, self.chunks_of_a_case)
        return self.cases[place], range(self.poses)[within * self.chunk : (within + 1) * self.chunk]

    def solve_chunk(self, number: int, threads: int | None, version: str = __version__) -> Solved:
        """Return the number and the results of a chunk, and this process; `version` is that of the caller."""
        if version != __version__:
            raise StudyError(f"the study needs lessons-lib {version}, this process has {__version__}")
        case, rows = self.chunk_of(number)
        chain, method, strategy, goal = self.parts(case)
        targets, starts = self._draw(chain, rows)
        if strategy.first != "random":
            middle = chain.sampling_limits.mean(axis=1)
            starts[:] = middle if strategy.first == "middle" else np.clip(0.0, *chain.limits.T)
        options: dict[str, Any] = {"goal": goal, "method": method, "starts": strategy.starts, "stop": strategy.stop}
        for count in (1 + len(rows) // 100, len(rows)):  # the first one compiles; its time does not count
            begun = time.perf_counter()
            options["rng"] = self._stream(1, case.place, rows.start)
            batch = solve_batch(chain, targets[:count], starts[:count], progress=False, threads=threads, **options)
            if (batch.status == Status.INTERRUPTED).any():
                raise KeyboardInterrupt
        seconds = np.full(count, (time.perf_counter() - begun) / count)
        distance = np.linalg.norm(batch.q - starts, axis=1)
        versions = {"lessons-lib": __version__, "numpy": np.__version__, "python": platform.python_version()}
        process = {**versions, "system": platform.platform(), "host": platform.node(), "process": os.getpid()}
        return number, CaseResult(**batch.__getstate__(), distance=distance, seconds=seconds), process

    def _draw(self, chain: Chain, rows: range) -> tuple[Array, Array]:
        """Return targets and random starts of some poses.

        Pose i uses the 2n numbers of its robot's stream from 2ni on: a configuration, then the random start.
        """
        lower, upper = chain.sampling_limits.T
        stream = self._stream(0, self.robots.index(chain), 2 * chain.dof * rows.start)
        drawn = np.minimum(lower + (upper - lower) * stream.random((len(rows), 2, chain.dof)), upper)
        return chain.forward_kinematics(drawn[:, 0]), drawn[:, 1]

    def _stream(self, kind: int, place: int, skip: int) -> Generator:
        """Return random numbers of a robot (0) or of the solver in a case (1), one for each pose, from a place on."""
        return Generator(PCG64(SeedSequence(self.seed, spawn_key=(kind, place))).advance(skip))


def for_json(value: Any) -> Any:
    """Return a JSON value that identifies an object in every process; the `default` of `json.dumps`."""
    if isinstance(value, np.ndarray):
        return [value.shape, str(value.dtype), hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()]
    if is_dataclass(value) and not isinstance(value, type):
        return {type(value).__name__: [getattr(value, one.name) for one in fields(value)]}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, FunctionType):  # the formula of a method
        from lessons_lib.pose_ik.stated_step import key_of_any

        return key_of_any(value)
    if " at 0x" in (text := repr(value)):
        raise ParameterError(
            f"the repr of a method must identify it, got {text}: its results could be taken for those of another; "
            "give its class a __repr__ with its parameters, or make it a dataclass"
        )
    return text
