"""The directive `{provenance}`: each kernel that a solve loads, the formulas it was derived from, and their claims."""

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType

import numpy as np
from claims_index import Number, stored_claims
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lessons_lib import differential_ik, pose_ik, robots, trajectories
from lessons_lib.codegen.provenance import Provenance, provenance_of

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
GENERATED = "lessons_lib_generated_"
MOST_CLAIMS = 6
HEAD = """\
```{list-table}
:header-rows: 1
:widths: 40 60
:class: provenance-table

* - Kernel
  - Formulas and claims"""


@cache
def loaded_kernels() -> dict[str, Provenance]:
    """Solve a pose, trace a path, take a differential step, and return each derived kernel now loaded, by name."""
    arm, model = robots.planar_2r(), robots.load_urdf(robots.urdf_file("ur10"))
    target = arm.forward_kinematics([0.5, 1.5])
    pose_ik.solve(arm, target, [0.0, 0.5])
    trajectories.trace(arm, np.array([target, target]), [0.4, 1.4])
    configuration = differential_ik.Configuration(model, np.full(model.nq, 0.5))
    task = differential_ik.FrameTask("tool0", position_cost=1.0, orientation_cost=1.0)
    task.set_target(configuration.get_transform_frame_to_world("tool0"))
    differential_ik.solve_ik(configuration, [task], 0.01)
    modules = [vars(module) for name, module in sys.modules.items() if name.startswith(GENERATED)]
    functions = (getattr(value, "py_func", value) for names in modules for value in names.values())
    provenances: dict[str, Provenance] = {}
    for function in functions:
        if isinstance(function, FunctionType) and provenance_of(function).formulas:
            provenances.setdefault(re.sub(r"_\d+$", "_n", function.__name__), provenance_of(function))
    return provenances


@cache
def claims_by_formula() -> dict[str, list[Number]]:
    """Return the lesson and the number of each claim about a formula, from the outputs stored in the lessons."""
    numbers: dict[str, set[Number]] = {}
    for path in NOTEBOOKS.glob("*.ipynb"):
        for number, _, formulas in stored_claims(path):
            for formula in formulas:
                numbers.setdefault(formula, set()).add(number)
    return {formula: sorted(claims) for formula, claims in numbers.items()}


def row(name: str, origin: Provenance) -> Iterator[str]:
    """Yield the row of one kernel, MyST."""
    yield f"* - `{name}`\n\n    {origin.summary}\n"
    if origin.digest:
        yield f"    expression `{origin.digest}`\n"
    for i, formula in enumerate(origin.formulas):
        claims = [f"{lesson}.{count}" for lesson, count in claims_by_formula().get(formula, [])]
        more = f" and {len(claims) - MOST_CLAIMS} more" if len(claims) > MOST_CLAIMS else ""
        about = f": claim{'s' * (len(claims) > 1)} {', '.join(claims[:MOST_CLAIMS])}{more}" if claims else ""
        yield f"  {' ' if i else '-'} `{formula}`{about}\n"


def first_claim(item: tuple[str, Provenance]) -> tuple[Number, str]:
    """Return the sort key of a kernel: its first claim, then its name; kernels without a claim come last."""
    claims = (claim for formula in item[1].formulas for claim in claims_by_formula().get(formula, ()))
    return min(claims, default=(100, 0)), item[0]


class ProvenanceTable(SphinxDirective):
    """Print the table, ordered by the first claim about each kernel."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        self.env.note_reread()
        rows = [line for item in sorted(loaded_kernels().items(), key=first_claim) for line in row(*item)]
        lines = "\n".join([HEAD, *rows, "```"]).splitlines()
        box = nodes.container()
        self.state.nested_parse(StringList(lines, self.env.docname), 0, box)
        children: list[nodes.Node] = box.children
        return children


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("provenance", ProvenanceTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
