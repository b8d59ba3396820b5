"""Find the live figures and their checks in the lessons' folders."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from lessons_lib.course import live
from lessons_lib.course.live.figure import LiveFigure

ROOT = Path(__file__).resolve().parents[2]
FIGURES: dict[str, type[LiveFigure]] = {
    name: getattr(live, name) for name in live.__all__ if name.endswith("Figure") and name != "LiveFigure"
}


def checks() -> dict[str, ModuleType]:
    """Return for each view the check module beside its figure: `check.py` beside `live.py`."""
    found = {}
    for figure in FIGURES.values():
        package, _, name = figure.__module__.rpartition(".")
        module = f"{package}.{name.replace('live', 'check', 1)}"
        pytest.register_assert_rewrite(module)
        found[figure.view] = import_module(module)
    return found
