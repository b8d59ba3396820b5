"""Run the nbgrader commands of the page for teachers, and read and fill in notebooks."""

import re
import shlex
import sys
from contextlib import suppress
from pathlib import Path

import nbformat
import pytest
from jupyter_core.application import NoStart
from nbgrader.apps.nbgraderapp import NbGraderApp

ROOT = Path(__file__).resolve().parent.parent
NAME = "02_rotation_logarithm"  # the exercise in the page for teachers


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


VERBS = "db|export|(?:generate|release|fetch)_(?:assignment|feedback)|submit|collect|autograde|list"


def commands(name: str = NAME, everybodys: bool = False) -> list[str]:
    """Return the commands of the page for teachers for an exercise, with or without those for the whole class."""
    page = (ROOT / "book" / "teach.md").read_text(encoding="utf8")
    found = [line.replace(NAME, name) for line in re.findall(rf"^nbgrader (?:{VERBS})\b.*$", page, re.MULTILINE)]
    return [line for line in found if everybodys or not line.endswith(("--student=ada", "roster.csv"))]


def run(command: str) -> None:
    """Run an nbgrader command in the repository's root, in this process, because a new one takes seconds to start."""
    app = NbGraderApp()
    try:
        with pytest.MonkeyPatch.context() as patch, suppress(NoStart):
            patch.chdir(ROOT)
            patch.setattr(sys, "argv", shlex.split(command))  # read by the configuration
            app.initialize(shlex.split(command)[1:])
            app.start()
        assert app.subapp is not None, f"{command} is not a command of nbgrader"
    finally:
        while (sub := app.subapp) is not None:
            app = sub
        app.clear_instance()


def solutions(name: str) -> list[str]:
    """Return the solutions in an exercise's solution cells."""
    cells = read(ROOT / "exercises" / name / f"{name}.ipynb").cells
    return [cell.source for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")]


def fill_in_answers(released: Path, answers: list[str]) -> nbformat.NotebookNode:
    """Return the released copy with answers in its first solution cells; the others stay blank."""
    notebook = read(released)
    places = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    for cell, answer in zip(places, answers, strict=False):
        cell.source = answer
    return notebook
