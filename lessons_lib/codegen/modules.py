"""Load the module of a recipe."""

from types import ModuleType

from lessons_lib.codegen import cache
from lessons_lib.codegen.linker import Recipe


def load(recipe: Recipe, owner: object = None) -> ModuleType:
    """Return the module of a recipe, cached or linked now; it is freed with its last owner, without one never."""
    key, needed = recipe.key(), recipe.needed
    return cache.load(recipe.name, key, recipe.text, needed, derives=recipe.derives, owner=owner)
