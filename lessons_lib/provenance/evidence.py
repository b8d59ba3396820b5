"""What stands behind a formula: the claims about it that the lessons have stored, and the tests that name it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from lessons_lib.symbolic.claims import FORMULAS
from lessons_lib.symbolic.formulas import PACKAGE, name_of

_LABEL = re.compile(r"Claim (\d+\.\d+):")


@dataclass(frozen=True)
class Evidence:
    """What a checkout of the course holds.

    Attributes:
        root: Its folder, with `notebooks/` and `tests/`.
    """

    root: Path

    @cached_property
    def claims(self) -> dict[str, tuple[str, ...]]:
        """The numbers of the claims that are about each formula, in the order of the lessons, as stored."""
        found: dict[str, list[str]] = {}
        for number, formulas in sorted(self._stored(), key=lambda one: tuple(map(int, one[0].split(".")))):
            for formula in formulas:
                found.setdefault(formula, []).append(number)
        return {formula: tuple(dict.fromkeys(numbers)) for formula, numbers in found.items()}

    def tests_of_formula(self, formula: str) -> tuple[str, ...]:
        """Return the tests of `symbolic` that name a formula, "open_tree.moment" for instance."""
        named = re.compile(rf"\b{re.escape(formula)}\b")
        return tuple(path for path, text in self._tests.items() if named.search(text) or formula in _imported(text))

    def has_tests(self, path: str) -> bool:
        """Return whether a file is there and defines a test."""
        file = self.root / path
        return file.is_file() and "\ndef test_" in file.read_text("utf-8")

    @cached_property
    def _tests(self) -> dict[str, str]:
        paths = sorted(self.root.glob("tests/symbolic/test_*.py"))
        return {str(path.relative_to(self.root)): path.read_text("utf-8") for path in paths}

    def _stored(self) -> Iterator[tuple[str, list[str]]]:
        """Yield each stored claim's number and its formulas."""
        for path in sorted(self.root.glob("notebooks/*.ipynb")):
            for cell in json.loads(path.read_text("utf-8"))["cells"]:
                for output in cell.get("outputs", ()):
                    data = output.get("data", {})
                    label = _LABEL.match(_text(data.get("text/plain", "")))
                    if label and FORMULAS in data:
                        yield label[1], _text(data[FORMULAS]).split()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "".join(value)


@cache
def _imported(text: str) -> frozenset[str]:
    """Return the formulas that a test imports by name, from their own file or from the package."""
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in imports if f"{node.module}.".startswith(PACKAGE)]
    found = (getattr(import_module(str(node.module)), alias.name, None) for node in ours for alias in node.names)
    return frozenset(filter(None, map(name_of, found)))
