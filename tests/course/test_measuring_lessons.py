"""The lessons that show what was measured run in an empty folder, as a student's copy and a downloaded one do."""

import re
from pathlib import Path

import nbformat
import pytest

from lessons_lib import course

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_lesson_reads_nothing_beside_it(path, tmp_path, monkeypatch):
    """Measurements come from the package, so a lesson also runs in an empty folder."""
    code = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")
    assert not re.search(
        r"""\bopen\(|\bPath\((?!folder\))|read_text|["']\.\./""", code
    )  # one that it makes may be written to
    monkeypatch.chdir(tmp_path)
    for name in re.findall(r"""read_measurement\(["'](\w+)["']""", code):
        assert course.read_measurement(name)
