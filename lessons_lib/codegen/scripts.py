"""Scripts for the browser, stored because a derivation takes seconds."""
# The script of a live figure depends only on the files of the library. `make front` writes the scripts
# (`lessons_lib.course.live.scripts`), and a wheel contains them. The cache stores one that is missing or outdated.

import os
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path

from lessons_lib.codegen.dependencies import ROOT, digest_of_all

SCRIPTS = ROOT / "lessons_lib" / "course" / "live" / "built" / "scripts"
"""Folder of the scripts that `make front` writes."""


def derived_once(derive: Callable[[], str]) -> Callable[[], str]:
    """Decorate the only function of a module that derives a script: later calls, in any process, read a file."""
    # the script must depend only on the files of the library: not on time, machine or numbers from compiled code

    @cache
    @wraps(derive)
    def load_script() -> str:
        home = derive.__module__
        shipped = read_script(home)
        if shipped is not None:
            return shipped
        from lessons_lib.codegen.cache import load  # building a wheel reads scripts without NumPy

        name = f"script_{home.removeprefix('lessons_lib.course.').replace('.', '_')}"
        key = f"{home}.{derive.__qualname__} {digest_of_all()}"
        module = load(name, key, lambda: f"SCRIPT = {derive()!r}\n", derives="the script of a figure")
        script: str = module.SCRIPT
        return script

    return load_script


def script_path(module: str) -> Path:
    return SCRIPTS / f"{module.removeprefix('lessons_lib.course.')}.js"


def read_script(module: str) -> str | None:
    path = script_path(module)
    if not path.exists():
        return None
    head, _, script = path.read_text("utf-8").partition("\n")
    return script if head == _head() else None


def write_script(module: str, script: str) -> None:
    path = script_path(module)
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_suffix(f".{os.getpid()}")  # renamed at the end, so that no process reads half of it
    whole.write_text(f"{_head()}\n{script}", "utf-8", newline="\n")
    whole.replace(path)


def _head() -> str:
    return f"// of the library {digest_of_all()}"
