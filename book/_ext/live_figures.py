"""Live figures in the built pages: those stored in notebooks, and the directive `{live-figure}`.

A notebook stores a reference and a picture of the opening state. The page gets the referenced figure, with kernels
printed during the build; the picture stays for print and for pages without scripts.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective
from sphinx.util.fileutil import copy_asset_file

from lessons_lib.course.live import front_end
from lessons_lib.course.live.figure import LiveFigure, from_reference
from lessons_lib.course.live.saved import REFERENCE

BUILDER = Path(__file__).resolve().parents[2] / "front" / "build.py"
SCRIPTS = {"widget": ["live.js"], "widget3d": ["live.js", "live3d.js"]}
"""Scripts of each bundle; the shapes of its arms follow."""


def host(figure: LiveFigure, name: str) -> tuple[nodes.raw, nodes.raw]:
    """Return the HTML before and after a still picture, which the figure replaces."""
    data = json.dumps(figure.specification, ensure_ascii=False).replace("<", "\\u003c")
    script = f'<script type="application/json">{data}</script>'
    before = nodes.raw("", f'<div class="live-host" data-id="{name}">{script}<div class="live-still">', format="html")
    shapes = [front_end.shape_script(shape).name for shape in figure.shapes]
    before["live_scripts"] = [*SCRIPTS[figure.bundle], *shapes]
    return before, nodes.raw("", "</div></div>", format="html")


def references(path: Path) -> dict[int, dict[str, Any]]:
    """Return the references stored in a notebook by cell index."""
    by_output = {}
    for index, cell in enumerate(nbformat.read(path, as_version=4).cells):
        for output in cell.get("outputs", []):
            if REFERENCE in output.get("data", {}):
                by_output[index] = output["data"][REFERENCE]
    return by_output


def enliven(app: Sphinx, doctree: nodes.document) -> None:
    """Replace the still picture of each figure in the page's notebook.

    Raises:
        ExtensionError: A figure has no still picture in the page.
    """
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    stored = references(path)
    for cell in doctree.findall(nodes.container):
        reference = stored.pop(cell.get("cell_index", -1), None)
        if reference is None:
            continue
        figure = next(iter(cell.findall(nodes.figure)), None)
        image = next(iter(cell.findall(nodes.image)), None)
        if figure is None or image is None:
            raise ExtensionError(f"{path.name}: {reference['figure']} has no still picture with a caption")
        before, after = host(from_reference(reference), figure["ids"][0])
        image.replace_self([before, image, after])
    if stored:
        raise ExtensionError(f"{path.name}: cells {sorted(stored)} hold live figures, and the page shows none of them")


class LiveFigureDirective(SphinxDirective):
    """Directive that shows a live figure, named by its class, on other pages; the content is the caption."""

    required_arguments = 1
    has_content = True
    option_spec = {"name": directives.unchanged_required, "alt": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Return the figure with the picture of its opening state."""
        figure = from_reference({"figure": self.arguments[0], "arguments": {}})
        name = nodes.make_id(self.options["name"])
        picture = Path("_images") / f"{name}.png"
        place = Path(self.env.app.outdir) / picture
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(figure.opening_path().read_bytes())
        address = "../" * self.env.docname.count("/") + picture.as_posix()
        alternative = nodes.Text(self.options["alt"]).astext().replace('"', "&quot;")
        still = nodes.raw("", f'<img src="{address}" alt="{alternative}">', format="html")
        caption = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, caption)
        before, after = host(figure, name)
        opening = nodes.raw("", f'<figure id="{name}" class="live-directive">', format="html")
        closing = nodes.raw("", "</figcaption></figure>", format="html")
        middle = nodes.raw("", "<figcaption>", format="html")
        return [opening, before, still, after, middle, *caption.children, closing]


def add_scripts(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Load the front end on a page with figures, and three.js if a figure draws in space."""
    wanted_scripts = (
        [raw["live_scripts"] for raw in doctree.findall(nodes.raw) if "live_scripts" in raw] if doctree else []
    )
    for script in dict.fromkeys(script for scripts in wanted_scripts for script in scripts):
        app.add_js_file(script, loading_method="defer")


def build_front_end(app: Sphinx) -> None:
    """Build the front end and derive the scripts if their sources have changed.

    Raises:
        ExtensionError: The build failed.
    """
    for command in ([str(BUILDER)], ["-m", "lessons_lib.course.live.scripts"]):
        done = subprocess.run([sys.executable, *command], capture_output=True, text=True)
        if done.returncode != 0:
            raise ExtensionError(f"the front end of the live figures cannot be built:\n{done.stdout}{done.stderr}")


def copy_scripts(app: Sphinx, error: Exception | None) -> None:
    """Copy the scripts and licences beside the built pages."""
    if error is not None or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    bundles = [front_end.FOLDER / name for name in SCRIPTS["widget3d"]]
    for path in (*bundles, *front_end.FOLDER.glob("*.LICENSE.txt"), *front_end.SHAPES.iterdir()):
        copy_asset_file(str(path), str(static))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive and the handlers."""
    app.add_directive("live-figure", LiveFigureDirective)
    app.connect("builder-inited", build_front_end)
    app.connect("doctree-read", enliven)
    app.connect("html-page-context", add_scripts)
    app.connect("build-finished", copy_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
