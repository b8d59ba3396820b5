"""Convert a stored notebook to the reader's copy: plain Markdown, captions, hidden cells collapsed."""

import ast
from collections.abc import Iterator
from typing import Any

from classroom.copies.addresses import Book
from classroom.copies.markdown import Page
from classroom.copies.names import Names, source_of

GLUED = "application/papermill.record/text/plain"
KEPT_METADATA = ("deletable", "editable", "nbgrader", "tags")
HIDDEN = {"hide-input", "remove-input"}
PROOF_SHOWN = "show-proof"

Cell = dict[str, Any]
Notebook = dict[str, Any]


def stored_values(notebook: Notebook) -> dict[str, str]:
    """Return the values that the cells of a notebook have stored under a name."""
    values = {}
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if GLUED in output.get("data", {}):
                text = "".join(output["data"][GLUED])
                values[output["metadata"]["scrapbook"]["name"]] = str(ast.literal_eval(text))
    return values


def markdown_cell(name: str, text: str) -> Cell:
    """Return a new Markdown cell."""
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": text}


def claim_at_the_end(tree: ast.Module) -> str | None:
    """Return the number of the claim at the end of a cell, or None."""
    last = tree.body[-1] if tree.body else None
    call = last.value if isinstance(last, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "claim" and call.args:
        return str(ast.literal_eval(call.args[0]))
    return None


def only_imports(tree: ast.Module) -> bool:
    """Return whether a cell contains only imports."""
    return bool(tree.body) and all(isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body)


def is_folded_proof(cell: Cell) -> bool:
    """Return whether a cell's code proves a claim that it states, and no tag keeps the code visible."""
    if cell["cell_type"] != "code" or PROOF_SHOWN in cell["metadata"].get("tags", ()):
        return False
    return claim_at_the_end(ast.parse(source_of(cell))) is not None


def is_list_of_imports(cell: Cell) -> bool:
    """Return whether a cell lists the notebook's imports, more than its figure needs."""
    return cell["cell_type"] == "code" and only_imports(ast.parse(source_of(cell)))


def metadata_of(cell: Cell) -> dict[str, Any]:
    """Return the metadata that a copy keeps, with JupyterLab's flags for hidden parts."""
    kept = {key: cell["metadata"][key] for key in KEPT_METADATA if key in cell["metadata"]}
    hidden = HIDDEN.intersection(kept.get("tags", ())) or is_folded_proof(cell) or is_list_of_imports(cell)
    return kept | ({"jupyter": {"source_hidden": True}} if hidden else {})


def copy_code(cell: Cell) -> Cell:
    """Return a copy of a code cell, without outputs that only store a value for the prose."""
    outputs = [output for output in cell["outputs"] if set(output.get("data", {"": ""})) != {GLUED}]
    return {**cell, "metadata": metadata_of(cell), "outputs": outputs}


def copy_cells(cell: Cell, page: Page) -> Iterator[Cell]:
    """Yield the copied cells of one cell: the cell itself, preceded by the caption of a figure."""
    if cell["cell_type"] != "code":
        yield {**cell, "metadata": metadata_of(cell), "source": page.plain(source_of(cell))}
        return
    figure = cell["metadata"].get("mystnb", {}).get("figure")
    if figure:
        place = page.names.labels[figure["name"]]
        caption = f"**{place.shown}.** {page.plain(figure['caption'])}"
        yield markdown_cell(f"{cell['id']}-caption"[-64:], page.add_anchor(figure["name"], caption))
    yield copy_code(cell)


def copy_notebook(notebook: Notebook, name: str, names: Names, address: Book) -> Notebook:
    """Return the copy of a notebook.

    Args:
        notebook: As it is stored, nbformat 4 as JSON.
        name: Its page in the book, "notebooks/08_newton".
        names: Targets that its prose refers to.
        address: Resolves its links.

    Raises:
        MarkupError: The prose contains markup that a copy cannot show.
    """
    page = Page(name, names, address, stored_values(notebook))
    return {**notebook, "cells": [copied for cell in notebook["cells"] for copied in copy_cells(cell, page)]}
