"""Linker: joins derived kernels, plain files and constants to the text of one module."""
# A plain file may use `math`, `numpy`, names of earlier parts, and imports from other plain files of the recipe. A stub
# (`*.pyi`), imported under TYPE_CHECKING, declares names that exist only after linking; tests compare the two.

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

from lessons_lib.codegen import cache
from lessons_lib.codegen.dependencies import digest, digest_of_files
from lessons_lib.codegen.plain_files import NATIVE, NATIVE_CONTRACTED, Plain, add_decorators, compiled, marked_files

__all__ = [
    "NATIVE",
    "NATIVE_CONTRACTED",
    "Constants",
    "Derived",
    "Part",
    "Plain",
    "Recipe",
    "Imported",
    "compiled",
    "marked_files",
]

_TEXT = (
    "linker plain_files native separate_compilation translate values array_text numbers double_double ir vectors "
    "binding machine"
).split()
"""Files of this package that shape every text or its machine code."""

_IMPORTS = (
    "import math\n\nimport numpy\nimport numpy as np\n\nfrom lessons_lib.codegen.native import native, vectorized"
)


@dataclass(frozen=True)
class Imported:
    """Names imported from a generated module or a module of the library; "*" for all names."""

    module: ModuleType | str
    names: tuple[str, ...]

    def __init__(self, module: ModuleType | str, *names: str) -> None:
        """Store the module and the names."""
        object.__setattr__(self, "module", module)
        object.__setattr__(self, "names", names)

    def text(self) -> str:
        """Return the import."""
        name = self.module if isinstance(self.module, str) else self.module.__name__
        return f"from {name} import {', '.join(self.names)}"

    def key(self) -> str:
        """Return the inputs of the text; the name of a generated module contains a hash."""
        return f"{self.text()} {digest([self.module]) if isinstance(self.module, str) else ''}"


@dataclass(frozen=True)
class Constants:
    """Named numbers."""

    values: Mapping[str, float]

    def text(self) -> str:
        """Return an assignment for each constant."""
        return "\n".join(f"{name} = {value!r}" for name, value in self.values.items())

    def key(self) -> str:
        """Return the inputs of the text."""
        return self.text()


@dataclass(frozen=True)
class Derived:
    """Kernels, or text, that `derive` returns when the text is requested; `check` raises an error if the text is wrong.

    The module depends on the file of `derive` and all its imports. Other inputs belong in the recipe's `numbers`.
    """

    derive: Callable[[], Any]
    target: str = "scalar"
    check: Callable[[str], None] | None = None

    def text(self) -> str:
        """Derive the kernels and print them."""
        from lessons_lib.codegen.printers import source

        result = self.derive()
        text = result if isinstance(result, str) else source(result, self.target)
        if self.check is not None:
            self.check(text)
        return add_decorators(text) if self.target == "scalar" else text

    def key(self) -> str:
        """Return the inputs of the text, except the numbers of the recipe."""
        function: Any = self.derive
        while isinstance(function, partial):
            function = function.func
        shaping = digest([function.__module__, f"lessons_lib.codegen.{self.target}_target"])
        return f"{function.__qualname__} {self.target} {shaping} {digest_of_files(['lessons_lib.codegen.printers'])}"


Part = Imported | Constants | Derived | Plain


@dataclass(frozen=True)
class Recipe:
    """The parts of a generated module, in order; imports are moved to the top.

    `numbers` are inputs of derivations as text, such as a chain's screws. `derives` names the derivation in the compile
    log. A `separate` module is compiled separately from its callers.
    """

    name: str
    parts: tuple[Part, ...]
    numbers: str = ""
    derives: str = ""
    separate: bool = False

    @property
    def needed(self) -> tuple[ModuleType, ...]:
        """Generated modules that the text imports."""
        imported = (part.module for part in self.parts if isinstance(part, Imported))
        return tuple(module for module in imported if isinstance(module, ModuleType))

    def text(self) -> str:
        """Return the text of the module."""
        imports = [part.text() for part in self.parts if isinstance(part, Imported)]
        if any(not isinstance(part, Derived) or part.target == "scalar" for part in self.parts):
            imports = ["from __future__ import annotations", _IMPORTS, *imports]
        rest = [part.text().strip("\n") for part in self.parts if not isinstance(part, Imported)]
        imports += ["_SEPARATE = True"] if self.separate else []
        return "\n\n".join(imports) + "\n\n\n" * bool(imports) + "\n\n\n".join(rest) + "\n"

    def key(self) -> str:
        """Return everything that the text depends on, without loading SymPy."""
        linker = digest_of_files(f"lessons_lib.codegen.{name}" for name in _TEXT)
        return "\n".join([self.numbers, str(self.separate), linker, *(part.key() for part in self.parts)])


def load(recipe: Recipe, owner: object = None) -> ModuleType:
    """Return the module of a recipe, cached or linked now; it is freed with its last owner, without one never."""
    key, needed = recipe.key(), recipe.needed
    return cache.load(recipe.name, key, recipe.text, needed, derives=recipe.derives, owner=owner)
