"""Derive the missing or outdated scripts of all live figures on all cores, for `make front`; a wheel contains them."""

import os
import re
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from inspect import unwrap
from pathlib import Path
from time import perf_counter

from lessons_lib.codegen.compile_log import expect_compiling
from lessons_lib.codegen.scripts import SCRIPTS, read_script, script_path, write_script

LIBRARY = Path(__file__).resolve().parents[2]
DERIVED = re.compile(r"^@derived_once\ndef (\w+)", re.MULTILINE)


def derivations() -> dict[str, str]:
    """Return the modules with a function that derives a script, without loading them."""
    functions = {}
    for path in sorted([*LIBRARY.glob("course/live/*.py"), *LIBRARY.glob("course/*/live*.py")]):
        names = DERIVED.findall(path.read_text("utf-8"))
        if names:
            (functions[".".join((LIBRARY.name, *path.relative_to(LIBRARY).with_suffix("").parts))],) = names
    return functions


def missing() -> list[str]:
    """Return the modules whose script is missing, or older than a file of the library."""
    return [module for module in derivations() if read_script(module) is None]


def derive(module: str) -> None:
    """Derive and write the script of a module."""
    with expect_compiling(by="scripts"):
        write_script(module, unwrap(getattr(import_module(module), derivations()[module]))())


def derive_figures(notify: Callable[[str], None]) -> None:
    """Create each live figure once, which derives its kernels or finds them in the cache."""
    from lessons_lib.course import live

    names = [name for name in live.__all__ if name.endswith("Figure") and name != "LiveFigure"]
    begin = perf_counter()
    with expect_compiling(by="figures"):
        for i, name in enumerate(names, 1):
            notify(f"figures: {name} ({i} of {len(names)})")
            getattr(live, name)()
    notify(f"figures: ready after {perf_counter() - begin:.1f} s")


def main() -> int:
    """Derive the missing scripts."""
    known = {script_path(module) for module in derivations()}
    for path in SCRIPTS.glob("*"):
        if path not in known:
            path.unlink()  # the script of a renamed module
    waiting = missing()
    if waiting:
        print(f"deriving {len(waiting)} live-figure scripts", file=sys.stderr, flush=True)
        with ProcessPoolExecutor(min(len(waiting), os.cpu_count() or 1)) as pool:
            list(pool.map(derive, reversed(waiting)))  # the slowest modules are late in the alphabet
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
