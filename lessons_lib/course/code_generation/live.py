"""Lesson 07: step through the generated program with its values, in JavaScript and in NumPy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.control import Choice, Control
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.joints import angle_controls, configuration
from lessons_lib.robots import Chain, kinematics

if TYPE_CHECKING:
    import sympy as sp

    from lessons_lib.codegen import Kernel


__all__ = ["SourceFigure"]

KERNELS = {"T": "pose_kernel", "T and J_s": "space_kernel", "T and J_b": "chain_kernel"}
"""The outputs to compute, and the kernel that computes them."""

POSTURE = (30.0, 45.0, -60.0, 20.0, 70.0, -40.0, 15.0)
"""The initial joint angles, in degrees."""


@dataclass(frozen=True)
class Listing:
    """A generated program as printed."""

    javascript: str  # as `codegen.source` writes it
    numpy: str  # the same in Python
    operations: Mapping[str, int]  # operation count of each line by the name it binds, in program order; outputs last
    written_out: int  # operation count from the base without CSE, as in lesson 07; the programs recurse from the tip


def listing(kernel: Kernel, written_out: int) -> Listing:
    """Return the printed kernel, the operation count of each line, and that of its formulas from the base."""
    from lessons_lib.codegen import source

    javascript, numpy = (source([kernel], target) for target in ("javascript", "numpy"))
    names = [str(symbol) for matrix in kernel.inputs.values() for symbol in matrix]
    costs = dict.fromkeys(names, 0) | {str(s): _cost([e]) for s, e in kernel.program.assignments}
    results = iter(kernel.program.results)
    for name, matrix in kernel.outputs.items():
        costs[name] = _cost([next(results) for _ in matrix])
    return Listing(
        javascript[javascript.index("/** ") :].rstrip(),
        numpy[numpy.index(f"def {kernel.name}") :].rstrip(),
        costs,
        written_out,
    )


def from_the_base(chain: Chain) -> dict[str, int]:
    """Return the operation counts of the formulas from the base without common subexpressions, by output."""
    import sympy as sp

    from lessons_lib.codegen import Kernel
    from lessons_lib.symbolic import open_chain

    plain = open_chain.derive(kinematics.exact(chain.screws), kinematics.exact(chain.home))
    q = {"q": sp.Matrix(plain.q)}

    def count(what: str) -> int:
        outputs = {name: getattr(plain, name) for name in what.split(" and ")}
        return Kernel("written_out", q, outputs, plain.steps, matrices=list(outputs)).count_written_out()

    return {what: count(what) for what in KERNELS}


def _cost(expressions: list[sp.Expr]) -> int:
    import sympy as sp

    return int(sp.count_ops(expressions))


def chains() -> list[Chain]:
    return [robots.planar_2r(), robots.ur10(), robots.panda()]


@derived_once
def _print_programs() -> str:
    """Return all programs as JSON: arm, outputs, and the attributes of the listing."""
    programs = []
    for chain in chains():
        kernels = {kernel.name: kernel for kernel in kinematics.kernels(chain.screws, chain.home)}
        paper = from_the_base(chain)
        programs += [(chain.name, what, asdict(listing(kernels[name], paper[what]))) for what, name in KERNELS.items()]
    return json.dumps(programs)


@lru_cache(maxsize=1)
def listings() -> dict[tuple[str, str], Listing]:
    """Return all programs by arm and outputs."""
    return {(arm, what): Listing(**printed) for arm, what, printed in json.loads(_print_programs())}


class SourceFigure(LiveFigure):
    """A generated program in two languages, with the value of each line and the operation count.

    Attributes:
        arm: "planar 2R", "UR10" or "Panda".
        computes: "T", "T and J_s" or "T and J_b".
        q1: Angle of the first joint, in degrees; and so on to q7, which only the Panda has.
    """

    view = "source"
    title = "The program, line by line"
    about = (
        "A generated function in JavaScript and, next to it, in NumPy. The number that a line has computed is shown "
        "to its left. The current line and the places where its value is used are highlighted."
    )
    question = (
        "Choose the planar 2R and the outputs T and J_{b}. Which lines keep their values when joint 1 turns? How many "
        "operations does J_{b} cost once T is computed?"
    )
    answer = (
        "The lines q1 (the second joint), t0 and t1, the constant rows of T, and all of J_{b} keep their values. Seen "
        "from the tip, nothing changes when joint 1 carries the whole arm. J_{b} costs one operation, a change of "
        "sign; everything else has already been computed for T."
    )

    def __init__(self, **values: float | str) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        self.chains = {chain.name: chain for chain in chains()}
        controls: list[Choice | Control] = [
            Choice("arm", "arm", tuple(self.chains), next(iter(self.chains))),
            Choice("computes", "outputs", tuple(KERNELS), "T and J_b"),
        ]
        for i, start in enumerate(POSTURE):
            having = tuple(arm for arm, chain in self.chains.items() if chain.dof > i)
            only = ("arm", *having) if len(having) < len(self.chains) else None
            controls += angle_controls("q", "joint", [start], i + 1, only)
        programs, script = [], ""
        for (arm, what), one in listings().items():
            place = [len(script), len(script) + len(one.javascript)]
            script += f"{one.javascript}\n\n"
            own = {"arm": arm, "computes": what, "dof": self.chains[arm].dof, "javascript": place, "numpy": one.numpy}
            programs.append({**own, "operations": one.operations, "written_out": one.written_out})
        super().__init__(controls, script, values, {"programs": programs})

    @property
    def listing(self) -> Listing:
        """The displayed program."""
        return listings()[self.arm, self.computes]

    @property
    def q(self) -> Array:
        """The configuration set by the controls, shape (n,), rad."""
        return configuration(self.chains[self.arm], self.values)

    @property
    def numbers(self) -> dict[str, Array]:
        """The value of each line of the NumPy program, by the name it binds."""
        _, _, body = self.listing.numpy.split("\n", 2)
        names: dict[str, Any] = {"numpy": np, "q": self.q}
        exec(dedent(body[: body.rindex("    return")]), names)
        return {name: np.asarray(names[name], dtype=np.float64) for name in self.listing.operations}
