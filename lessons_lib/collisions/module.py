"""The generated module of distances between bodies, shared by all arms and compiled at the first call."""

from functools import lru_cache
from types import ModuleType

from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import Plain, Recipe

EXACT = "@vectorized(contract=False)"
"""For SIMD functions: no fused multiply-add, so the results equal Python's to the last bit."""

_SIMD = dict.fromkeys(("move_axis", "pair_distance", "pair_contact", "lever_arm"), EXACT)
_TEXT = (
    "lessons_lib.robots.vec3",
    "lessons_lib.collisions.segments",
    "lessons_lib.collisions.carried_bodies",
    "lessons_lib.collisions.conservative_advancement",
)
RECIPE = Recipe("bodies", tuple(Plain(name, marks=_SIMD) for name in _TEXT))


@lru_cache(maxsize=1)
def module() -> ModuleType:
    return linker.load(RECIPE)
