"""The role {measured}`solvers arm=UR10 solver=ours median`: a measured number, as a table shows it.

The text names the file, the fields that select one row, and the column; with the file alone, it shows day and machine.
"""

import shlex
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxRole

from lessons_lib.course import MEASURED, read_measurement
from lessons_lib.errors import ParameterError
from lessons_lib.studies.tables import cell_text


def read(words: str, folder: Path) -> str:
    """Return the value that the role's text selects.

    Raises:
        ExtensionError: There is no such result, row or column, or more than one row.
    """
    name, *rest = shlex.split(words)
    try:
        measured = read_measurement(name, folder)
        if not rest:
            return measured.caption()
        *pairs, column = rest
        where = dict(pair.split("=", 1) for pair in pairs)
        cells = {key: int(word) if word.isdigit() else word for key, word in where.items()}
        return cell_text(measured.value(column, **cells))
    except (ParameterError, ValueError) as error:
        raise ExtensionError(f"{{measured}}`{words}`: {error}") from error


class Measured(SphinxRole):
    """Role that shows one measured number."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the number as text."""
        folder = Path(self.config.measured_folder)
        self.env.note_dependency(str(folder / f"{shlex.split(self.text)[0]}.json"))
        return [nodes.Text(read(self.text, folder))], []


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the role, and the folder that tests may change."""
    app.add_config_value("measured_folder", str(MEASURED), "env")
    app.add_role("measured", Measured())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
