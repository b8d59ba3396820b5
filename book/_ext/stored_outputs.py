"""The role {stored}`name`: number of outputs in the notebooks, and how many of them the tests compare.

The numbers are counted during the build: `cells` with an output, those that are `compared`, those that are `ignored`,
because of a `clock` or of a processor's `last-bit`.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

FOLDERS = ("notebooks", "exercises")
IGNORED, REASONS = "nbval-ignore-output", ("clock", "last-bit")


def count_outputs(cells: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Return the values of the role for these cells."""
    counts = Counter(dict.fromkeys(("cells", "compared", "ignored", *REASONS), 0))
    for cell in cells:
        if cell["cell_type"] == "code" and cell["outputs"]:
            tags = cell["metadata"].get("tags", [])
            ignored = IGNORED in tags
            counts.update(["cells", "ignored" if ignored else "compared"])
            counts.update(reason for reason in REASONS if ignored and reason in tags)
    return counts


def count(folder: Path) -> Counter[str]:
    """Return the values of the role for all notebooks below a folder."""
    paths = [path for name in FOLDERS for path in sorted((folder / name).rglob("*.ipynb"))]
    return count_outputs(cell for path in paths for cell in json.loads(path.read_text(encoding="utf8"))["cells"])


class StoredOutputs(SphinxRole):
    """Role that shows one of the numbers."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the number as text.

        Raises:
            ValueError: There is no number of that name.
        """
        counts = count(Path(self.env.srcdir))
        self.env.note_reread()
        if self.text not in counts:
            raise ValueError(f"{{stored}}`{self.text}` is unknown; available: {', '.join(counts)}")
        return [nodes.Text(f"{counts[self.text]:,}")], []


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the role."""
    app.add_role("stored", StoredOutputs())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
