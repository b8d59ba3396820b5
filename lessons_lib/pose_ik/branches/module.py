"""The generated module of the closed forms, one for all arms; the first call to one of its functions compiles."""

from functools import lru_cache
from types import ModuleType

from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Plain, Recipe, Taken
from lessons_lib.pose_ik.branches import angle
from lessons_lib.pose_ik.certificates import module as certificates

_HERE = "lessons_lib.pose_ik.branches"
_TEXT = ("crossings", "decisions", "wrist_places", "closed_forms", "every", "recognition")
_SIXTEEN = (*_TEXT[:-1], "determinant", "circle", "newton", "sixteen")
_FIRST = Derived(angle.text), Plain("lessons_lib.robots.triples")
RECIPE = Recipe("branches", (*_FIRST, *(Plain(f"{_HERE}.{name}") for name in _TEXT)))
SIXTEEN = Recipe("sixteen", (*_FIRST, *(Plain(f"{_HERE}.{name}") for name in _SIXTEEN)))

_CERTIFIED = ("ANGLES", "TINY", "WIDER", "U", "distance_to_rotation", "sine_cosine_near")


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the module."""
    return modules.load(RECIPE)


@lru_cache(maxsize=1)
def sixteen_module() -> ModuleType:
    """Return the module of arms without a closed form."""
    return modules.load(SIXTEEN)


@lru_cache(maxsize=1)
def counted_module() -> ModuleType:
    """Return the module that counts the answers of such arms at most."""
    taken = Taken(sixteen_module(), "*"), Taken(certificates.module(), *_CERTIFIED)
    return modules.load(Recipe("counted", (*taken, *(Plain(f"{_HERE}.{name}") for name in ("radii", "counted")))))
