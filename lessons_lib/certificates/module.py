"""The compiled module of the certificates, one for all arms."""

from functools import lru_cache
from types import ModuleType

from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import Derived, Plain, Recipe

_TEXT = "error_bounds", "residual", "lu", "kantorovich"


@lru_cache(maxsize=1)
def module() -> ModuleType:
    text = (Plain(f"lessons_lib.certificates.{name}") for name in _TEXT)
    return linker.load(Recipe("certificates", (Derived(sine_cosine_text), Plain("lessons_lib.robots.vec3"), *text)))


def sine_cosine_text() -> str:
    """Return the text of sine and cosine with a proven error bound, derived by symbolic/sine_cosine.py."""
    from lessons_lib.codegen.scalar_target import bounded_sine_cosine_text
    from lessons_lib.symbolic import sine_cosine

    constants = {"SINE_COSINE_ERROR": sine_cosine.rounding_error(), "LARGEST_ANGLE": sine_cosine.LARGEST_ANGLE}
    return "\n".join(f"{name} = {value!r}" for name, value in constants.items()) + "\n\n\n" + bounded_sine_cosine_text()
