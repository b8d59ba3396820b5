"""Scripts for a browser, derived once, because a derivation takes seconds in each process.

The script of a live figure depends only on the files of the library. A wheel contains the scripts; `make front` writes
them (`lessons_lib.course.live.scripts`). A script that is missing, or older than the library, is kept in the cache.
"""

import os
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path

from lessons_lib.codegen.dependencies import ROOT, digest_of_all

SCRIPTS = ROOT / "lessons_lib" / "course" / "live" / "built" / "scripts"
"""Where `make front` writes them; a wheel contains them."""


def derived_once(derive: Callable[[], str]) -> Callable[[], str]:
    """Return a function that returns what `derive` does, from a file if it has been derived before.

    Args:
        derive: Takes nothing and returns a text that depends only on the files of the library, not on the time, the
            machine, or numbers that are compiled differently elsewhere. One in a module.
    """

    @cache
    @wraps(derive)
    def load_script() -> str:
        home = derive.__module__
        shipped = read_script(home)
        if shipped is not None:
            return shipped
        from lessons_lib.codegen.cache import load  # a build of a wheel, which looks at the scripts, has no NumPy

        name = f"script_{home.removeprefix('lessons_lib.course.').replace('.', '_')}"
        key = f"{home}.{derive.__qualname__} {digest_of_all()}"
        module = load(name, key, lambda: f"SCRIPT = {derive()!r}\n", derives="the script of a figure")
        script: str = module.SCRIPT
        return script

    return load_script


def script_path(module: str) -> Path:
    """Return the file of the script that a module derives."""
    return SCRIPTS / f"{module.removeprefix('lessons_lib.course.')}.js"


def read_script(module: str) -> str | None:
    """Return the stored script of a module; None if it is missing or older than the library."""
    path = script_path(module)
    if not path.exists():
        return None
    head, _, script = path.read_text("utf-8").partition("\n")
    return script if head == _head() else None


def write_script(module: str, script: str) -> None:
    """Store the script of a module."""
    path = script_path(module)
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_suffix(f".{os.getpid()}")  # nobody is to read half of it
    whole.write_text(f"{_head()}\n{script}", "utf-8", newline="\n")
    whole.replace(path)


def _head() -> str:
    return f"// of the library {digest_of_all()}"
