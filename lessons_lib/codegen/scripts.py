"""Scripts for a browser, derived once: each process would take seconds for the same text.

What a live figure runs hangs on the library alone: on its formulas, and on the arms that it knows. A wheel brings the
scripts along, and `make front` writes them where a wheel has them (`lessons_lib.live.scripts`). A script that is not
there, or is older than a file of the library, is kept with the user's generated modules.
"""

import os
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path

from lessons_lib.codegen.dependencies import ROOT, digest_of_all


def derived_once(derive: Callable[[], str]) -> Callable[[], str]:
    """Return a function that returns what `derive` does, from where it has been derived before.

    Args:
        derive: Takes nothing, and returns a text that hangs on the files of the library and on nothing else: not on the
            time, the machine, or numbers that are compiled differently elsewhere. There is one in a module.
    """

    @cache
    @wraps(derive)
    def kept() -> str:
        home = derive.__module__
        shipped = read_script(home)
        if shipped is not None:
            return shipped
        from lessons_lib.codegen.cache import load  # a build of a wheel, which looks at the scripts, has no NumPy

        name = f"script_{home.rpartition('.')[2]}"
        key = f"{home}.{derive.__qualname__} {digest_of_all()}"
        module = load(name, key, lambda: f"SCRIPT = {derive()!r}\n", derives="the script of a figure")
        script: str = module.SCRIPT
        return script

    return kept


def script_path(module: str) -> Path:
    """Return the file of the script that a module derives, in the folder of what is built beside the module."""
    package, _, name = module.rpartition(".")
    return ROOT.joinpath(*package.split(".")) / "built" / "scripts" / f"{name}.js"


def read_script(module: str) -> str | None:
    """Return the script that a module derives as it was written last; None where that is not of this library."""
    path = script_path(module)
    if not path.exists():
        return None
    head, _, script = path.read_text("utf-8").partition("\n")
    return script if head == _head() else None


def write_script(module: str, script: str) -> None:
    """Write the script that a module derives for all who come later."""
    path = script_path(module)
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_suffix(f".{os.getpid()}")  # nobody is to read half of it
    whole.write_text(f"{_head()}\n{script}", "utf-8", newline="\n")
    whole.replace(path)


def _head() -> str:
    return f"// of the library {digest_of_all()}"
