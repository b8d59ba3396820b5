"""Other right answers to each exercise get full marks, and other mistakes do not: the checks, run in this process."""

from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent
EXERCISES = sorted((ROOT.parent / "exercises").glob("[0-9]*/*.ipynb"))


@cache
def answers_to(number: str) -> ModuleType:
    """The answers of tests/answers/: RIGHT and WRONG, each from what is said of it to the names that it defines."""
    path = ROOT / "answers" / f"exercise_{number}.py"
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cases(kind: str) -> Iterator[Any]:
    for path in EXERCISES:
        number = path.stem[:2]
        for said, names in getattr(answers_to(number), kind).items():
            yield pytest.param(path, names, id=f"{number} {said}")


def failed_checks(path: Path, names: dict[str, object]) -> tuple[dict[str, str], int]:
    """Run an exercise whose stub is filled by these names; return what its failed checks say, and their number."""
    scope: dict[str, Any] = {"__name__": "exercise"}
    failed, checks = {}, 0
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        about = cell.metadata.get("nbgrader", {})
        try:
            with redirect_stdout(StringIO()):
                exec(compile(cell.source, f"{path.name}, {about.get('grade_id')}", "exec"), scope)
        except AssertionError as error:
            assert about.get("grade"), f"a cell without points fails: {error}"
            failed[about.grade_id] = str(error)
        if about.get("solution"):
            scope |= names
        checks += bool(about.get("grade"))
    return failed, checks


@pytest.mark.parametrize(("path", "names"), [*cases("RIGHT")])
def test_another_right_answer_gets_full_marks(path: Path, names: dict[str, object]) -> None:
    failed, checks = failed_checks(path, names)
    assert checks >= 2
    assert failed == {}


@pytest.mark.parametrize(("path", "names"), [*cases("WRONG")])
def test_another_mistake_does_not_and_is_told_what_is_wrong(path: Path, names: dict[str, object]) -> None:
    failed, _ = failed_checks(path, names)
    assert failed
    for message in failed.values():
        assert len(message.split()) >= 5, message
