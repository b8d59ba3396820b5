"""A chunk of a study: some poses of one case, and all that it takes to answer them in whatever process.

Nothing is drawn in advance. A stream of random numbers is PCG64, which can be moved to any place of its sequence at
once; so a chunk needs none of those before it, and how the poses are cut changes no number.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence

from lessons_lib import __version__
from lessons_lib.arrays import Array, ReadOnly
from lessons_lib.errors import StudyError
from lessons_lib.pose_ik import BatchResult, Goal, Status, solve_batch
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.robots import Chain
from lessons_lib.studies.cases import Case, Strategy
from lessons_lib.studies.machine import describe_process

WARM_UP = 64
"""Poses that a process solves before the clock of a case's first chunk runs: what they need is compiled or loaded."""

_warm: set[tuple[str, int]] = set()


@dataclass(frozen=True, eq=False, repr=False)
class Found(BatchResult):
    """The answers to k poses: a batch's result, and how far the arm has to go.

    Attributes:
        distance: |q − q₀| from the first start, shape (k,), rad (m for a prismatic joint).
    """

    distance: Array


@dataclass(frozen=True, eq=False)
class Part:
    """An answered chunk.

    Attributes:
        found: The answers.
        seconds: What it took, less what had to be compiled first, s.
        process: The machine and the process that answered it.
    """

    found: Found
    seconds: float
    process: dict[str, Any]


@dataclass(frozen=True, eq=False, repr=False)
class Chunk(ReadOnly):
    """Some poses of one case.

    Attributes:
        study: The study's hash; empty where nothing is kept.
        run: What the chunks of one run have in common.
        number: Among the chunks of the study, from 0.
        case: Which case.
        first: The first of its poses, counted within the case.
        count: How many.
        chain: The robot.
        method: The method.
        strategy: The start policy; configurations for each pose are those of these poses.
        goal: The goal; None for the whole pose.
        given: The targets, shape (k, 4, 4) or (4, 4), m; None where they are drawn.
        problems: Seed of the targets and random starts, the same for all cases of a robot.
        draws: Seed of what the solver draws, the case's own.
        version: Of the library that cut the chunk.
    """

    study: str
    run: str
    number: int
    case: Case
    first: int
    count: int
    chain: Chain
    method: StepMethod
    strategy: Strategy
    goal: Goal | None
    given: Array | None
    problems: SeedSequence
    draws: SeedSequence
    version: str = __version__

    def poses(self) -> tuple[Array, Array]:
        """Return the targets, shape (k, 4, 4), position in m, and the first starts, shape (k, n), rad or m.

        Pose i of a robot is made of the 2n numbers from place 2ni of its stream on: the configuration that reaches the
        target, then the random start.
        """
        n = self.chain.dof
        lower, upper = self.chain.sampling_limits.T
        uniform = Generator(PCG64(self.problems).advance(2 * n * self.first)).random((self.count, 2, n))
        drawn = np.minimum(lower + (upper - lower) * uniform, upper)
        starts = self.strategy.first_starts(self.chain, drawn[:, 1])
        if self.given is None:
            return self.chain.forward_kinematics(drawn[:, 0]), starts
        return np.broadcast_to(self.given, (self.count, 4, 4)), starts

    def generator(self) -> Generator:
        """Return the stream of the solver's draws, from the first of these poses on; a pose takes one number of it."""
        return Generator(PCG64(self.draws).advance(self.first))

    def answer(self, threads: int | None = None) -> Part:
        """Return the answers; what has to be compiled first is not on the clock.

        Args:
            threads: As in `pose_ik.solve_batch`; they change no answer.

        Raises:
            KeyboardInterrupt: Ctrl-C came, so that some poses have no answer.
            StudyError: Another version of the library has cut the chunk.
        """
        if self.version != __version__:
            raise StudyError(f"the study was declared by lessons-lib {self.version}, and here is {__version__}")
        targets, starts = self.poses()
        if (self.run, self.case.place) not in _warm:
            self._solve(targets[:WARM_UP], starts[:WARM_UP], threads)
            _warm.add((self.run, self.case.place))
        begun = time.perf_counter()
        found = self._solve(targets, starts, threads)
        seconds = time.perf_counter() - begun
        distance = np.linalg.norm(found.q - starts, axis=1)
        return Part(Found(**found.__getstate__(), distance=distance), seconds, describe_process())

    def _solve(self, targets: Array, starts: Array, threads: int | None) -> BatchResult:
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
