"""A copy runs without the repository: its code names no file of it, and imports only installed packages."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from classroom.copies import course
from classroom.copies.addresses import Folder
from classroom.copies.names import ROOT, pages

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader and the packages below it warn of their own future
READS_MEASUREMENTS = (
    "notebooks/07_code_generation",
    "notebooks/24_scaling",
    "notebooks/22_retime",
    "notebooks/23_robot",
)


def code_of(page: str) -> str:
    cells = json.loads(course.notebook_copy(page, Folder()))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def of_the_repository(code: str, beside: Path) -> Iterator[str]:
    """Yield the files and modules of the repository that some code names."""
    here = {path.stem for folder in (ROOT, beside) for path in folder.iterdir()} - {"lessons_lib"}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
            is_path = len(node.value) < 200 and ("/" in node.value or "." in node.value)
            if "../" in node.value or is_path and any((at / node.value).is_file() for at in (ROOT, beside)):
                yield node.value
        elif isinstance(node, ast.Import | ast.ImportFrom):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
            yield from (module for module in modules if module.partition(".")[0] in here)


@pytest.mark.parametrize("code", ["open('../a')", "read('notebooks/01_inverse_kinematics.ipynb')", "import tests.a"])
def test_references_to_the_repository_are_found(code: str) -> None:
    assert list(of_the_repository(code, ROOT))


@pytest.mark.parametrize("page", pages())
def test_a_copy_names_nothing_of_the_repository(page: str) -> None:
    assert list(of_the_repository(code_of(page), (ROOT / page).parent)) == []


@pytest.mark.release
@pytest.mark.parametrize("page", READS_MEASUREMENTS)
def test_a_copy_runs_in_an_empty_folder(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # the kernel has the library that is tested, whichever one is installed
    notebook = nbformat.reads(course.notebook_copy(page, Folder()), as_version=4)
    NotebookClient(notebook, timeout=900, resources={"metadata": {"path": tmp_path}}).execute()
    assert "cannot read" not in nbformat.writes(notebook)
