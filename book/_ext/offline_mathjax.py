"""Serve MathJax from the built book, so that no page contacts another host.

`sphinx-mathjax-offline` carries MathJax 3 but copies all 37 MB of it. The pages only need one combined component
and its fonts.
"""

from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.fileutil import copy_asset

COMPONENT = "tex-chtml-full.js"
FONTS = "output/chtml/fonts/woff-v2"


def mathjax_folder() -> Path:
    """Return the folder of MathJax's built components in the installed package."""
    return Path(str(distribution("sphinx-mathjax-offline").locate_file("sphinx-mathjax-offline/static/mathjax")))


def copy_mathjax(app: Sphinx, error: Exception | None) -> None:
    """Copy the component and its fonts beside the built pages."""
    if error is not None or app.builder.format != "html":
        return
    source, target = mathjax_folder(), Path(app.outdir) / "_static" / "mathjax"
    copy_asset(str(source / COMPONENT), str(target))
    copy_asset(str(source / FONTS), str(target / FONTS))


def setup(app: Sphinx) -> dict[str, Any]:
    """Use the local copy, and write it at the end of the build."""
    app.config.mathjax_path = f"mathjax/{COMPONENT}"
    app.connect("build-finished", copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
