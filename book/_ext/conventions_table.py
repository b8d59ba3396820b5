"""The directive `{conventions}`: prints lessons_lib.conventions as a table."""

import re
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lessons_lib.conventions import CONVENTIONS, Convention

SHAPE = re.compile(r"shape \([^)]*\)")
HEAD = ("Symbol, in code", "Meaning", "Unit, shape", "Lesson")


class ConventionsTable(SphinxDirective):
    """Prints every convention as one row of a table, in the order of the lessons."""

    def run(self) -> list[nodes.Node]:
        """Return the table, parsed from MyST so that symbols are typeset and lessons are linked."""
        in_order = sorted(CONVENTIONS, key=lambda convention: convention.where)
        rows = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD), *map(self.row, in_order)]
        box = nodes.container(classes=["conventions"])
        self.state.nested_parse(StringList(rows, self.env.docname), 0, box)
        return [box]

    def row(self, convention: Convention) -> str:
        """Return one line of the table."""
        symbol = f"${convention.symbol}$<br>`{convention.name}`"
        unit = SHAPE.sub(lambda shape: shape[0].replace(" ", "\N{NO-BREAK SPACE}"), convention.unit)
        cells = (symbol, convention.meaning, unit, self.lesson(convention.where))
        return "| " + " | ".join(cells) + " |"

    def lesson(self, number: str) -> str:
        """Return a link to the lesson with this number, or the number alone while that lesson is not in the book."""
        for docname in sorted(self.env.found_docs):
            if docname.startswith(f"notebooks/{number}_"):
                return f"[{number}](/{docname})"
        return number


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("conventions", ConventionsTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
