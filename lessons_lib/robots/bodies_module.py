"""The generated module of distances between bodies, one for all arms; the first call compiles."""

from functools import lru_cache
from types import ModuleType

from lessons_lib.codegen import modules
from lessons_lib.codegen.linker import Plain, Recipe

_TEXT = ("triples", "segments", "carried_bodies", "advancement")
EXACT = "@vectorized(contract=False)"
"""For what runs over lanes, to the last bit as the text that runs for one configuration."""

_OVER_LANES = Plain(
    "lessons_lib.robots.bodies_over_lanes",
    marks=dict.fromkeys(("carry", "pair_distance", "pair_row", "lever"), EXACT),
)
RECIPE = Recipe("bodies", (*(Plain(f"lessons_lib.robots.{name}") for name in _TEXT), _OVER_LANES))


@lru_cache(maxsize=1)
def module() -> ModuleType:
    """Return the module."""
    return modules.load(RECIPE)
