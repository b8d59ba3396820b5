"""Lay out a lesson in layers: statements visible, proofs in folds, checks omitted, optional parts in folds.

A notebook contains everything as a sequence of cells and only two tags about folds: `show-proof` keeps the code of a
claim open, and `deeper` on the cell with a heading folds its section.
"""

import ast
import json
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from lesson_pages import lesson_number
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

from lessons_lib.course.live.saved import REFERENCE

sys.path.append(str(Path(__file__).resolve().parents[2]))  # classroom/ is not in a package
from classroom.copies.names import source_of  # noqa: E402
from classroom.copies.notebook import PROOF_SHOWN, claim_at_the_end, only_imports  # noqa: E402

Cell = dict[str, Any]
FOLDED = {"hide-input", "remove-input", "remove-cell", PROOF_SHOWN}
HEADING = re.compile(r"^##.*$", re.MULTILINE)
MARKER = "```{deeper}\n```"
LINE = 92  # characters of a line that a fold shows
TO_THE_LINTER = re.compile(r" +# noqa: [A-Z0-9, ]+$", re.MULTILINE)


def is_check(statement: ast.stmt) -> bool:
    """Return whether a statement only checks: an assertion, or a loop over assertions."""
    if isinstance(statement, ast.For | ast.With):
        return all(map(is_check, statement.body))
    return isinstance(statement, ast.Assert)


def checks(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the checks among some statements, including those inside loops that do more."""
    for statement in body:
        if is_check(statement):
            yield statement
        elif isinstance(statement, ast.For | ast.With):
            yield from checks(statement.body)


def without_checks(source: str, tree: ast.Module) -> str:
    """Return a source without its checks and without linter comments."""
    gone = {line for check in checks(tree.body) for line in range(check.lineno, (check.end_lineno or 0) + 1)}
    kept = [line for number, line in enumerate(source.split("\n"), start=1) if number not in gone]
    return TO_THE_LINTER.sub("", "\n".join(kept).strip("\n"))


def few_lines(source: str, tree: ast.Module) -> str:
    """Return imports with as many names per line as fit; the formatter gives each name its own line."""
    lines = source.split("\n")
    for node in reversed(tree.body):
        if isinstance(node, ast.ImportFrom) and node.lineno != node.end_lineno:
            opened, names = ast.unparse(node).split(" import ")
            filled = textwrap.wrap(names, LINE, initial_indent="    ", subsequent_indent="    ")
            lines[node.lineno - 1 : node.end_lineno] = [f"{opened} import (", *filled, ")"]
    return "\n".join(lines)


def code_in_layers(cell: Cell) -> Cell:
    """Return a code cell as the page shows it.

    A check is omitted if an output shows its result; without outputs, the check is the content of the cell.
    """
    if FOLDED & set(cell["metadata"].get("tags", [])):
        return cell
    source = source_of(cell)
    tree = ast.parse(source)
    if only_imports(tree):
        return fold_source({**cell, "source": few_lines(source, tree)}, "What this lesson imports", "Hide the imports")
    if cell["outputs"]:
        cell = {**cell, "source": without_checks(source, tree)}
    if any(REFERENCE in output.get("data", {}) for output in cell["outputs"]):
        return fold_source(cell, "The code of this figure", "Hide the code", "below")
    number = claim_at_the_end(tree)
    if number is None:
        return cell
    return fold_source(cell, f"Proof of claim {number}", f"Hide the proof of {number}", "below")


def with_metadata(cell: Cell, tags: Iterable[str] = (), **mystnb: Any) -> Cell:
    """Return a copy of a cell with additional tags, and with settings of MyST-NB."""
    metadata = cell["metadata"]
    more = {"tags": [*metadata.get("tags", []), *tags], "mystnb": {**metadata.get("mystnb", {}), **mystnb}}
    return {**cell, "metadata": {**metadata, **more}}


def with_width(cell: Cell) -> Cell:
    """Return a cell whose picture has a width, so that it is a link and scrolls on a phone with legible letters."""
    image = cell["metadata"].get("mystnb", {}).get("image", {"width": None})
    return cell if "width" in image else with_metadata(cell, image={**image, "width": "100%"})


def fold_source(cell: Cell, show: str, hide: str, *tags: str) -> Cell:
    """Return a cell with its source in a fold."""
    return with_metadata(cell, ("hide-input", *tags), code_prompt_show=show, code_prompt_hide=hide)


def section_in_layers(cell: Cell) -> Cell:
    """Return the cell with a mark below its last heading, if that section is to be folded."""
    if "deeper" not in cell["metadata"].get("tags", []):
        return cell
    heading = [*HEADING.finditer(source_of(cell))][-1]
    before, after = source_of(cell)[: heading.end()], source_of(cell)[heading.end() :]
    return {**cell, "source": f"{before}\n\n{MARKER}\n{after}"}


def in_layers(text: str) -> str:
    """Return a lesson's notebook, as JSON text, as the book shows it."""
    notebook = json.loads(text)
    layers = {"code": code_in_layers, "markdown": section_in_layers}
    notebook["cells"] = [with_width(layers[cell["cell_type"]](cell)) for cell in notebook["cells"]]
    return json.dumps(notebook)


def rewrite_lesson(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace the text of a lesson before it is parsed."""
    if lesson_number(docname) is not None:
        source[0] = in_layers(source[0])


class Fold(nodes.General, nodes.Element):  # type: ignore[misc]
    """Mark of the beginning of a section's fold, and later its contents."""


class Deeper(SphinxDirective):
    """Directive that folds the rest of its section."""

    def run(self) -> list[nodes.Node]:
        """Return the mark; the section is not complete yet."""
        return [Fold()]


class FoldSections(SphinxTransform):
    """Transform that moves the rest of a section into its fold, with its questions, up to the lesson's end."""

    default_priority = 420

    def apply(self, **kwargs: Any) -> None:
        """Process all marks."""
        for fold in list(self.document.findall(Fold)):
            section = fold.parent
            rest = section.children[section.index(fold) + 1 :]
            boxes = (place for place, node in enumerate(rest) if isinstance(node, nodes.admonition))
            ends = (place for place in boxes if "predict" not in rest[place]["classes"])
            folded = rest[: next(ends, len(rest))]
            for node in folded:
                section.remove(node)
            fold += folded


def open_fold(self: Any, node: Fold) -> None:
    """Begin a fold."""
    self.body.append('<details class="deeper"><summary>For a second reading</summary>\n')


def close_fold(self: Any, node: Fold) -> None:
    """End a fold."""
    self.body.append("</details>\n")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handlers and the folds of sections."""
    app.connect("source-read", rewrite_lesson)
    app.add_node(Fold, html=(open_fold, close_fold))
    app.add_directive("deeper", Deeper)
    app.add_transform(FoldSections)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
