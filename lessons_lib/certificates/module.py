"""The compiled module of the certificates, one for all arms."""

from functools import lru_cache
from types import ModuleType

from lessons_lib.certificates import angles
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Plain, Recipe

_TEXT = "error_bounds", "residual", "lu", "kantorovich"


@lru_cache(maxsize=1)
def module() -> ModuleType:
    text = (Plain(f"lessons_lib.certificates.{name}") for name in _TEXT)
    return modules.load(Recipe("certificates", (Derived(angles.text), Plain("lessons_lib.robots.vec3"), *text)))
