"""Runs the commands of the page for teachers and reads notebooks; the tests of grading and of the hub share it."""

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
NAME = "02_rotation_logarithm"  # what the page for teachers shows


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def commands(name: str = NAME, everybodys: bool = False) -> list[str]:
    """The commands of the page for teachers, in order, for an exercise; or with everybody's."""
    page = (ROOT / "book" / "teach.md").read_text(encoding="utf8")
    found = [line.replace(NAME, name) for line in re.findall(r"^nbgrader .*$", page, re.MULTILINE)]
    return [line for line in found if everybodys or not line.endswith(("--student=ada", "roster.csv"))]


def run(command: str) -> None:
    """Run one nbgrader command in the repository's root, in this process, for a new one takes seconds to begin."""
    app = NbGraderApp()
    try:
        with pytest.MonkeyPatch.context() as patch, suppress(NoStart):
            patch.chdir(ROOT)
            patch.setattr(sys, "argv", shlex.split(command))  # which the configuration reads
            app.initialize(shlex.split(command)[1:])
            app.start()
        assert app.subapp is not None, f"{command} is no command of nbgrader's"
    finally:
        while (sub := app.subapp) is not None:
            app = sub
        app.clear_instance()


def solutions(name: str) -> list[str]:
    """What stands in an exercise's places for an answer."""
    cells = read(ROOT / "exercises" / name / f"{name}.ipynb").cells
    return [cell.source for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")]


def fill_in_answers(released: Path, answers: list[str]) -> nbformat.NotebookNode:
    """The released copy with answers in it, the first ones first; what is left over stays blank."""
    notebook = read(released)
    places = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    for cell, answer in zip(places, answers, strict=False):
        cell.source = answer
    return notebook
