"""What is written by hand: in which file, why, and which tests hold it.

A file that holds text for the compiler says so at the end of its docstring:

    By hand: it chooses between two formulas, which a straight line of assignments cannot.
    Held by: tests/lie/test_exp_and_log.py.

Where it does not, what the __init__.py of its folder says holds for it.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath

from lessons_lib.provenance.runs import PACKAGE, Function

_REASON = re.compile(r"^By hand: (.+?)\.?$(?=\n(?:Held by|\n|\Z)|\Z)", re.MULTILINE | re.DOTALL)
_TESTS = re.compile(r"^Held by: (.+?)\.$(?=\n\n|\n?\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class File:
    """A file of the library that holds text for the compiler.

    Attributes:
        path: Relative to the package: "lie/logarithm.py".
        says: The first sentence of its docstring.
        reason: Why it is written by hand; empty where the file does not say.
        tests: Those that hold it, relative to the repository; none where the file does not say.
    """

    path: str
    says: str
    reason: str
    tests: tuple[str, ...]


@cache
def file_of(function: Function) -> File | None:
    """Return the file in which a function's text stands, as code or as text that a printer writes; None if in none.

    Of several that define the name, it is the one that has the most lines of the text.
    """
    names = f"def {function.name}(", re.sub(r"\d+\($", "{n}(", f"def {function.name}(")  # as stumpff_{n}
    lines = {line.strip() for line in function.text.splitlines()}
    holding = {path: text for path, text in _texts().items() if any(name in text for name in names)}
    common = {path: sum(line in text for line in lines) for path, text in holding.items()}
    return described(max(common, key=lambda path: common[path])) if common else None


@cache
def described(path: str) -> File:
    """Return what a file says of itself."""
    own, package = (ast.get_docstring(ast.parse(_texts()[one])) or "" for one in (path, _package(path)))
    reason, tests = (pattern.search(own) or pattern.search(package) for pattern in (_REASON, _TESTS))
    named = re.findall(r"[\w/]+\.py", tests[1]) if tests else []
    return File(path, own.split("\n\n")[0].replace("\n", " "), _line(reason), tuple(named))


def _package(path: str) -> str:
    return str(PurePath(path).with_name("__init__.py"))


def _line(found: re.Match[str] | None) -> str:
    return " ".join(found[1].split()) if found else ""


@cache
def _texts() -> dict[str, str]:
    """Return the text of every file of the library by its path; those that look on are left out."""
    paths = sorted(path for path in PACKAGE.rglob("*.py") if path.parent.name != "provenance")
    return {str(path.relative_to(PACKAGE)): path.read_text("utf-8") for path in paths}
