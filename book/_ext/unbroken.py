"""Keep a formula on one line with the bracket before it and the full stop behind it.

A browser may break a line on either side of a formula, and a line would begin with a comma.
"""

import re
from typing import Any

from docutils import nodes
from prose import join_texts
from sphinx.application import Sphinx

BEHIND = re.compile(r"[.,;:!?)\]’”…]+(?=\s|$)|['’-]\w+[.,;:]?")
BEFORE = re.compile(r"[(\[“‘]+$")


def keep_together(app: Sphinx, document: nodes.document, page: str) -> None:
    """Put each formula into a box that is not broken, with the signs that belong to it."""
    join_texts(document)
    for formula in list(document.findall(nodes.math)):
        parent = formula.parent
        place = parent.index(formula)
        behind, before = _text(parent, place + 1), _text(parent, place - 1)
        after, ahead = BEHIND.match(behind), BEFORE.search(before)
        if not after and not ahead:
            continue
        box = nodes.inline("", "", classes=["unbroken"])
        parent.replace(formula, box)
        box += [nodes.Text(ahead[0])] if ahead else []
        box += formula
        if after:
            box += nodes.Text(after[0])
            parent[place + 1] = nodes.Text(behind[after.end() :])
        if ahead:
            parent[place - 1] = nodes.Text(before[: ahead.start()])


def _text(parent: nodes.Element, place: int) -> str:
    """Return the text at a place among the children, empty where there is none."""
    inside = 0 <= place < len(parent.children) and isinstance(parent[place], nodes.Text)
    return str(parent[place]) if inside else ""


def setup(app: Sphinx) -> dict[str, Any]:
    """Look at a page when all else is in it."""
    app.connect("doctree-resolved", keep_together, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
