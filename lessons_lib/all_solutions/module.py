"""Compiled modules: one for all arms with a closed form, one for general 6R arms, one that counts solutions."""

from functools import lru_cache
from types import ModuleType

from lessons_lib.all_solutions import angle
from lessons_lib.certificates import module as certificates
from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Derived, Imported, Plain, Recipe
from lessons_lib.lie.targets import pose_module

_HERE = "lessons_lib.all_solutions"
_TEXT = ("subproblems", "decisions", "closed_form")
_GENERAL_6R = (*_TEXT, "elimination", "trig_polynomial", "newton", "general_6r")
_FIRST = Derived(angle.text), Plain("lessons_lib.robots.vec3"), Plain("lessons_lib.robots.revolutions")
_FORMS = Plain(f"{_HERE}.recognition", marked=True)


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the module of the closed forms."""
    return modules.load(
        Recipe("closed_form", (_pose(), *_FIRST, *(Plain(f"{_HERE}.{name}") for name in _TEXT), _FORMS))
    )


@lru_cache(maxsize=1)
def general_6r_module() -> ModuleType:
    """Return the module of general 6R arms."""
    taken = Imported(
        certificates.module(), "ANGLES", "INFLATION", "U", "sine_cosine_bounded", "factor", "back_substitute"
    )
    return modules.load(
        Recipe("general_6r", (_pose(), *_FIRST, taken, *(Plain(f"{_HERE}.{name}") for name in _GENERAL_6R)))
    )


@lru_cache(maxsize=1)
def solution_count_module() -> ModuleType:
    """Return the module that bounds the number of solutions of general 6R arms."""
    parts = Imported(general_6r_module(), "*"), Imported(certificates.module(), "UNDERFLOW", "distance_to_rotation")
    return modules.load(Recipe("solution_count", (*parts, *_plain(("solution_count",)))))


@lru_cache(maxsize=1)
def affine_module() -> ModuleType:
    """Return the module of affine arithmetic."""
    taken = Imported(certificates.module(), "ANGLES", "INFLATION", "U", "UNDERFLOW", "sine_cosine_bounded")
    return modules.load(Recipe("slices", (taken, *_plain(("affine_arithmetic",)))))


def _pose() -> Imported:
    return Imported(pose_module(), "is_pose")


def _plain(names: tuple[str, ...]) -> tuple[Plain, ...]:
    return tuple(Plain(f"{_HERE}.{name}") for name in names)
