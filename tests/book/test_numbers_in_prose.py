"""A measured number in prose is glued from a variable, or typed with a source or a line of its notebook as evidence.

The test looks at prose, captions and alternative texts of the lessons, for numbers in digits or words before a unit of
measurement or comparison: times, factors, shares, operation counts. A number may be typed if its paragraph cites the
source, or if the cell's metadata `numbers` maps its words to the code that sets or asserts it or to the output that
shows it. Numbers in questions are recomputed in tests/course/questions.
"""

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted(ROOT.glob("notebooks/*.ipynb"))

SMALL = "one|two|three|four|five|six|seven|eight|nine"
TENS = "ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
WORDS = rf"(?:{TENS}|{SMALL})(?:-(?:{SMALL}))?"
NUMBER = rf"(?:\d[\d.,]*|(?:(?:{WORDS}|an?) )?(?:hundred|thousand|million)|{WORDS})"
UNIT = r"\s?(?:ns|µs|ms|%|×(?! ?\d)|times|per ?cent|(?:nano|micro|milli)seconds?|(?:\w+ )?operations)"
OF = r" (?:\w+ )?in (?:five|ten(?! to the)|a hundred|a thousand)"
MEASURED = re.compile(rf"(?<![\w.,-]){NUMBER}(?:{UNIT}|{OF})(?!\w)", re.IGNORECASE)
NOT_PROSE = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|`{3}.*?`{3}|(?:\{[\w:]+\})?`[^`]*`|\]\([^)]*\)", re.DOTALL)
CITED = re.compile(r"\{cite:[tp]\}`")


def paragraphs(cell):
    """Yield the paragraphs of a cell, its caption and its alternative text."""
    if cell.cell_type == "markdown" and not cell.id.startswith("predict-"):
        yield from re.split(r"\n\s*\n", cell.source)
    words = cell.metadata.get("mystnb", {})
    yield words.get("figure", {}).get("caption", "")
    yield words.get("image", {}).get("alt", "")


def typed_numbers(paragraph, known=()):
    """Return the typed measured numbers of a paragraph that are not in known words, with the words that follow."""
    prose = NOT_PROSE.sub("…", paragraph)
    spans = [match.span() for words in known for match in re.finditer(re.escape(words), prose)]
    hits = [] if CITED.search(paragraph) else list(MEASURED.finditer(prose))
    loose = [hit for hit in hits if not any(begin <= hit.start() and hit.end() <= end for begin, end in spans)]
    return [prose[hit.start() : hit.end() + 40] for hit in loose]


def code_and_outputs(path):
    """Return all code of a notebook, and all text of its outputs."""
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    outputs = [output.get("text", "") for cell in cells for output in cell.outputs]
    return "\n".join([*(cell.source for cell in cells), *outputs])


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_measured_number_is_glued_or_has_something_behind_it(path):
    shown = code_and_outputs(path)
    for cell in nbformat.read(path, as_version=4).cells:
        behind, texts = cell.metadata.get("numbers", {}), [*paragraphs(cell)]
        assert [found for text in texts for found in typed_numbers(text, behind)] == []
        assert [words for words, code in behind.items() if code not in shown] == []
        for words in behind:
            assert any(len(typed_numbers(text)) > len(typed_numbers(text, [words])) for text in texts), words


@pytest.mark.parametrize(
    "text",
    [
        "It takes 8.5 ns each.",
        "The success goes from eighty to ninety-six percent.",
        "3,831 operations for the UR10",
        "About nine poses in ten arrive.",
        "some four hundred cheap operations",
    ],
)
def test_a_typed_measurement_is_seen(text):
    assert len(typed_numbers(text)) == 1
    assert typed_numbers(text + " {cite:p}`lynch2017modern`") == []


@pytest.mark.parametrize(
    "text",
    [
        "a 6 × 6 matrix",
        "It takes {glue:text}`each` ns, {glue:text}`gain` times as long.",
        "At $K = 200$ % of it, `3 ms`, $2\\times$.",
        "one part in ten to the fifteen",
    ],
)
def test_glued_numbers_and_other_numbers_are_accepted(text):
    assert typed_numbers(text) == []
