"""A hand-in in the order of its exercise, whatever was moved, deleted, copied or tagged in it."""

from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import List, Unicode

ROOT = Path(__file__).resolve().parents[2]
HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"


def about(cell: NotebookNode) -> dict[str, Any]:
    """Return what nbgrader notes of a cell; nothing where a student has written something else there."""
    found = cell.metadata.get("nbgrader")
    return found if isinstance(found, dict) else {}


def role(cell: NotebookNode) -> str:
    """Return "check" for a cell with points, "ours" for another cell of the exercise, "own" for a student's."""
    return "check" if about(cell).get("grade") else "ours" if about(cell).get("locked") else "own"


def is_solution(cell: NotebookNode) -> bool:
    """Return whether the student's answer belongs into a cell."""
    return bool(about(cell).get("solution"))


def shown(source: str) -> str:
    """Return a cell without what students are not shown."""
    before, _, rest = source.partition(HIDDEN[0])
    return before + rest.partition(HIDDEN[1])[2] if rest else source


class Arranged(NbGraderPreprocessor):  # type: ignore[misc] # nbgrader has no types
    """Puts a hand-in into the order of its exercise.

    The student's own cells stand where the solution stands, and those below the first check at the end, where they are
    not run. Of a solution that is there twice the last one counts; the others are cells of the student's own.
    """

    source_directory = Unicode(str(ROOT / "exercises"), help="Folder of the exercises, with their solutions.").tag(
        config=True
    )

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook in order; nbgrader then fills in the text of the locked cells from its gradebook."""
        source = source_of(self.source_directory, resources)
        first = next((at for at, cell in enumerate(nb.cells) if role(cell) == "check"), len(nb.cells))
        places = {about(cell)["grade_id"] for cell in source if is_solution(cell)}
        last = {about(cell).get("grade_id"): at for at, cell in enumerate(nb.cells)}
        own: list[NotebookNode] = []
        scratch: list[NotebookNode] = []
        for at, cell in enumerate(nb.cells):
            name = about(cell).get("grade_id")
            if name in places and last[name] == at and cell.cell_type == "code":
                own.append(cell)
            elif (name is None or name in places) and cell.cell_type == "code":
                cell.metadata.pop("nbgrader", None)
                (own if at < first else scratch).append(cell)
        for cell in scratch:
            cell.metadata["tags"] = ["skip-execution"]
        cells: list[NotebookNode] = []
        for cell in source:
            if is_solution(cell):
                cells, own = cells + own, []
            else:
                cells.append(cell)
        nb.cells = cells + scratch
        return nb, resources


def source_of(folder: str, resources: dict[str, Any]) -> list[NotebookNode]:
    """Return the cells of the exercise that is being graded, with its solutions."""
    told = resources["nbgrader"]
    path = Path(folder) / told["assignment"] / f"{told['notebook']}.ipynb"
    found: list[NotebookNode] = nbformat.read(path, as_version=4).cells
    return found


class WithoutHidden(NbGraderPreprocessor):  # type: ignore[misc]
    """Leaves out of a page of feedback what students are not shown: the hidden part of each check."""

    display_data_priority: Any = List(help="What nbconvert tells every preprocessor of a page.").tag(config=True)

    def preprocess_cell(self, cell: NotebookNode, resources: dict[str, Any], index: int) -> Any:
        """Return the cell as the student knows it."""
        if role(cell) != "own":
            cell.source = shown(cell.source)
        return cell, resources
