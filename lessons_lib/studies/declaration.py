"""A study, declared: a grid of cases, each with a seed of its own, cut into chunks that can be answered anywhere."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.random import SeedSequence

from lessons_lib import __version__
from lessons_lib.arrays import Array, ReadOnly, check_count
from lessons_lib.errors import ParameterError
from lessons_lib.lazy import cached_property
from lessons_lib.pose_ik import Goal, LevenbergMarquardt
from lessons_lib.pose_ik.arguments import check_problem, check_targets
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.robots import Chain
from lessons_lib.robots.arguments import check_chain
from lessons_lib.studies.canonical import canonical
from lessons_lib.studies.cases import Case, Strategy, damping_of
from lessons_lib.studies.chunks import Chunk

__all__ = [
    "Study",
]

PROBLEMS, DRAWS = 0, 1
"""Children of the study's seed: the first has a child for each robot, the second one for each case."""


@dataclass(frozen=True, eq=False, repr=False)
class Study(ReadOnly):
    """A grid of cases: every robot with every method, start policy and goal, and as many poses for each of them.

    All cases of a robot get the same targets and the same random starts, so that they can be compared pose by pose.
    What the solver draws while it searches is each case's own.

    Attributes:
        robots: Chains, each with another name.
        methods: Methods by name.
        strategies: Start policies by name.
        goals: Goals by name; None is the whole pose.
        poses: Number of poses of a case; targets and starts that are given for each pose are as many.
        targets: Targets instead of random reachable ones, shape (k, 4, 4), or one for all starts, (4, 4), m.
        seed: Of all that is random, a whole number.
        chunk: Poses that are answered, and kept, together; it changes no answer.

    Raises:
        ParameterError: An axis without an entry, a count that is none, arrays of another length, or a method that
            cannot be given a goal.
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
        """Check every case before the first is answered."""
        if not isinstance(self.robots, Sequence):
            raise ParameterError(f"robots is {self.robots!r}; put chains into a list: [robots.ur10()]")
        for name in ("robots", "methods", "strategies", "goals"):
            if not getattr(self, name):
                raise ParameterError(f"{name} is {getattr(self, name)!r}; a study has one at least")
        for chain in self.robots:
            check_chain(chain, "an entry of robots")
        names = [chain.name for chain in self.robots]
        if len(set(names)) < len(names):
            raise ParameterError(f"robots are named {', '.join(names)}; each of them needs another name")
        for name, least in (("poses", 1), ("chunk", 1), ("seed", 0)):
            check_count(name, getattr(self, name), least)
        if self.targets is not None:
            given = np.asarray(self.targets, dtype=np.float64)
            kept = check_targets(given.reshape(-1, 4, 4) if given.shape == (4, 4) else given).reshape(given.shape)
            object.__setattr__(self, "targets", kept)
            self._check_length("targets", kept, 2)
        for name, strategy in self.strategies.items():
            if not isinstance(strategy.first, str):
                self._check_length(f"first of {name!r}", strategy.first, 1)
        for chain, method, strategy, goal in self._grid():
            check_problem(chain, method, strategy.stop, strategy.starts, goal)

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The grid in words: robots change slowest, then methods, start policies, and goals."""
        axes = [chain.name for chain in self.robots], self.methods, self.strategies, self.goals
        return tuple(
            Case(place, robot, method, damping_of(self.methods[method]), strategy, goal)
            for place, (robot, method, strategy, goal) in enumerate(product(*axes))
        )

    @property
    def chunks_of_a_case(self) -> int:
        """Into how many chunks a case is cut; the last one may be smaller."""
        return -(-self.poses // self.chunk)

    @property
    def chunks(self) -> int:
        """How many chunks there are in all."""
        return len(self.cases) * self.chunks_of_a_case

    def size_of(self, number: int) -> int:
        """Return how many poses a chunk has."""
        return min(self.chunk, self.poses - number % self.chunks_of_a_case * self.chunk)

    @cached_property
    def declaration(self) -> dict[str, Any]:
        """All that the answers hang on, as JSON holds it, the library's version among it.

        Raises:
            ParameterError: A method of the reader's own does not say what it is; see `canonical`.
        """
        return {"lessons-lib": __version__, **{f.name: canonical(getattr(self, f.name)) for f in fields(self)}}

    @cached_property
    def hash(self) -> str:
        """Sixteen digits that two studies share if they are declared alike.

        Raises:
            ParameterError: As `declaration`.
        """
        return hashlib.sha256(json.dumps(self.declaration).encode()).hexdigest()[:16]

    def problems(self, robot: str | None = None) -> tuple[Array, Array]:
        """Return the targets of a robot, shape (k, 4, 4), m, and its random starts, shape (k, n), rad or m.

        Args:
            robot: Its name; the first one when left out.

        Raises:
            ParameterError: There is no robot of that name.
        """
        names = [chain.name for chain in self.robots]
        if robot is not None and robot not in names:
            raise ParameterError(f"robot is {robot!r}; the study has {', '.join(names)}")
        whole = replace(self, strategies={"": Strategy()}, chunk=self.poses)
        return whole.cut(whole.chunks // len(names) * (names.index(robot) if robot else 0)).poses()

    def cut(self, number: int, run: str = "", kept: bool = False) -> Chunk:
        """Return one chunk.

        Args:
            number: Which, from 0.
            run: What the chunks of one run have in common.
            kept: Whether the answers will be kept under the study's hash.
        """
        place, within = divmod(number, self.chunks_of_a_case)
        case, first, count = self.cases[place], within * self.chunk, self.size_of(number)
        chain, method, strategy, goal = self._grid()[place]
        robot, rows = self.robots.index(chain), slice(first, first + count)
        if not isinstance(strategy.first, str) and strategy.first.ndim == 2:
            strategy = replace(strategy, first=strategy.first[rows])
        targets = self.targets[rows] if self.targets is not None and self.targets.ndim == 3 else self.targets
        problems, draws = (SeedSequence(self.seed, spawn_key=key) for key in ((PROBLEMS, robot), (DRAWS, place)))
        study = self.hash if kept else ""
        return Chunk(study, run, number, case, first, count, chain, method, strategy, goal, targets, problems, draws)

    def _grid(self) -> list[tuple[Chain, StepMethod, Strategy, Goal | None]]:
        """Return what the cases are made of."""
        return list(product(self.robots, self.methods.values(), self.strategies.values(), self.goals.values()))

    def _check_length(self, name: str, given: Array, of_one: int) -> None:
        if given.ndim > of_one and len(given) != self.poses:
            raise ParameterError(f"{name} are {len(given)}, and poses is {self.poses}; there is one for each pose")
