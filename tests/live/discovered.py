"""Live figures, the page that shows each first, and its check: found in the lessons' folders and on the pages."""

import json
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

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


def checks() -> dict[str, ModuleType]:
    """Return for each view the module beside its figure that checks what it shows: `check.py` beside `live.py`."""
    found = {}
    for figure in FIGURES.values():
        package, _, name = figure.__module__.rpartition(".")
        module = f"{package}.{name.replace('live', 'check', 1)}"
        pytest.register_assert_rewrite(module)
        found[figure.view] = import_module(module)
    return found
