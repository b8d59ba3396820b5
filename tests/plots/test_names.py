"""What the package hands out is what its modules say in their `__all__`, at run time and to a type checker."""

import ast
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from lessons_lib import plots

FOLDER = Path(plots.__file__).parent
MODULES = [path.stem for path in sorted(FOLDER.glob("*.py")) if "\n__all__ = [" in path.read_text(encoding="utf8")]


def test_every_name_is_that_of_its_module() -> None:
    public = {module: import_module(f"lessons_lib.plots.{module}").__all__ for module in MODULES}
    counts = Counter(name for names in public.values() for name in names)
    assert counts.most_common(1)[0][1] == 1, "two modules hand out one name"
    assert sorted(counts) == plots.__all__
    for module, names in public.items():
        for name in names:
            assert getattr(plots, name) is getattr(import_module(f"lessons_lib.plots.{module}"), name)
            assert getattr(plots, name).__module__ == f"lessons_lib.plots.{module}"


def test_a_type_checker_sees_the_same_modules() -> None:
    nodes = ast.walk(ast.parse((FOLDER / "__init__.py").read_text(encoding="utf8")))
    stars = [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"]
    assert stars == [f"lessons_lib.plots.{module}" for module in MODULES]


def test_an_unknown_name_is_answered_with_those_there_are() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'draw_everything'; it has .*draw_arm"):
        plots.draw_everything  # noqa: B018
