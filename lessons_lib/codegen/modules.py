"""From a recipe to a loaded module: the interface between those who write recipes, and the linker and the cache."""

from types import ModuleType

from lessons_lib.codegen import cache
from lessons_lib.codegen.linker import Recipe


def load(recipe: Recipe, owner: object = None) -> ModuleType:
    """Return the module that a recipe describes, from the cache if it is there, else linked, written and loaded.

    Args:
        recipe: What the module is made of.
        owner: Whom the module is made for; when all its owners are gone its memory is freed, without one it never is.
    """
    key, needed = recipe.key(), recipe.needed
    return cache.load(recipe.name, key, recipe.text, needed, derives=recipe.derives, owner=owner)
