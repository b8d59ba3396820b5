"""Every stored notebook is complete, reproducible and described in words."""

import base64
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import other_processor
import pytest
import store_outputs
from IPython.utils.capture import capture_output
from myst_nb.ext import glue as of_myst_nb

from lessons_lib.course.live.saved import REFERENCE
from lessons_lib.course.prose import glue

ROOT = Path(__file__).resolve().parents[2]

LESSONS = sorted(ROOT.glob("notebooks/*.ipynb"))
EXERCISES = sorted(ROOT.glob("exercises/*/*.ipynb"))
NOTEBOOKS = [*LESSONS, *EXERCISES]
MACHINE_PATH = re.compile(r"(?<![\w.…/])/(?:home|root|tmp|Users|work|usr|opt|var|private)/[\w.]")
SHORTEST_ALT = 20  # characters: fewer cannot say what the eye sees

CLOCK = re.compile(r"\bperf_counter\b|\btimeit\b|\brun_loop\(|\bseconds\(|\.microseconds\b")


def name_of(path):
    return str(path.relative_to(ROOT))


def read(path):
    return nbformat.read(path, as_version=4)


def code_cells(path):
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def tags(cell):
    return list(cell.metadata.get("tags", []))


def output_text(cell):
    """All text of a cell's outputs, without images."""
    parts = []
    for output in cell.outputs:
        parts += [output.get("text", ""), *output.get("traceback", [])]
        parts += [str(value) for mime, value in output.get("data", {}).items() if not mime.startswith("image/")]
    return "\n".join(parts)


def shows_image(cell):
    return any(mime.startswith("image/") for output in cell.outputs for mime in output.get("data", {}))


every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)


@every_notebook
def test_pictures_of_live_figures_show_their_opening_states(path):
    """A picture that has been drawn again is also stored again."""
    bundles = [output.get("data", {}) for cell in code_cells(path) for output in cell.outputs]
    stored = [base64.b64decode(one["image/png"]) for one in bundles if REFERENCE in one and "image/png" in one]
    assert set(stored) <= {picture.read_bytes() for picture in ROOT.glob("lessons_lib/course/*/opening*.png")}


@every_notebook
def test_each_ignored_output_has_a_reason(path):
    """Times come from a clock; `book/other_processor.py` finds the counts that depend on a last bit."""
    for cell in code_cells(path):
        reasons = {"clock", "last-bit"} & set(tags(cell))
        assert len(reasons) == ("nbval-ignore-output" in tags(cell)), cell.source
        assert ("clock" in reasons) == bool(cell.outputs and CLOCK.search(cell.source)), cell.source


@every_notebook
def test_figures_are_described_in_words(path):
    for cell in filter(shows_image, code_cells(path)):
        words = cell.metadata.get("mystnb", {})
        assert len(words.get("image", {}).get("alt", "")) >= SHORTEST_ALT, cell.source
        assert words.get("figure", {}).get("caption"), cell.source
        assert re.fullmatch(r"fig-\d\d-[\w-]+", words["figure"].get("name", "")), cell.source


def test_an_address_and_an_installed_path_are_masked():
    text = "<Chain at 0x7f00deadbeef> in /home/ada/env/lib/site-packages/numpy and /srv/x/lessons_lib/lie.py"
    assert store_outputs.mask_text(text) == "<Chain at 0x…> in …/site-packages/numpy and …/lessons_lib/lie.py"


def test_nbval_masks_the_same_things():
    sanitizer = (ROOT / "tests" / "nbval_sanitize.cfg").read_text(encoding="utf8")
    for pattern, replacement in store_outputs.MASKS:
        assert f"regex: {pattern.pattern}\nreplace: {replacement}\n" in sanitizer


def trial_notebook(folder):
    """A notebook whose outputs differ from run to run unless they are normalised."""
    cells = [
        nbformat.v4.new_code_cell("import matplotlib.pyplot as plt\nplt.plot([0, 1])\nplt.show()", id="figure"),
        nbformat.v4.new_code_cell(
            "print(object())\nobject()", id="address", metadata={"collapsed": True, "tags": ["t"]}
        ),
        nbformat.v4.new_code_cell("import ipywidgets\nipywidgets.FloatSlider()", id="widget"),
    ]
    path = folder / "trial.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"author": "Ada"}), path)
    return path


@pytest.mark.check
def test_two_runs_store_the_same_bytes(tmp_path):
    path = trial_notebook(tmp_path)
    assert not store_outputs.is_normal(path)
    assert store_outputs.store(path)
    first = path.read_bytes()
    assert not store_outputs.store(path)
    assert path.read_bytes() == first
    assert store_outputs.is_normal(path)
    assert b"Ada" not in first
    assert [cell.execution_count for cell in code_cells(path)] == [1, 2, 3]
    assert dict(code_cells(path)[1].metadata) == {"tags": ["t"]}
    assert "widget-view" not in first.decode("utf8")


@every_notebook
def test_a_stored_notebook_ran_in_order_without_errors_warnings_or_paths_of_a_machine(path):
    cells = [cell for cell in code_cells(path) if cell.source.strip()]
    assert cells and [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        kinds = {output.output_type for output in cell.outputs}
        assert "error" not in kinds or "raises-exception" in tags(cell), cell.source
        assert not [output.text for output in cell.outputs if output.get("name") == "stderr"], cell.source
        assert MACHINE_PATH.findall(cell.source + output_text(cell)) == [], cell.source
        assert "nbval-skip" not in tags(cell) and "NBVAL_SKIP" not in cell.source, "nobody would run this cell"
    assert store_outputs.is_normal(path), "run `make notebooks`"


def ran(text, *tags):
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
def test_exactly_the_differing_cells_must_be_tagged(tags, there, told):
    assert list(other_processor.faults(ran("893 solved", *tags), ran(there, *tags))) == ([told] if told else [])


def test_the_other_processor_multiplies_and_adds_in_two_roundings():
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


def outputs(keep, *given):
    with capture_output() as captured:
        keep("gap", "0.1 'mm'", *given)
    return [(output.data, output.metadata) for output in captured.outputs]


@pytest.mark.filterwarnings("ignore")  # MyST-NB's own
def test_glue_stores_the_output_of_myst_nb():
    assert outputs(glue) == outputs(of_myst_nb.glue, False)
