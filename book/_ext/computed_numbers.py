"""Roles and a directive for numbers that the build reads from files.

{measured}`solvers arm=UR10 solver=ours median` is a measured number, as a table shows it: the file, the fields that
select one row, and the column; with the file alone, it shows day and machine. The directive `{measured-table}` shows
several rows and columns: its argument is the file and the fields that select the rows, and its content has a line
`column: heading` for each column. {stored}`name` counts the outputs in the
notebooks: `cells` with an output, those that the tests have `compared`, those that are `ignored`, because of a `clock`
or of a processor's `last-bit`.
"""

import json
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective, SphinxRole

from lessons_lib.course.measurements import MEASURED, read_measurement
from lessons_lib.errors import ParameterError
from lessons_lib.studies.tables import Cell, cell_text

IGNORED, REASONS = "nbval-ignore-output", ("clock", "last-bit")


def conditions(pairs: list[str]) -> dict[str, Cell]:
    """Return the fields and values of words such as "arm=UR10" and "threads=2"."""
    where = dict(pair.split("=", 1) for pair in pairs)
    return {key: int(word) if word.isdigit() else word for key, word in where.items()}


def find_measured(words: str, folder: Path) -> str:
    """Return the value that a role's text selects.

    Raises:
        ExtensionError: There is no such result, row or column, or more than one row.
    """
    name, *rest = shlex.split(words)
    try:
        measurement = read_measurement(name, folder)
        if not rest:
            return measurement.caption()
        *pairs, column = rest
        return cell_text(measurement.value(column, **conditions(pairs)))
    except (ParameterError, ValueError) as error:
        raise ExtensionError(f"{{measured}}`{words}`: {error}") from error


def count_outputs(folder: Path) -> dict[str, int]:
    """Return the numbers of outputs in all notebooks below a folder."""
    counts = Counter(dict.fromkeys(("cells", "compared", "ignored", *REASONS), 0))
    for path in (path for name in ("notebooks", "exercises") for path in sorted((folder / name).rglob("*.ipynb"))):
        for cell in json.loads(path.read_text(encoding="utf8"))["cells"]:
            if cell["cell_type"] == "code" and cell["outputs"]:
                tags = cell["metadata"].get("tags", [])
                counts.update(["cells", "ignored" if IGNORED in tags else "compared"])
                counts.update(reason for reason in REASONS if IGNORED in tags and reason in tags)
    return dict(counts)


class Measured(SphinxRole):
    """Role that shows one measured number."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the number as text."""
        folder = Path(self.config.measured_folder)
        self.env.note_dependency(str(folder / f"{shlex.split(self.text)[0]}.json"))
        return [nodes.Text(find_measured(self.text, folder))], []


class MeasuredTable(SphinxDirective):
    """Directive that shows rows and columns of a measurement, and below them day and machine."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the table and its caption.

        Raises:
            ExtensionError: There is no such result, row or column.
        """
        folder, (name, *pairs) = Path(self.config.measured_folder), shlex.split(self.arguments[0])
        self.env.note_dependency(str(folder / f"{name}.json"))
        try:
            measurement = read_measurement(name, folder)
            columns = dict(line.split(": ", 1) for line in self.content)
            table = measurement.as_markdown(columns, **conditions(pairs))
        except (ParameterError, ValueError) as error:
            raise ExtensionError(f"{{measured-table}} {self.arguments[0]}: {error}") from error
        box, lines = nodes.container(), [*table.splitlines(), "", measurement.caption()]
        self.state.nested_parse(StringList(lines, self.env.docname), 0, box)
        shown: list[nodes.Node] = box.children
        return shown


class Stored(SphinxRole):
    """Role that shows one number of outputs."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the number as text."""
        self.env.note_reread()
        return [nodes.Text(f"{count_outputs(Path(self.env.srcdir))[self.text]:,}")], []


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the roles and the directive, and the folder of measurements, which tests may change."""
    app.add_config_value("measured_folder", str(MEASURED), "env")
    app.add_role("measured", Measured())
    app.add_directive("measured-table", MeasuredTable)
    app.add_role("stored", Stored())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
