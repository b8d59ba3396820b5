"""Show an exercise as a student gets it: a stub, the checks, and the solution folded away.

The notebooks under exercises/ are nbgrader sources: solutions stand between solution markers and
hidden checks between test markers. A page of the book shows no marker, no hidden check, and
each solution in a fold below its stub. The stored outputs of checks belong to the solution, not to the stub, so the
page omits them.

A book for a graded class omits the solutions: `make book SOLUTIONS=without`. By default they are shown, because most
readers have no teacher to ask, and the repository contains them anyway.
"""

import json
import os
from typing import Any

from lesson_layers import Cell, fold_source, with_metadata
from lesson_pages import is_exercise
from sphinx.application import Sphinx

STUB = "# YOUR CODE HERE"
CHECK = {"code_prompt_show": "Show the check", "code_prompt_hide": "Hide the check"}


def without_block(lines: list[str], name: str, replacement: str | None = None) -> list[str]:
    """Return the lines without everything between `### BEGIN name` and `### END name`.

    Args:
        lines: Source lines of a cell.
        name: `SOLUTION` or `HIDDEN TESTS`.
        replacement: Text in place of a block, at the block's indentation; None for no text.
    """
    kept: list[str] = []
    inside = False
    for line in lines:
        if line.strip() == f"### BEGIN {name}":
            inside = True
            if replacement is not None:
                kept.append(line[: len(line) - len(line.lstrip())] + replacement)
        elif line.strip() == f"### END {name}":
            inside = False
        elif not inside:
            kept.append(line)
    return kept


def code_cell(cell: Cell, lines: list[str]) -> Cell:
    """Return a copy of a code cell with other source lines."""
    return {**cell, "source": "\n".join(lines).strip("\n")}


def page_cells(cell: Cell, solutions: bool = True) -> list[Cell]:
    """Return the cells that the page shows for one cell: none, the cell, or a stub and its folded solution."""
    if cell["cell_type"] != "code":
        return [cell]
    source = cell["source"]
    lines = without_block(("".join(source) if isinstance(source, list) else source).splitlines(), "HIDDEN TESTS")
    if not any(line.strip() for line in lines):
        return []
    stub = without_block(lines, "SOLUTION", STUB)
    if stub == lines:
        is_check = cell["metadata"].get("nbgrader", {}).get("grade", False)
        return [{**with_metadata(code_cell(cell, lines), **CHECK), "outputs": [] if is_check else cell["outputs"]}]
    visible = {**code_cell(cell, stub), "outputs": []}
    kept = [line for line in lines if line.strip() not in ("### BEGIN SOLUTION", "### END SOLUTION")]
    solution = {**code_cell(cell, kept), "id": f"{cell['id']}-solution"}
    folded = fold_source(solution, "Show a solution", "Hide the solution", "solution")
    return [visible, folded] if solutions else [visible]


def student_page(text: str, solutions: bool = True) -> str:
    """Return the notebook, as JSON text, as the book shows it, with or without its solutions."""
    notebook = json.loads(text)
    notebook["cells"] = [visible for cell in notebook["cells"] for visible in page_cells(cell, solutions)]
    return json.dumps(notebook)


def solutions_wanted() -> bool:
    """Return the value of $LESSONS_SOLUTIONS: "with" (the default) or "without"."""
    value = os.environ.get("LESSONS_SOLUTIONS", "with")
    if value not in ("with", "without"):
        raise ValueError(f'LESSONS_SOLUTIONS must be "with" or "without", got {value!r}')
    return value == "with"


def rewrite_exercise(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace the text of an exercise before it is parsed."""
    if is_exercise(docname):
        source[0] = student_page(source[0], app.config.exercise_solutions)


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen for pages that are about to be read."""
    app.add_config_value("exercise_solutions", solutions_wanted(), "env", bool)
    app.connect("source-read", rewrite_exercise)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
