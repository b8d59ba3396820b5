"""A proof that the reader can touch: each claim of a lesson, proven or refused in the page, in a browser, offline.

Below a claim stands its cell, and what the cell needs of those above it, as data; `check_here.js` makes a small editor
of it. What proves it (`proof_payload`) lies beside the pages and is loaded when somebody asks.
"""

import json
from pathlib import Path
from typing import Any

from claim_programs import program, runs_in_page
from docutils import nodes
from proof_payload import Payload
from sphinx.application import Sphinx


def sources(path: Path) -> dict[int, str]:
    """Return the code of a notebook by the index of its cell."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return {place: "".join(cell["source"]) for place, cell in enumerate(cells) if cell["cell_type"] == "code"}


def touchable(cells: dict[int, str], place: int) -> nodes.raw | None:
    """Return what the page is told of a cell; None where it needs more than SymPy."""
    needed = program(list(cells.values()), list(cells).index(place))
    if not runs_in_page(needed + "\n" + cells[place]):
        return None
    told = json.dumps({"program": needed, "cell": cells[place]}, ensure_ascii=False).replace("<", "\\u003c")
    text = f'<div class="check-here"><script type="application/json">{told}</script></div>'
    return nodes.raw("", text, format="html")


def offer(app: Sphinx, doctree: nodes.document) -> None:
    """Give every claim of a lesson its cell."""
    path = Path(app.env.doc2path(app.env.docname))
    boxes = [
        (box, cell["cell_index"])
        for cell in doctree.findall(nodes.container)
        if "cell_index" in cell
        for box in cell.findall(nodes.container)
        if "claim" in box["classes"]
    ]
    cells = sources(path) if boxes else {}
    for box, place in boxes:
        if (found := touchable(cells, place)) is not None:
            box += found


def add_script(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Load script and style on a page that has a claim to be checked."""
    if doctree is not None and any('class="check-here"' in raw.astext() for raw in doctree.findall(nodes.raw)):
        folder: str = app.proof_folder  # type: ignore[attr-defined]
        told: Any = {"data-folder": folder}
        app.add_js_file("check_here.js", loading_method="defer", **told)
        app.add_css_file("check_here.css")


def pack(app: Sphinx) -> None:
    """Pack what proves beside the pages; each page is told its folder."""
    payload = Payload.read()
    payload.write(Path(app.outdir) / "_static")
    app.proof_folder = payload.folder  # type: ignore[attr-defined]


def setup(app: Sphinx) -> dict[str, Any]:
    """Look for claims in every page."""
    app.connect("builder-inited", pack, priority=600)  # behind the front end, which installs what is packed
    app.connect("doctree-read", offer)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
