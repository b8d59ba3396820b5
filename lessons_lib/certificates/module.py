"""The compiled module of the certificates, one for all arms."""

from functools import lru_cache
from types import ModuleType

from lessons_lib.certificates import angles
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Plain, Recipe

_HERE = "lessons_lib.certificates"
_TEXT = ("lessons_lib.robots.triples", f"{_HERE}.residual", f"{_HERE}.coupled_residual", f"{_HERE}.kantorovich")


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the module; its first use compiles it."""
    return modules.load(Recipe("certificates", (Derived(angles.text), *(Plain(name) for name in _TEXT))))
