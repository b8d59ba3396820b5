"""Which live figures there are, and on which page each is shown first: read from the library and from the pages."""

import json
import re
from pathlib import Path

from lessons_lib.course import live
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.saved import REFERENCE

ROOT = Path(__file__).resolve().parents[2]
FIGURES: dict[str, type[LiveFigure]] = {
    name: getattr(live, name) for name in live.__all__ if name.endswith("Figure") and name != "LiveFigure"
}


def pages() -> dict[str, str]:
    """Return the page of each view: the first notebook that stores it, or the first page with its directive."""
    found: dict[str, str] = {}
    for path in sorted(ROOT.glob("notebooks/*.ipynb")):
        for cell in json.loads(path.read_text("utf8"))["cells"]:
            for output in cell.get("outputs", ()):
                if REFERENCE in output.get("data", {}):
                    view = FIGURES[output["data"][REFERENCE]["figure"]].view
                    found.setdefault(view, path.relative_to(ROOT).with_suffix("").as_posix())
    for path in sorted(ROOT.glob("book/*.md")):
        for name in re.findall(r"\{live-figure\} (\w+)", path.read_text("utf8")):
            found.setdefault(FIGURES[name].view, path.relative_to(ROOT).with_suffix("").as_posix())
    return found
