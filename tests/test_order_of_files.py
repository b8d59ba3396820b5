"""The files that take long are there, and begin first."""

from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_long_files_begin_first_in_their_order_and_the_others_keep_theirs(request: pytest.FixtureRequest) -> None:
    conftest = request.config.pluginmanager.get_plugin(str(ROOT / "tests" / "conftest.py"))
    assert [name for name in conftest.LONG if not (ROOT / name).exists()] == []
    collected = ["tests/b.py", *reversed(conftest.LONG), "tests/a.py"]
    items = [SimpleNamespace(nodeid=f"{name}::test[a::b]") for name in collected]
    conftest.pytest_collection_modifyitems(items)
    assert [conftest.file_of(item) for item in items] == [*conftest.LONG, "tests/b.py", "tests/a.py"]
