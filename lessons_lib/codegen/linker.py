"""The one linker: derived kernels, plain files and constants, joined to the text of one module.

What goes into it is a `Recipe`: a name, and parts in the order of their text.

    se3, loops = Taken(lie.kernels.module(), "log_se3_kernel"), Plain("lessons_lib.robots.tree_loops")
    module = modules.load(Recipe("tree", (se3, Derived(tree_derivation.derive), loops)))

`Derived` calls a function that returns kernels, and prints them. `Plain` copies the constants and functions of a file,
each function marked for the compiler: the file itself stays plain Python, which can be read, type-checked and called.
`Constants` writes numbers, `Taken` imports from another module.

A plain file uses `math`, `numpy`, what stands in the parts before it, and what it imports from other plain files, which
the recipe names too. What is there only after linking stands in a stub (`*.pyi`) that it imports under TYPE_CHECKING;
tests/codegen/test_stubs.py holds the stubs to the linked modules.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

from lessons_lib.codegen.dependencies import digest, digest_of_files
from lessons_lib.codegen.plain_files import JIT, OVER_LANES, Plain, compiled, marked, marked_files

__all__ = [
    "JIT",
    "OVER_LANES",
    "Constants",
    "Derived",
    "Part",
    "Plain",
    "Recipe",
    "Taken",
    "compiled",
    "marked_files",
]

_TEXT = (
    "linker plain_files native separate_compilation translate values array_text numbers writer ir vectors "
    "operations binding machine"
).split()
"""The files that shape every text, and what becomes of it."""

_IMPORTS = (
    "import math\n\nimport numpy\nimport numpy as np\n\nfrom lessons_lib.codegen.native import native, vectorized"
)


@dataclass(frozen=True)
class Taken:
    """Names imported from another module.

    Attributes:
        module: A generated module, or the dotted name of one of the library's own, whose files then shape this one.
        names: What is imported; "*" for everything.
    """

    module: ModuleType | str
    names: tuple[str, ...]

    def __init__(self, module: ModuleType | str, *names: str) -> None:
        """Take the module, and the names one by one."""
        object.__setattr__(self, "module", module)
        object.__setattr__(self, "names", names)

    def text(self) -> str:
        """Return the import."""
        name = self.module if isinstance(self.module, str) else self.module.__name__
        return f"from {name} import {', '.join(self.names)}"

    def key(self) -> str:
        """Return what the text hangs on; the name of a generated module holds a hash already."""
        return f"{self.text()} {digest([self.module]) if isinstance(self.module, str) else ''}"


@dataclass(frozen=True)
class Constants:
    """Numbers by name."""

    values: Mapping[str, float]

    def text(self) -> str:
        """Return an assignment for each."""
        return "\n".join(f"{name} = {value!r}" for name, value in self.values.items())

    def key(self) -> str:
        """Return what the text hangs on."""
        return self.text()


@dataclass(frozen=True)
class Derived:
    """Kernels, derived when the text is made.

    Attributes:
        derive: Returns the kernels, or a text that is printed already. Its file, and all that this imports, shape the
            module; so it should import what derives and nothing else. What shapes it from outside of the library is
            told in the recipe's `numbers`.
        target: For which the kernels are printed: "scalar" or "numpy".
        check: Looks at the text before anything is done with it, and raises where it is wrong.
    """

    derive: Callable[[], Any]
    target: str = "scalar"
    check: Callable[[str], None] | None = None

    def text(self) -> str:
        """Derive and print."""
        from lessons_lib.codegen.printers import source

        found = self.derive()
        text = found if isinstance(found, str) else source(found, self.target)
        if self.check is not None:
            self.check(text)
        return marked(text) if self.target == "scalar" else text

    def key(self) -> str:
        """Return what the text hangs on besides the numbers of the recipe."""
        function: Any = self.derive
        while isinstance(function, partial):
            function = function.func
        shaping = digest([function.__module__, f"lessons_lib.codegen.{self.target}_target"])
        return f"{function.__qualname__} {self.target} {shaping} {digest_of_files(['lessons_lib.codegen.printers'])}"


Part = Taken | Constants | Derived | Plain


@dataclass(frozen=True)
class Recipe:
    """What a generated module is made of.

    Attributes:
        name: Short name for its file; ASCII letters, digits and underscores.
        parts: In the order in which their text stands; imports come first.
        numbers: What the derivations are given, as text: a chain's screws, for instance.
        derives: What is derived, for the message to the one who waits; left out where nobody has to wait.
        apart: Whether machine code that calls its functions holds no copy of them; see separate_compilation.py.
    """

    name: str
    parts: tuple[Part, ...]
    numbers: str = ""
    derives: str = ""
    apart: bool = False

    @property
    def needed(self) -> tuple[ModuleType, ...]:
        """The generated modules that the text imports."""
        taken = (part.module for part in self.parts if isinstance(part, Taken))
        return tuple(module for module in taken if isinstance(module, ModuleType))

    def text(self) -> str:
        """Return the text of the module; where it gives one name to two things, the cache refuses it."""
        imports = [part.text() for part in self.parts if isinstance(part, Taken)]
        if any(not isinstance(part, Derived) or part.target == "scalar" for part in self.parts):
            imports = ["from __future__ import annotations", _IMPORTS, *imports]
        rest = [part.text().strip("\n") for part in self.parts if not isinstance(part, Taken)]
        imports += ["_APART = True"] if self.apart else []
        return "\n\n".join(imports) + "\n\n\n" * bool(imports) + "\n\n\n".join(rest) + "\n"

    def key(self) -> str:
        """Return all that the text hangs on; reading it needs no SymPy."""
        linker = digest_of_files(f"lessons_lib.codegen.{name}" for name in _TEXT)
        return "\n".join([self.numbers, str(self.apart), linker, *(part.key() for part in self.parts)])
