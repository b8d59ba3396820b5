"""The generated module of the closed forms, one for all arms; the first call to one of its functions compiles."""

from functools import lru_cache
from types import ModuleType

from lessons_lib.all_solutions import angle
from lessons_lib.certificates import module as certificates
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Plain, Recipe, Taken
from lessons_lib.lie.targets import pose_module

_HERE = "lessons_lib.all_solutions"
_TEXT = ("crossings", "decisions", "wrist_places", "closed_forms", "every", "recognition")
_SIXTEEN = (*_TEXT[:-1], "determinant", "circle", "newton", "sixteen")
_FIRST = Derived(angle.text), Plain("lessons_lib.robots.triples")
_CERTIFIED, _PROVEN = ("ANGLES", "WIDER", "U", "sine_cosine_near"), ("TINY", "distance_to_rotation")


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the module."""
    return modules.load(Recipe("branches", (_pose(), *_FIRST, *(Plain(f"{_HERE}.{name}") for name in _TEXT))))


@lru_cache(maxsize=1)
def sixteen_module() -> ModuleType:
    """Return the module of arms without a closed form."""
    taken = Taken(certificates.module(), *_CERTIFIED)
    return modules.load(Recipe("sixteen", (_pose(), *_FIRST, taken, *(Plain(f"{_HERE}.{name}") for name in _SIXTEEN))))


@lru_cache(maxsize=1)
def counted_module() -> ModuleType:
    """Return the module that counts the answers of such arms at most."""
    parts = Taken(sixteen_module(), "*"), Taken(certificates.module(), *_PROVEN)
    return modules.load(Recipe("counted", (*parts, *(Plain(f"{_HERE}.{name}") for name in ("radii", "counted")))))


def _pose() -> Taken:
    return Taken(pose_module(), "is_pose")
