"""Studies: every robot with every method, starting strategy and goal, on the same random poses."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields, is_dataclass, replace
from enum import Enum
from itertools import product
from types import FunctionType
from typing import Any, get_args

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence

from lessons_lib import __version__
from lessons_lib.arrays import Array, ReadOnly, check_count, floats
from lessons_lib.errors import ParameterError, StudyError
from lessons_lib.lazy import cached_property
from lessons_lib.lie.targets import check_targets
from lessons_lib.pose_ik import BatchResult, Damping, Goal, LevenbergMarquardt, Restarts, Status, Stop, solve_batch
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

WARM_UP = 64
"""Poses solved before the first chunk of a case is timed, so that compilation is not timed."""

_warm: set[tuple[str, int]] = set()


@dataclass(frozen=True, eq=False, repr=False)
class Strategy(ReadOnly):
    """Start, restarts and stopping rule of a search.

    >>> from lessons_lib import pose_ik, studies
    >>> studies.Strategy("middle", starts=pose_ik.Restarts(0)).first
    'middle'

    Attributes:
        first: First start: "random" within the limits, "middle" of the joint ranges, "home" (zero, clipped to the
            limits), or configurations of shape (n,), or (k, n) for k poses, rad or m.
        stop: Tolerances and the largest number of steps of a start.
        starts: As in `pose_ik.solve`. `Restarts()` allows up to a thousand.

    Raises:
        ParameterError: `first` is another word, or not an array of numbers.
    """

    first: First | Array = "random"
    stop: Stop = Stop()
    starts: Starts = Restarts()

    def __post_init__(self) -> None:
        """Check `first`, and store configurations as a read-only array."""
        allowed = f"first must be {', '.join(get_args(First))} or configurations"
        if isinstance(self.first, str):
            if self.first not in get_args(First):
                raise ParameterError(f"{allowed}, got {self.first!r}")
            return
        configurations = floats(self.first, allowed, ParameterError)
        configurations.setflags(write=False)
        object.__setattr__(self, "first", configurations)

    def first_starts(self, chain: Chain, drawn: Array) -> Array:
        """Return the first start of each pose, shape (k, n), given a random configuration for each."""
        if not isinstance(self.first, str):
            return np.broadcast_to(self.first, drawn.shape)
        if self.first == "random":
            return drawn
        one = chain.sampling_limits.mean(axis=1) if self.first == "middle" else np.clip(0.0, *chain.limits.T)
        return np.broadcast_to(one, drawn.shape)


@dataclass(frozen=True)
class Case:
    """One combination of a study.

    Attributes:
        place: Its number, from 0. The random numbers that the solver draws depend on the study's seed and on it.
        robot: Name of the robot.
        method: Name of the method.
        damping: The parameter of its damping rule, λ, w or τ; None without damping, or for a user-defined rule.
        strategy: Name of the strategy.
        goal: Name of the goal.
    """

    place: int
    robot: str
    method: str
    damping: float | None
    strategy: str
    goal: str


@dataclass(frozen=True, eq=False)
class ChunkResult:
    """The results of one chunk, the seconds that it took, and the process that solved it."""

    found: CaseResult
    seconds: float
    process: dict[str, Any]


@dataclass(frozen=True, eq=False, repr=False)
class CaseResult(BatchResult):
    """The results of k poses.

    Attributes:
        distance: ‖q − q₀‖ from the first start, shape (k,), rad (m for a prismatic joint).
    """

    distance: Array


@dataclass(frozen=True, eq=False, repr=False)
class Study(ReadOnly):
    """All combinations of robots, methods, strategies and goals, each with the same number of poses.

    All cases of a robot get the same targets and the same random starts, so they can be compared pose by pose.

    >>> from lessons_lib import pose_ik, robots, studies
    >>> strategies = {"home": studies.Strategy("home", starts=pose_ik.Restarts(0))}
    >>> methods = {"chan": studies.method("chan")}
    >>> study = studies.Study([robots.planar_2r()], methods=methods, strategies=strategies, poses=20, seed=1)
    >>> len(study.cases)
    1

    Attributes:
        robots: Chains with different names.
        methods: Methods by name.
        strategies: Strategies by name.
        goals: Goals by name; None is the whole pose.
        poses: Number of poses of a case. Targets and starts given for each pose must be as many.
        targets: Targets instead of random reachable ones, shape (k, 4, 4), or (4, 4) for all poses, m.
        seed: Seed of all random numbers.
        chunk: Number of poses that are solved, and stored, together. It does not change any result.

    Raises:
        ParameterError: An empty axis, a count that is not positive, arrays of different lengths, or a method that
            cannot serve a goal.
        TransformError: A target is not a pose.
    """

    robots: Sequence[Chain]
    methods: Mapping[str, StepMethod] = field(default_factory=lambda: {"chan 0.1": LevenbergMarquardt()})
    strategies: Mapping[str, Strategy] = field(default_factory=lambda: {"random start": Strategy()})
    goals: Mapping[str, Goal | None] = field(default_factory=lambda: {"pose": None})
    poses: int = 1000
    targets: Array | None = None
    seed: int = 0
    chunk: int = 10_000

    def __post_init__(self) -> None:
        """Check all cases."""
        if not isinstance(self.robots, Sequence):
            raise ParameterError(f"robots must be a list of chains, as [robots.ur10()], got {self.robots!r}")
        for name in ("methods", "strategies", "goals"):
            if not isinstance(getattr(self, name), Mapping):
                raise ParameterError(
                    f"{name} must be a mapping from labels to {name}, such as a dict, got {getattr(self, name)!r}"
                )
        for name in ("robots", "methods", "strategies", "goals"):
            if not getattr(self, name):
                raise ParameterError(f"{name} must have at least one entry, got {getattr(self, name)!r}")
        for chain in self.robots:
            check_chain(chain, "an entry of robots")
        names = [chain.name for chain in self.robots]
        if len(set(names)) < len(names):
            raise ParameterError(f"robots must have different names, got {', '.join(names)}")
        for name, least in (("poses", 1), ("chunk", 1), ("seed", 0)):
            check_count(name, getattr(self, name), least)
        if self.targets is not None:
            array = np.asarray(self.targets, dtype=np.float64)
            poses = check_targets(array.reshape(-1, 4, 4) if array.shape == (4, 4) else array).reshape(array.shape)
            object.__setattr__(self, "targets", poses)
            self._check_length("targets", poses, 2)
        for name, strategy in self.strategies.items():
            if not isinstance(strategy, Strategy):
                raise ParameterError(f"strategy {name!r} must be a Strategy, such as {Strategy()!r}, got {strategy!r}")
            if not isinstance(strategy.first, str):
                self._check_length(f"first of {name!r}", strategy.first, 1)
        for chain, method, strategy, goal in self._grid():
            check_problem(chain, method, strategy.stop, strategy.starts, goal)

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """All cases; goals change fastest, then strategies, methods, and robots."""
        axes = [chain.name for chain in self.robots], self.methods, self.strategies, self.goals
        return tuple(
            Case(place, robot, method, damping_of(self.methods[method]), strategy, goal)
            for place, (robot, method, strategy, goal) in enumerate(product(*axes))
        )

    @property
    def chunks_of_a_case(self) -> int:
        """Number of chunks of a case; the last one may be smaller."""
        return -(-self.poses // self.chunk)

    @property
    def chunks(self) -> int:
        """Number of chunks of all cases."""
        return len(self.cases) * self.chunks_of_a_case

    def size_of(self, number: int) -> int:
        """Return the number of poses of a chunk."""
        return min(self.chunk, self.poses - number % self.chunks_of_a_case * self.chunk)

    @cached_property
    def hash(self) -> str:
        """Sixteen hexadecimal digits that depend on the library's version and on everything that affects the results.

        Raises:
            ParameterError: The repr of a user-defined method does not identify it.
        """
        parts = [__version__, *(canonical_text(getattr(self, one.name)) for one in fields(self))]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def problems(self, robot: str | None = None) -> tuple[Array, Array]:
        """Return the targets of a robot, shape (k, 4, 4), m, and its random starts, shape (k, n), rad or m.

        Args:
            robot: Its name; the first one if None.

        Raises:
            ParameterError: No robot has that name.
        """
        names = [chain.name for chain in self.robots]
        if robot is not None and robot not in names:
            raise ParameterError(f"robot must be one of {', '.join(names)}, got {robot!r}")
        whole = replace(self, strategies={"": Strategy()}, chunk=self.poses)
        return whole.cut(whole.chunks // len(names) * (names.index(robot) if robot else 0)).poses()

    def cut(self, number: int, run: str = "") -> Chunk:
        """Return a chunk by its number; `run` is common to all chunks of one run."""
        place, within = divmod(number, self.chunks_of_a_case)
        first, count = within * self.chunk, self.size_of(number)
        chain, method, strategy, goal = self._grid()[place]
        rows = slice(first, first + count)
        if not isinstance(strategy.first, str) and strategy.first.ndim == 2:
            strategy = replace(strategy, first=strategy.first[rows])
        targets = self.targets[rows] if self.targets is not None and self.targets.ndim == 3 else self.targets
        problems, draws = (
            SeedSequence(self.seed, spawn_key=key) for key in ((0, self.robots.index(chain)), (1, place))
        )
        case = self.cases[place]
        return Chunk(run, number, case, first, count, chain, method, strategy, goal, targets, problems, draws)

    def _grid(self) -> list[tuple[Chain, StepMethod, Strategy, Goal | None]]:
        return list(product(self.robots, self.methods.values(), self.strategies.values(), self.goals.values()))

    def _check_length(self, name: str, array: Array, of_one: int) -> None:
        if array.ndim > of_one and len(array) != self.poses:
            raise ParameterError(f"{name} must be {self.poses}, one for each pose, got {len(array)}")


@dataclass(frozen=True, eq=False, repr=False)
class Chunk(ReadOnly):
    """Consecutive poses of one case, and everything that a process needs to solve them.

    A PCG64 stream can be advanced to any place, so a chunk needs no other one, and its size changes no number.
    """

    run: str
    number: int
    case: Case
    first: int
    count: int
    chain: Chain
    method: StepMethod
    strategy: Strategy
    goal: Goal | None
    targets: Array | None
    problems: SeedSequence
    draws: SeedSequence
    version: str = __version__

    def poses(self) -> tuple[Array, Array]:
        """Return targets, shape (k, 4, 4), and first starts, shape (k, n).

        Pose i of a robot uses the 2n numbers of its stream from 2ni on: a configuration, then the random start.
        """
        n = self.chain.dof
        lower, upper = self.chain.sampling_limits.T
        uniform = Generator(PCG64(self.problems).advance(2 * n * self.first)).random((self.count, 2, n))
        drawn = np.minimum(lower + (upper - lower) * uniform, upper)
        starts = self.strategy.first_starts(self.chain, drawn[:, 1])
        if self.targets is None:
            return self.chain.forward_kinematics(drawn[:, 0]), starts
        return np.broadcast_to(self.targets, (self.count, 4, 4)), starts

    def generator(self) -> Generator:
        """Return the random numbers of the solver, one for each pose, from the first of these poses on."""
        return Generator(PCG64(self.draws).advance(self.first))

    def solve(self, threads: int | None = None) -> ChunkResult:
        """Solve all poses. Compilation is not timed.

        Raises:
            KeyboardInterrupt: Some poses were not solved because of Ctrl-C.
            StudyError: The chunk comes from another version of the library.
        """
        from lessons_lib.studies.machine import describe_process

        if self.version != __version__:
            raise StudyError(f"the study needs lessons-lib {self.version}, this process has {__version__}")
        targets, starts = self.poses()
        if (self.run, self.case.place) not in _warm:
            self._solve_batch(targets[:WARM_UP], starts[:WARM_UP], threads)
            _warm.add((self.run, self.case.place))
        begun = time.perf_counter()
        found = self._solve_batch(targets, starts, threads)
        seconds = time.perf_counter() - begun
        distance = np.linalg.norm(found.q - starts, axis=1)
        return ChunkResult(CaseResult(**found.__getstate__(), distance=distance), seconds, describe_process())

    def _solve_batch(self, targets: Array, starts: Array, threads: int | None) -> BatchResult:
        found = solve_batch(
            self.chain,
            targets,
            starts,
            goal=self.goal,
            method=self.method,
            starts=self.strategy.starts,
            stop=self.strategy.stop,
            rng=self.generator(),
            progress=False,
            threads=threads,
        )
        if (found.status == Status.INTERRUPTED).any():
            raise KeyboardInterrupt
        return found


def damping_of(method: object) -> float | None:
    """Return the parameter of a method's damping rule; None without damping, or for a user-defined rule."""
    policy = getattr(method, "damping", None)
    return None if policy is None or isinstance(policy, Damping) else float(astuple(policy)[0])


def canonical_text(value: Any) -> str:
    """Return a text that is equal, in every process, for equal values only.

    Raises:
        ParameterError: The repr of an object contains only its address.
    """
    if isinstance(value, np.ndarray):
        digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return f"{value.shape} {value.dtype} {digest}"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{name}: {canonical_text(entry)}' for name, entry in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(canonical_text, value))}]"
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, np.generic):
        return canonical_text(value.item())
    if is_dataclass(value) and not isinstance(value, type):
        parts = ", ".join(f"{one.name}={canonical_text(getattr(value, one.name))}" for one in fields(value))
        return f"{type(value).__name__}({parts})"
    if isinstance(value, FunctionType):  # the formula of a method
        from lessons_lib.pose_ik.stated_step import key_of_any

        return key_of_any(value)
    text = repr(value)
    if " at 0x" in text:
        raise ParameterError(
            f"the repr of a method must identify it, got {text}: its results could be taken for those of another; "
            "give its class a __repr__ with its parameters, or make it a dataclass"
        )
    return text
