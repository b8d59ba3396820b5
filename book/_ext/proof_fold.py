"""Move the lines of a proof from a claim's output to above the code in its fold.

The anchor of the proof moves with them: a browser opens the fold for a link to its contents.
"""

from typing import Any

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

LINES = "proof-lines"


def lines_below(output: nodes.container) -> list[nodes.Node]:
    """Remove the nodes between `<details>` and `</details>` from an output, and return them as a container."""
    ends = [place for place, node in enumerate(output.children) if isinstance(node, nodes.raw)]
    if len(ends) != 2:
        return []
    lines = output.children[ends[0] + 1 : ends[1]]
    output.children = output.children[: ends[0]]
    return [nodes.container("", *lines, classes=[LINES])]


class LinesIntoFold(SphinxPostTransform):
    """Transform that moves the lines of each proof into the fold of its cell."""

    default_priority = 210  # after MyST-NB's transform that creates the fold
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Process all folds."""
        for fold in list(self.document.findall(HideCodeCellNode)):
            cell = fold.parent
            for lines in [node for node in cell.findall(nodes.container) if LINES in node["classes"]]:
                lines.parent.remove(lines)
                lines["ids"], cell["ids"] = cell["ids"], []
                fold.insert(0, lines)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transform."""
    app.add_post_transform(LinesIntoFold)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
