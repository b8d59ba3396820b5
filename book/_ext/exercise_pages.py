"""Show an exercise as a student gets it: a stub, the checks, and the solution folded away.

The notebooks under exercises/ are nbgrader sources: solutions stand between solution markers and
hidden checks between test markers. A page of the book shows neither marker, no hidden check, and
each solution in a fold below its stub.
"""

import json
from typing import Any

from sphinx.application import Sphinx

STUB = "# YOUR CODE HERE"
Cell = dict[str, Any]


def without_block(lines: list[str], name: str, replacement: str | None = None) -> list[str]:
    """Return the lines without everything between `### BEGIN name` and `### END name`.

    Args:
        lines: Source lines of a cell.
        name: `SOLUTION` or `HIDDEN TESTS`.
        replacement: Put in place of a block at the block's own indentation; None puts nothing.
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


def without_markers(lines: list[str]) -> list[str]:
    """Return the lines without the solution markers themselves."""
    return [line for line in lines if line.strip() not in ("### BEGIN SOLUTION", "### END SOLUTION")]


def code_cell(cell: Cell, lines: list[str], **changes: Any) -> Cell:
    """Return a copy of a code cell with other source lines and with metadata added."""
    return {**cell, "source": "\n".join(lines).strip("\n"), "metadata": {**cell["metadata"], **changes}}


def folded(cell: Cell, lines: list[str]) -> Cell:
    """Return the cell with its source in a fold that is labelled as the solution."""
    mystnb = {"code_prompt_show": "Show a solution", "code_prompt_hide": "Hide the solution"}
    tags = [*cell["metadata"].get("tags", []), "hide-input", "solution"]
    mystnb = {**cell["metadata"].get("mystnb", {}), **mystnb}
    return {**code_cell(cell, lines, tags=tags, mystnb=mystnb), "id": f"{cell['id']}-solution"}


def page_cells(cell: Cell) -> list[Cell]:
    """Return what the page shows for one cell: nothing, the cell, or a stub and its folded solution."""
    if cell["cell_type"] != "code":
        return [cell]
    source = cell["source"]
    lines = without_block(("".join(source) if isinstance(source, list) else source).splitlines(), "HIDDEN TESTS")
    if not any(line.strip() for line in lines):
        return []
    stub = without_block(lines, "SOLUTION", STUB)
    if stub == lines:
        return [code_cell(cell, lines)]
    return [{**code_cell(cell, stub), "outputs": []}, folded(cell, without_markers(lines))]


def student_page(text: str) -> str:
    """Return the notebook, as JSON text, in the form that the book shows."""
    notebook = json.loads(text)
    notebook["cells"] = [shown for cell in notebook["cells"] for shown in page_cells(cell)]
    return json.dumps(notebook)


def rewrite_exercise(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace the text of an exercise before it is parsed."""
    if docname.startswith("exercises/"):
        source[0] = student_page(source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Listen for pages that are about to be read."""
    app.connect("source-read", rewrite_exercise)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
