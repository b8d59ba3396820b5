"""The directive `{provenance}`: each kernel that a solve loads, the formulas it was derived from, and their claims."""

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType

import numpy as np
from claims_index import paragraph, row
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lessons_lib import differential_ik, pose_ik, robots, trajectories
from lessons_lib.claims.statement import FORMULAS
from lessons_lib.codegen.provenance import Provenance, provenance_of

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
GENERATED = "lessons_lib_generated_"
CLAIM = re.compile(r"Claim (\d+)\.(\d+):")
MOST_CLAIMS = 6


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
    kernels: dict[str, Provenance] = {}
    for function in functions:
        if isinstance(function, FunctionType) and provenance_of(function).formulas:
            kernels.setdefault(re.sub(r"_\d+$", "_n", function.__name__), provenance_of(function))
    return kernels


@cache
def claims_by_formula() -> dict[str, list[tuple[int, int]]]:
    """Return the lesson and the number of each claim about a formula, from the outputs stored in the lessons."""
    by_formula: dict[str, set[tuple[int, int]]] = {}
    for path in NOTEBOOKS.glob("*.ipynb"):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            for data in (output.get("data", {}) for output in cell.get("outputs", ())):
                label = CLAIM.match("".join(data.get("text/plain", "")))
                if label:
                    for formula in "".join(data.get(FORMULAS, "")).split():
                        by_formula.setdefault(formula, set()).add((int(label[1]), int(label[2])))
    return {formula: sorted(claims) for formula, claims in by_formula.items()}


class ProvenanceTable(SphinxDirective):
    """Print the table, ordered by the first claim about each kernel."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        self.env.note_reread()
        group = nodes.tgroup("", *(nodes.colspec(colwidth=width) for width in (40, 60)), cols=2)
        group += nodes.thead("", row([paragraph(nodes.Text(head))] for head in ("Kernel", "Formulas and claims")))
        group += nodes.tbody("", *(self.line(*item) for item in sorted(loaded_kernels().items(), key=first_claim)))
        return [nodes.table("", group, classes=["provenance-table"])]

    def line(self, name: str, origin: Provenance) -> nodes.row:
        """Return the row of one kernel."""
        about = [paragraph(nodes.literal("", name)), paragraph(nodes.Text(origin.summary))]
        if origin.digest:
            about.append(paragraph(nodes.Text("expression "), nodes.literal("", origin.digest)))
        return row([about, [paragraph(*self.formula(formula)) for formula in origin.formulas]])

    def formula(self, name: str) -> Iterator[nodes.Node]:
        """Yield a formula's name and links to the claims about it."""
        yield nodes.literal("", name)
        claims = claims_by_formula().get(name, [])
        for i, claim in enumerate(claims[:MOST_CLAIMS]):
            number = f"{claim[0]}.{claim[1]}"
            about = {"refdomain": "claim", "reftype": "ref", "reftarget": number, "refwarn": True}
            yield nodes.Text(": claim " if i == 0 else ", ")
            words = nodes.inline("", number, classes=["claim-link"])
            yield pending_xref("", words, refdoc=self.env.docname, **about)
        if len(claims) > MOST_CLAIMS:
            yield nodes.Text(f" and {len(claims) - MOST_CLAIMS} more")


def first_claim(item: tuple[str, Provenance]) -> tuple[tuple[int, int], str]:
    """Return the sort key of a kernel: its first claim, then its name; kernels without a claim come last."""
    claims = (claim for formula in item[1].formulas for claim in claims_by_formula().get(formula, ()))
    return min(claims, default=(100, 0)), item[0]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("provenance", ProvenanceTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
