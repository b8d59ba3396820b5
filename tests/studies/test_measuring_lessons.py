"""The lessons that show what was measured run in an empty folder, as a student's copy and a downloaded one do."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


@pytest.mark.check
@pytest.mark.parametrize("name", ["07_code_generation", "19_scaling"])
def test_a_lesson_finds_the_measurements_wherever_it_is(name: str, tmp_path: Path) -> None:
    text = (NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf8")
    assert "read_measurement" in text
    notebook = nbformat.reads(text, as_version=4)
    NotebookClient(
        notebook, timeout=1800, startup_timeout=900, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
