"""Plain Python files whose functions are linked to derived kernels, each with a decorator for the compiler."""

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from lessons_lib.codegen.dependencies import digest_of_files, file_of
from lessons_lib.codegen.syntax import parse
from lessons_lib.errors import CodegenError

NATIVE = "@native"
"""Decorator of plain functions, unless a recipe names another one."""

NATIVE_CONTRACTED = "@native(contract=True)"
"""Decorator of the SIMD search: a product and a sum may be rounded once (fused multiply-add)."""


def add_decorators(text: str) -> str:
    """Add a decorator to each function that has none; sine and cosine are inlined."""

    def mark(head: re.Match[str]) -> str:
        how = f"contract=True, inline={head['name'].startswith('sine_cosine')}"
        return f"{head['before']}@native({how})\ndef {head['name']}("

    return re.sub(r"(?P<before>^|\n\n)def (?P<name>\w+)\(", mark, text)


_Function = TypeVar("_Function", bound=Callable[..., object])


def compiled(function: _Function) -> _Function:
    """Mark a function for `Plain(…, marked=True)`, which links only marked functions; it stays plain Python."""
    return function


@dataclass(frozen=True)
class Plain:
    """The constants (names in capitals) and functions of a plain Python file.

    `marks` are other decorators, by function. With `marked`, only functions marked `compiled` are linked, and
    the constants they use. `only` selects functions, without constants; `without` excludes functions linked elsewhere.
    """

    module: str
    mark: str = NATIVE
    marks: Mapping[str, str] = field(default_factory=dict)
    marked: bool = False
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def text(self) -> str:
        """Return all definitions; raise CodegenError for a function with another decorator."""
        return "\n\n\n".join(self.definitions().values())

    def definitions(self) -> dict[str, str]:
        """Return the text of each constant and function by name."""
        lines, nodes = _read(file_of(self.module).read_text("utf-8"))
        functions = [node for node in nodes if isinstance(node, ast.FunctionDef) and self._is_linked(node)]
        body = ast.Module([line for function in functions for line in function.body], [])  # without annotations
        used = {name.id for name in ast.walk(body) if isinstance(name, ast.Name)}
        definitions: dict[str, str] = {}
        for node in nodes:
            segment = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            if isinstance(node, ast.FunctionDef) and node in functions:
                definitions[node.name] = f"{self.marks.get(node.name, self.mark)}\n{segment}"
            elif isinstance(node, ast.Assign) and not self.only:
                names = [name.id for name in ast.walk(node.targets[0]) if isinstance(name, ast.Name)]
                if used.intersection(names) if self.marked else all(name.isupper() for name in names):
                    definitions[", ".join(names)] = segment
        return definitions

    def _is_linked(self, function: ast.FunctionDef) -> bool:
        marks = {ast.unparse(mark) for mark in function.decorator_list}
        if marks - {"compiled"} and (not self.marked or "compiled" in marks):
            raise CodegenError(f"{self.module}.{function.name} has a decorator; remove it: recipes add decorators")
        if function.name in self.without or (self.only and function.name not in self.only):
            return False
        return "compiled" in marks or not self.marked

    def key(self) -> str:
        """Return the inputs of the text."""
        how = f"{self.mark} {sorted(self.marks.items())} {self.marked} {self.only} {self.without}"
        return f"{how} {digest_of_files([self.module])}"


@lru_cache(maxsize=64)
def _read(whole: str) -> tuple[list[str], list[ast.stmt]]:
    """Split a text into lines and parse it; callers must not change the result."""
    return whole.splitlines(), parse(whole).body


def marked_files(package: str) -> tuple[Plain, ...]:
    """Return the files of a package that contain functions marked `compiled`, sorted by name."""
    folder = file_of(package).parent
    files = (path for path in sorted(folder.rglob("*.py")) if "\n@compiled\n" in path.read_text("utf-8"))
    names = (".".join((package, *path.relative_to(folder).with_suffix("").parts)) for path in files)
    return tuple(Plain(name, marked=True) for name in names)
