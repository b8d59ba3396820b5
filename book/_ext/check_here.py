"""Let the reader check each claim of a lesson in the page, offline.

Each claim gets its cell and the statements that the cell needs, as data; `check_here.js` makes a small editor of it. A
stub of an exercise whose answer is a claim gets the stub and the call of its check. `proof_payload` packs the prover
beside the pages; it loads on demand.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from claim_programs import program, runs_in_page
from docutils import nodes
from exercise_pages import STUB, without_block
from proof_payload import Payload
from sphinx.application import Sphinx

PROVES = "    return student_claims.prove_claim("
"""How the check of an exercise ends whose answer is a claim."""


def sources(path: Path) -> dict[int, str]:
    """Return the code of a notebook by cell index."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return {place: "".join(cell["source"]) for place, cell in enumerate(cells) if cell["cell_type"] == "code"}


def touchable(cells: Sequence[str], place: int, button: str) -> nodes.raw | None:
    """Return the data of a cell for the page; None if it needs more than SymPy."""
    needed = program(cells, place)
    if not runs_in_page(needed + "\n" + cells[place]):
        return None
    data = {"button": button, "program": needed, "cell": cells[place]}
    script = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    text = f'<div class="check-here"><script type="application/json">{script}</script></div>'
    return nodes.raw("", text, format="html")


def student_claims(path: Path) -> Iterator[tuple[str, nodes.raw]]:
    """Yield the first line of each stub whose check proves a claim, and its data for the page."""
    cells = list(sources(path).values())
    for place, check in enumerate(cells):
        if PROVES not in check:
            continue
        lines = without_block(cells[place - 1].splitlines(), "SOLUTION", f"{STUB}\n    raise NotImplementedError")
        head, _, call = check.rpartition("\n\n\n")
        stub = "\n".join(lines)
        box = touchable([*cells[: place - 1], head, f"{stub}\n\n\n{call}"], place, "Try your claim here")
        if box is not None:
            yield stub.splitlines()[0], box


def offer(app: Sphinx, doctree: nodes.document) -> None:
    """Attach its cell to every claim of a lesson, and its check to every stub of a claim."""
    path = Path(app.env.doc2path(app.env.docname))
    code = [cell for cell in doctree.findall(nodes.container) if cell.get("nb_element") == "cell_code"]
    if path.suffix != ".ipynb" or not code:
        return
    if path.parent.parent.name == "exercises":
        for first, trial in student_claims(path):
            stub = next(cell for cell in code if first in cell.astext())
            stub.parent.insert(stub.parent.index(stub) + 1, trial)
        return
    cells = sources(path)
    for cell in code:
        for box in [one for one in cell.findall(nodes.container) if "claim" in one["classes"]]:
            place = list(cells).index(cell["cell_index"])
            if (trial := touchable(list(cells.values()), place, "Check it here")) is not None:
                box += trial


def add_script(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Load script and style on a page with such claims."""
    if doctree is not None and any('class="check-here"' in raw.astext() for raw in doctree.findall(nodes.raw)):
        folder: str = app.proof_folder  # type: ignore[attr-defined]
        data: Any = {"data-folder": folder}
        app.add_js_file("check_here.js", loading_method="defer", **data)
        app.add_css_file("answers.css")


def pack(app: Sphinx) -> None:
    """Pack the prover beside the pages; each page receives its folder."""
    payload = Payload.read()
    payload.write(Path(app.outdir) / "_static")
    app.proof_folder = payload.folder  # type: ignore[attr-defined]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handlers."""
    app.connect("builder-inited", pack, priority=600)  # after the front end, which installs what is packed
    app.connect("doctree-read", offer)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
