"""Derive the scripts of all live figures on all cores, where one is missing or the library has changed.

`python -m lessons_lib.live.scripts` is part of `make front`. What it writes comes with a wheel, and is never committed.
"""

import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from inspect import unwrap
from pathlib import Path

from lessons_lib.codegen.compile_log import expected
from lessons_lib.codegen.scripts import read_script, write_script

DERIVED = re.compile(r"^@derived_once\ndef (\w+)", re.MULTILINE)


def derivations() -> dict[str, str]:
    """Return the functions that derive a script, by their modules; nothing of them is loaded."""
    found = {}
    for path in sorted(Path(__file__).parent.glob("*.py")):
        names = DERIVED.findall(path.read_text("utf-8"))
        if names:
            (found[f"lessons_lib.live.{path.stem}"],) = names
    return found


def missing() -> list[str]:
    """Return the modules whose script is missing, or older than a file of the library."""
    return [module for module in derivations() if read_script(module) is None]


def derive(module: str) -> None:
    """Derive the script of a module, and write it."""
    with expected(by="scripts"):
        write_script(module, unwrap(getattr(import_module(module), derivations()[module]))())


def main() -> int:
    """Derive what is missing."""
    waiting = missing()
    if waiting:
        print(
            f"deriving {len(waiting)} scripts of live figures, until the library changes", file=sys.stderr, flush=True
        )
        with ProcessPoolExecutor(min(len(waiting), os.cpu_count() or 1)) as pool:
            list(pool.map(derive, reversed(waiting)))  # those that take longest stand late in the alphabet
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
