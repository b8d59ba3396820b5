"""From a recipe to a loaded module: what packages use of the linker and the cache."""

from types import ModuleType

from lessons_lib.codegen import cache
from lessons_lib.codegen.linker import Recipe


def load(recipe: Recipe, owner: object = None) -> ModuleType:
    """Return the module of a recipe, from the cache or linked, written and loaded now.

    Args:
        recipe: The parts of the module.
        owner: Object for which the module is made; the module is freed with its last owner, without one never.
    """
    key, needed = recipe.key(), recipe.needed
    return cache.load(recipe.name, key, recipe.text, needed, derives=recipe.derives, owner=owner)
