"""Scripts for a browser, derived once for a user: each process would take seconds for the same text.

What a live figure runs hangs on the library alone: on its formulas, and on the arms that it knows. So its script is
kept with the generated modules until any file of the library changes.
"""

from collections.abc import Callable
from functools import cache, wraps

from lessons_lib.codegen.cache import load
from lessons_lib.codegen.dependencies import digest_of_all


def derived_once(derive: Callable[[], str]) -> Callable[[], str]:
    """Return a function that returns what `derive` does, from the cache where it has been derived before.

    Args:
        derive: Takes nothing, and returns a text that hangs on the files of the library and on nothing else: not on the
            time, the machine, or numbers that are compiled differently elsewhere.
    """

    @cache
    @wraps(derive)
    def kept() -> str:
        home = derive.__module__
        name = f"script_{home.rpartition('.')[2]}"
        key = f"{home}.{derive.__qualname__} {digest_of_all()}"
        module = load(name, key, lambda: f"SCRIPT = {derive()!r}\n", derives="the script of a figure")
        script: str = module.SCRIPT
        return script

    return kept
