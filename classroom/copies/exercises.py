"""Turn an exercise into what a student gets, by nbgrader's own steps: no solution, no hidden check, no output."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.preprocessors import ClearHiddenTests, ClearOutput, ClearSolutions, ComputeChecksums, LockCells
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from classroom.copies.names import ROOT
from classroom.copies.notebook import Notebook

STEPS = (LockCells, ClearSolutions, ClearOutput, ClearHiddenTests, ComputeChecksums)
"""Those of `nbgrader generate_assignment` that change a notebook, in its order."""


@cache
def configuration(folder: Path = ROOT / "exercises") -> Config:
    """Return how nbgrader is set up for this course."""
    found: Config = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    return found


def released(exercise: Notebook) -> Notebook:
    """Return the exercise without solutions and hidden checks."""
    notebook: Any = nbformat.reads(json.dumps(exercise), as_version=4)
    for step in STEPS:
        notebook, _ = step(config=configuration()).preprocess(notebook, {})
    found: Notebook = json.loads(nbformat.writes(notebook))
    return found
