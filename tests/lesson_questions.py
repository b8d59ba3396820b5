"""Questions of the lessons, their recomputed answers in tests/course/questions, and stored outputs of the lessons."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat

from classroom.copies.questions import Question, read
from lessons_lib.course import MEASURED
from lessons_lib.course.live.figure import LiveFigure, from_reference
from lessons_lib.course.live.saved import REFERENCE

ROOT = Path(__file__).resolve().parents[1]
LESSONS = {path.stem[3:]: path for path in sorted(ROOT.glob("notebooks/*.ipynb"))}
"""Notebooks by subject."""

Truth = Sequence[float | bool]
"""The answer to a question: for each choice in order, its number or whether it is true."""
Values = dict[str, float]
Places = Iterator[tuple[Values, str]]
"""Values of a figure's controls, and the first words of the choice that is true for them."""


@cache
def questions_of(subject: str) -> dict[str, Question]:
    """Return the questions of a lesson by name; `predict-08-frames` has the name `frames`."""
    cells = [cell for cell in nbformat.read(LESSONS[subject], as_version=4).cells if cell.cell_type == "markdown"]
    asked = [question for cell in cells for question in read(cell.source)]
    boxes = sum(len(re.findall(r"^:class:.*\bpredict\b", cell.source, re.MULTILINE)) for cell in cells)
    assert boxes == len(asked), "a box of the class predict has an invalid form"
    before = f"predict-{LESSONS[subject].stem[:2]}-"
    assert [question.name for question in asked if not question.name.startswith(before)] == []
    found = {question.name.removeprefix(before): question for question in asked}
    assert len(found) == len(asked)
    return found


@cache
def answers_to(subject: str) -> ModuleType:
    """Import the recomputed answers of a lesson; `predict_frames` answers the question `frames`."""
    path = ROOT / "tests" / "course" / "questions" / f"{subject}.py"
    spec = spec_from_file_location(f"questions_of_{subject}", path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answers_of(subject: str) -> dict[str, Callable[[], Any]]:
    """Return the functions that recompute a lesson's answers, by question."""
    found = vars(answers_to(subject)).items()
    return {name.removeprefix("predict_").replace("_", "-"): f for name, f in found if name.startswith("predict_")}


def find_printed(subject: str, pattern: str) -> list[str]:
    """Return the matches of a pattern in the stored outputs of a lesson."""
    cells = [cell for cell in nbformat.read(LESSONS[subject], as_version=4).cells if cell.cell_type == "code"]
    outputs = [output for cell in cells for output in cell.outputs]
    texts = [output.get("text", "") + output.get("data", {}).get("text/markdown", "") for output in outputs]
    found = re.findall(pattern, "\n".join(texts))
    assert found, f"no output of the lesson {subject} matches {pattern}"
    return found


def read_measured(name: str) -> dict[str, Any]:
    """Read a file of benchmark results."""
    return json.loads((MEASURED / f"{name}.json").read_text(encoding="utf8"))


@cache
def figure_of(subject: str, name: str) -> LiveFigure:
    """Return the live figure of a question, with the values that the question sets."""
    cells = nbformat.read(LESSONS[subject], as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", []) if "data" in output]
    references = [output["data"][REFERENCE] for output in outputs if REFERENCE in output["data"]]
    place = questions_of(subject)[name].place
    assert place is not None
    asked: dict[str, Any] = {**place.held, **place.moved}
    (reference,) = [one for one in references if asked.keys() <= from_reference(one).values.keys()]
    return from_reference({"figure": reference["figure"], "arguments": {**reference["arguments"], **asked}})
