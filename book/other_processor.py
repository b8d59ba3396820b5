"""Run notebooks as if on another processor, and report outputs that depend on the last bits of its arithmetic.

python book/other_processor.py notebooks/11_levenberg_marquardt.ipynb    one
python book/other_processor.py                                           all

The emulated processor has no fused multiply-add and short vectors, which changes the order of roundings in the
compiled kernels, in NumPy and in BLAS. Exactly the cells whose output changes must have the `last-bit` tag.
"""

import argparse
import configparser
import copy
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
import store_outputs
from nbformat import NotebookNode

OLD_X86 = {
    "LESSONS_CPU": "x86-64-v2",
    "OPENBLAS_CORETYPE": "Nehalem",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL",
}
"""Settings of our code generator, of OpenBLAS and NumPy; missing features are ignored."""

SANITIZER = store_outputs.ROOT / "tests" / "nbval_sanitize.cfg"
COMPARED, CLOCK, LAST_BIT = "compared", "clock", "last-bit"


def masks() -> list[tuple[re.Pattern[str], str]]:
    """Return the patterns that nbval masks before it compares, and their replacements."""
    settings = configparser.ConfigParser(interpolation=None)
    settings.read(SANITIZER, encoding="utf8")
    return [(re.compile(settings[name]["regex"]), settings[name]["replace"]) for name in settings.sections()]


def compared_text(cell: NotebookNode) -> list[str]:
    """Return the texts of a cell's outputs that nbval compares, masked, without pictures."""
    texts = []
    for output in store_outputs.join_streams(list(cell.outputs)):
        data = {mime: str(value) for mime, value in output.get("data", {}).items() if not mime.startswith("image/")}
        data.pop(store_outputs.WIDGET_VIEW, None)
        texts += [output.get("text", ""), *(f"{mime}: {data[mime]}" for mime in sorted(data))]
    for pattern, replacement in masks():
        texts = [pattern.sub(replacement, store_outputs.mask_text(text)) for text in texts]
    return texts


def kind(cell: NotebookNode) -> str:
    """Return the tag of a code cell about its output."""
    tags = cell.metadata.get("tags", [])
    return CLOCK if CLOCK in tags else LAST_BIT if LAST_BIT in tags else COMPARED


def faults(stored: NotebookNode, other: NotebookNode) -> Iterator[str]:
    """Yield a line for each untagged cell whose output differs, and for each tagged cell whose output does not."""
    for place, (here, there) in enumerate(zip(stored.cells, other.cells, strict=True)):
        if here.cell_type == "code" and kind(here) != CLOCK:
            changed = compared_text(here) != compared_text(there)
            if changed and kind(here) == COMPARED:
                yield f"cell {place} differs and is not tagged {LAST_BIT}: {compared_text(there)}"
            elif not changed and kind(here) == LAST_BIT:
                yield f"cell {place} is tagged {LAST_BIT} and does not differ"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the notebooks named on the command line; return 1 if one has a fault."""
    parser = argparse.ArgumentParser(description="Run notebooks as if on a processor without fused multiply-add.")
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks; all of the course when none is named")
    differing = 0
    with tempfile.TemporaryDirectory() as cache:
        os.environ.update(OLD_X86, LESSONS_CACHE_DIR=cache)
        for path in parser.parse_args(arguments).paths or store_outputs.notebooks():
            stored = nbformat.read(path, as_version=4)
            other = copy.deepcopy(stored)
            store_outputs.run(other, path.parent, timeout=1800)
            differences = list(faults(stored, other))
            differing += len(differences)
            print("\n".join([f"{path}: {len(differences)} faults", *differences]), flush=True)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
