"""Outputs that depend on the processor: the comparison of two runs, and the emulation of another processor."""

import os
import subprocess
import sys

import nbformat
import other_processor
import pytest
from nbformat import NotebookNode


def ran(text: str, *tags: str) -> NotebookNode:
    """A notebook of one cell with an output."""
    output = nbformat.v4.new_output("stream", text=text)
    cell = nbformat.v4.new_code_cell("f()", id="f", outputs=[output], metadata={"tags": list(tags)})
    return nbformat.v4.new_notebook(cells=[cell])


@pytest.mark.parametrize(
    ("tags", "there", "told"),
    [
        ((), "892 solved", "cell 0 differs and is not tagged last-bit: ['892 solved']"),
        ((), "893 solved", None),
        (("last-bit",), "892 solved", None),
        (("last-bit",), "893 solved", "cell 0 is tagged last-bit and does not differ"),
        (("clock",), "892 solved", None),
    ],
)
def test_exactly_the_differing_cells_must_be_tagged(tags: tuple[str, ...], there: str, told: str | None) -> None:
    assert list(other_processor.faults(ran("893 solved", *tags), ran(there, *tags))) == ([told] if told else [])


def test_the_other_processor_multiplies_and_adds_in_two_roundings() -> None:
    """x·x − y·z is zero with two roundings, and the first rounding's error with one."""
    program = """
from lessons_lib.codegen import cache
space = {}
text = "from lessons_lib.codegen.native import native\\n@native(contract=True)\\n"
cache.run(text + "def f(x, y, z):\\n    return x * x - y * z\\n", "<f>", space)
print(space["f"](1 + 2.0**-30, 1 + 2.0**-29, 1.0))
"""
    run = [sys.executable, "-c", program]
    settings = {**os.environ, **other_processor.OLD_X86}
    played = subprocess.run(run, env=settings, capture_output=True, text=True, timeout=900, check=True)
    assert float(played.stdout) == 0.0
