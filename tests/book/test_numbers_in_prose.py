"""A measured number in prose is glued from a variable; what is typed has a source, or a line of its notebook behind it.

Looked at are the prose, the captions and the alternative texts of the lessons, for numbers in digits or in words before
a unit in which things are measured and compared: times, factors, shares, counts of operations. A number may be typed
where its paragraph cites whose it is, or where `BEHIND` names what in the notebook holds it. Those of the questions
are computed in `test_questions.py`.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

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

BEHIND = {
    ("00", "drawn seven times"): "for angle in np.linspace(0, 3 * np.pi, 7):",
    ("00", "each method thirty times"): "starts = rng.uniform(-1e-9, 1e-9, (30, 6))",
    ("01", "a hundred times the work"): "for step in (10, 1):",
    ("06", "a thousand times lower"): "central difference, at best: error 1e-11",
    ("10", "four times as far"): "far[:3, 3] *= 4",
    ("11", "about nine poses in ten"): "assert all(860 < r.solved < 930 for r in [*undamped, *damped])",
    ("11", "About one start in ten"): "assert all(860 < r.solved < 930 for r in [*undamped, *damped])",
    ("11", "one start in ten fails"): "assert all(860 < r.solved < 930 for r in [*undamped, *damped])",
    ("11", "less than one start in ten"): "assert all(found.converged.sum() < 20 for found in off.values())",
    ("11", "more than a million times"): "> 2e6 * np.pi",
    ("11", "Ten times as many steps"): 'longer = once | {"stop": pose_ik.Stop(max_iterations=5000)}',
    ("11", "more than one pose in five"): 'assert other["newton"] > 1 / 5',
    ("11", "less than one in a hundred"): 'other["chan"] < 1 / 100',
    ("12", "more than three times as many steps"): "3 * chan.mean_steps < half.mean_steps",
    ("12", "more than nine times"): "9 * chan.mean_steps < one.mean_steps",
    ("13", "a hundred times smaller"): 'glue("hundred_high", f"{one / ten:.0f}")',
    ("13", "A hundred times the weight"): "for ell in (0.1, 1, 10)}",
    ("13", "ten times the steps"): "for most in (100, 1000):",
    ("13", "the weight zero, three times"): "goal=pose_ik.pose(POSITION_ONLY))",
    ("15", "50 times a second"): "panda, dt = robots.panda(), 0.02",
    ("15", "A step ten times shorter"): "for step in (0.1, 0.01, 0.001):",
    ("15", "drawn eleven times"): "ghosts=11",
    ("15", "drawn nine times"): "ghosts=9",
    ("17", "pulls four times as hard"): "H += task.cost**2 * J_t.T @ J_t",
    ("17", "a hundred times smaller"): "assert abs(slope - 2) < 0.01",
    ("17", "three times the cost of the right one"): "HandsFigure()",
    ("18", "three times the cost leaves a ninth"): "assert abs(depths[10] / depths[30] - 9) < 0.1",
    ("22", "eight times as slow"): "assert abs(slowest / (2 * d) - 1) < 0.02",
}
"""Of a lesson and its words: the code that sets or asserts the number, or the output that shows it."""


def paragraphs(path: Path) -> Iterator[str]:
    """Yield the paragraphs of a lesson, its captions and its alternative texts."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown" and not cell.id.startswith("predict-"):
            yield from re.split(r"\n\s*\n", cell.source)
        words = cell.metadata.get("mystnb", {})
        yield words.get("figure", {}).get("caption", "")
        yield words.get("image", {}).get("alt", "")


def typed(paragraph: str, known: Iterable[str] = ()) -> list[str]:
    """Return the measured numbers that are typed in a paragraph and stand in no known words, with the words behind."""
    prose = NOT_PROSE.sub("…", paragraph)
    spans = [match.span() for words in known for match in re.finditer(re.escape(words), prose)]
    hits = [] if CITED.search(paragraph) else list(MEASURED.finditer(prose))
    loose = [hit for hit in hits if not any(begin <= hit.start() and hit.end() <= end for begin, end in spans)]
    return [prose[hit.start() : hit.end() + 40] for hit in loose]


def code_and_outputs(path: Path) -> str:
    """Return all code of a notebook, and all text of its outputs."""
    cells: list[Any] = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    outputs = [output.get("text", "") for cell in cells for output in cell.outputs]
    return "\n".join([*(cell.source for cell in cells), *outputs])


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_measured_number_is_glued_or_has_something_behind_it(path: Path) -> None:
    known = [words for lesson, words in BEHIND if lesson == path.stem[:2]]
    assert [found for paragraph in paragraphs(path) for found in typed(paragraph, known)] == []


@pytest.mark.parametrize(("lesson", "words"), BEHIND, ids=lambda words: words.replace(" ", "_"))
def test_what_stands_behind_a_number_is_there_and_is_needed(lesson: str, words: str) -> None:
    (path,) = (path for path in LESSONS if path.stem.startswith(lesson))
    assert BEHIND[lesson, words].strip() in code_and_outputs(path)
    assert [paragraph for paragraph in paragraphs(path) if len(typed(paragraph)) > len(typed(paragraph, [words]))]


@pytest.mark.parametrize(
    "text",
    [
        "It takes 8.5 ns each.",
        "The success goes from eighty to ninety-six percent.",
        "3,831 operations for the UR10",
        "CSE makes it 89 times as fast.",
        "It is ×, or 2.5 × as long.",
        "a hundred times the work",
        "About nine poses in ten arrive.",
        "57 % of it",
        "all 52 operations, $x$ and `y`",
        "some four hundred cheap operations",
    ],
)
def test_a_typed_measurement_is_seen(text: str) -> None:
    assert len(typed(text)) == 1
    assert typed(text + " {cite:p}`lynch2017modern`") == []


@pytest.mark.parametrize(
    "text",
    [
        "a 6 × 6 matrix",
        "It takes {glue:text}`each` ns, {glue:text}`gain` times as long.",
        "At $K = 200$ % of it, `3 ms`, $2\\times$.",
        "sometimes three, at all times",
        "Three joints and ten steps",
        "one part in ten to the fifteen",
    ],
)
def test_what_is_glued_or_no_measurement_is_left_alone(text: str) -> None:
    assert typed(text) == []
