"""Count the words, cells and claims of each lesson, estimate its minutes, and compare them with the bounds.

python book/lesson_sizes.py          print one row per lesson, with values beyond a bound in brackets

Words are those that a page shows before a reader answers or opens anything: the Markdown without code, displayed
formulas, tables and headings, the captions, and the questions with the choices that readers select. The reasons of
the choices are in a fold. A section that is folded for a second reading, tag `deeper`, has its own column, for its
prose.

The minutes are estimates for a student who follows each step: 120 words a minute, and the times in MINUTES_OF. The
lines are those of the code that the page shows, without imports. Words, claims and lines in folds count half. Two
readers estimated lessons 00 to 03 at about 90, 50, 75 and 75 minutes, and their exercises at 30, 20, 25 and 25. The
minutes of a line and of an exercise's check were fitted to these estimates: the formula gives 85, 55, 65 and 75, and
25 for each exercise. The other rates are assumptions. The book shows the minutes, which have not been compared with a
class.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import nbformat
import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT))  # classroom/ is not in a package
from classroom.copies.notebook import PROOF_SHOWN, claim_at_the_end, only_imports  # noqa: E402
from classroom.copies.questions import read  # noqa: E402

BOUNDS = {
    "words": 1750,
    "folded": 300,
    "claims": 8,
    "questions": 5,
    "cells": 26,
    "longest": 15,
    "longest_folded": 20,
    "import_lines": 15,
    "plumbing": 20,
    "late_imports": 0,
    "barred": 0,
}
"""Upper bound of each column; columns without an entry have no bound."""

CORE_BOUNDS = {"words": 1200, "claims": 6, "cells": 20, "minutes": 90, "exercise": 45}
"""Upper bounds of a lesson on the core track; lesson 00 has its bound of words."""

WORDS_PER_MINUTE = 120
MINUTES_OF = {"claims": 3, "questions": 2, "figures": 5, "lines": 0.3}
MINUTES_OF_CHECK = 7.5
ROUNDED_TO = 5  # minutes

HEADING = re.compile(r"^(#+) .*$", re.MULTILINE)
BOX = re.compile(r"^(?P<fence>:{3,}|`{3,})(?P<inside>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
QUESTION = ":class: dropdown predict"
OPTIONS = re.compile(r"^:[\w-]+:.*$", re.MULTILINE)
NOT_PROSE = re.compile(r"\$\$[^$]*\$\$(?: *\([\w-]+\))?|^\|.*$|^#+ .*$|^\([\w-]+\)=$", re.MULTILINE)
ROLE = re.compile(r"\{[\w:-]+\}(?=`)")
WORD = re.compile(r"[^\W_]")
ADMONITION = re.compile(r"^:{3,}\{admonition\}[^\n]*\n(?!:class: dropdown predict)", re.MULTILINE)
"""End of a fold, which may contain a question."""
DRAWING = re.compile(r"^(?:plt|ax|axes|fig|plots)\b")

FOLDED = {"hide-input", "remove-input", "remove-cell"}
LIVE = "lessons_lib.course.live"

Cell = Any


@dataclass(frozen=True)
class Size:
    """Size of one lesson.

    Attributes:
        words: Words of prose, captions and questions outside of folds.
        folded: Words of prose in folds for a second reading.
        claims: Proven claims, without limits and those in folds.
        questions: Questions to be answered before reading on, outside of folds.
        figures: Live figures.
        cells: Code cells outside of folds.
        lines: Lines of code shown outside of folds, without imports and empty lines.
        minutes: Estimated minutes of the lesson.
        exercise: Estimated minutes of its exercise, 0 if it has none.
        longest: Lines of the longest visible cell, without empty lines.
        longest_folded: Lines of the longest cell that is folded or omitted and not only imports.
        import_lines: Lines of the longest cell of imports, without empty lines.
        plumbing: Percentage of code lines that import, store a number for the prose, or draw.
        late_imports: Cells with imports below the import cell, except the live figure's.
        barred: Cells that call `exec` or import a module whose name begins with `_`.
    """

    words: int
    folded: int
    claims: int
    questions: int
    figures: int
    cells: int
    lines: int
    minutes: int
    exercise: int
    longest: int
    longest_folded: int
    import_lines: int
    plumbing: int
    late_imports: int
    barred: int

    def beyond(self, bounds: dict[str, int]) -> dict[str, int]:
        """Return the columns beyond their bound, with their values."""
        return {name: value for name, most in bounds.items() if (value := getattr(self, name)) > most}


def bounds(path: Path) -> dict[str, int]:
    """Return the upper bounds of a lesson."""
    entry = ROOT / "lessons_lib" / "course" / path.stem[3:] / "lesson.yml"
    if entry.exists() and yaml.safe_load(entry.read_text(encoding="utf8")).get("core"):
        return BOUNDS | CORE_BOUNDS
    return BOUNDS | ({"words": CORE_BOUNDS["words"]} if path.stem.startswith("00_") else {})


def of_a_box(box: re.Match[str]) -> str:
    """Return the prose of a box: its title and text, but none of a question or of code."""
    if box["fence"][0] == "`" or QUESTION in box["inside"]:
        return ""
    return OPTIONS.sub("", box["inside"].partition("}")[2])


def words(text: str) -> int:
    """Count the words of prose in a text."""
    bare = ROLE.sub("", NOT_PROSE.sub("", BOX.sub(of_a_box, text)))
    return sum(bool(WORD.search(word)) for word in bare.split())


def question_words(text: str) -> int:
    """Count the words of the questions in a text, with the choices that readers select."""
    shown = [
        " ".join([question.asks, *(choice.words for choice in question.choices if question.kind in ("one", "several"))])
        for question in read(text)
    ]
    return sum(bool(WORD.search(word)) for word in " ".join(shown).split())


def caption(cell: Cell) -> str:
    """Return the caption of a cell, or nothing."""
    return str(cell.metadata.get("mystnb", {}).get("figure", {}).get("caption", ""))


def with_folds(cells: list[Cell]) -> Iterator[tuple[Cell, bool]]:
    """Yield each cell, and whether it is in a fold: below a heading tagged `deeper`, as in the book."""
    level = 0  # level of the folded heading, 0 outside of a fold
    for cell in cells:
        if cell.cell_type == "markdown":
            levels = [len(marks) for marks in HEADING.findall(BOX.sub("", cell.source))]
            if level and (ADMONITION.search(cell.source) or min(levels, default=9) <= level):
                level = 0
            if "deeper" in cell.metadata.get("tags", []):
                level = levels[-1]
        yield cell, level > 0


def lines(node: ast.stmt) -> int:
    """Count the lines of a statement; an import is one, however many names it lists."""
    return 1 if isinstance(node, ast.Import | ast.ImportFrom) else (node.end_lineno or node.lineno) - node.lineno + 1


def plumbing(node: ast.stmt) -> int:
    """Count the lines of a statement that neither compute nor prove."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return 1
    if isinstance(node, ast.With) and "plots.style" in ast.unparse(node.items[0]):
        return lines(node)
    if isinstance(node, ast.For | ast.If | ast.With):
        return sum(map(plumbing, node.body))
    is_drawn = isinstance(node, ast.Expr | ast.Assign) and DRAWING.match(ast.unparse(getattr(node, "value", node)))
    is_kept = isinstance(node, ast.Expr) and ast.unparse(node).startswith("glue(")
    return lines(node) if is_drawn or is_kept else 0


def imports(tree: ast.Module) -> list[str]:
    """Return the modules that a cell imports."""
    nodes = list(ast.walk(tree))
    named = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
    return named + [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]


def is_barred(source: str, tree: ast.Module) -> bool:
    """Return whether a cell executes text or imports a private module."""
    private = (part.startswith("_") and part != "__future__" for name in imports(tree) for part in name.split("."))
    return any(private) or bool(re.search(r"\bexec\(", source))


def is_folded(cell: Cell, tree: ast.Module) -> bool:
    """Return whether the page folds or omits the code of a cell."""
    tags = set(cell.metadata.get("tags", []))
    return bool(FOLDED & tags) or (claim_at_the_end(tree) is not None and PROOF_SHOWN not in tags)


def claims(source: str) -> int:
    """Count the proven claims of a cell, without limits."""
    proven = re.findall(r"^claim\(\s*\"\d+\.(\d+)\"", source, re.MULTILINE)
    return 0 if re.search(r"\b[Ll]imit\(|\blimit\(", source) else sum(number != "0" for number in proven)


def late_imports(trees: list[ast.Module]) -> int:
    """Count the cells that import below the import cell."""
    others = [tree for tree in trees if imports(tree) and set(imports(tree)) != {LIVE}]
    return len(others) - bool(others and only_imports(others[0]))


def round_minutes(minutes: float) -> int:
    """Round minutes to a multiple of ROUNDED_TO, but not to zero."""
    return max(ROUNDED_TO, ROUNDED_TO * round(minutes / ROUNDED_TO))


def exercise_minutes(path: Path) -> int:
    """Estimate the minutes of an exercise from its words and its checks."""
    cells = nbformat.read(path, as_version=4).cells
    prose = sum(words(cell.source) for cell in cells if cell.cell_type == "markdown")
    checks = sum(bool(cell.metadata.get("nbgrader", {}).get("grade")) for cell in cells)
    return round_minutes(prose / WORDS_PER_MINUTE + MINUTES_OF_CHECK * checks)


def size(path: Path) -> Size:
    """Measure a lesson."""
    cells = list(with_folds(nbformat.read(path, as_version=4).cells))
    prose = [(words(cell.source), folded) for cell, folded in cells if cell.cell_type == "markdown"]
    code = [(cell.source, folded) for cell, folded in cells if cell.cell_type == "code"]
    trees = [ast.parse(source) for source, _ in code]
    listed = [len(tree.body) if only_imports(tree) else 0 for tree in trees]
    written = [sum(bool(line.strip()) for line in source.splitlines()) for source, _ in code]
    hides = [
        is_folded(cell, tree)
        for cell, tree in zip((cell for cell, _ in cells if cell.cell_type == "code"), trees, strict=True)
    ]
    working = [0 if count else lines for count, lines in zip(listed, written, strict=True)]
    shown = [0 if hidden else lines for lines, hidden in zip(working, hides, strict=True)]
    visible, second = (sum(count for count, folded in prose if folded is within) for within in (False, True))
    visible += sum(words(caption(cell)) + question_words(cell.source) for cell, folded in cells if not folded)
    question_counts = [
        cell.source.count(QUESTION) for cell, folded in cells if cell.cell_type == "markdown" and not folded
    ]
    counts = {
        "claims": sum(claims(source) for source, folded in code if not folded),
        "questions": sum(question_counts),
        "figures": sum(LIVE in imports(tree) for tree in trees),
        "cells": sum(not folded for _, folded in code),
        "lines": sum(lines for lines, (_, folded) in zip(shown, code, strict=True) if not folded),
    }
    halves = {
        "claims": sum(claims(source) for source, folded in code if folded),
        "lines": sum(shown) - counts["lines"],
    }
    idle = sum(plumbing(node) for tree in trees for node in tree.body)
    reading = (visible + second / 2) / WORDS_PER_MINUTE
    doing = sum(each * (counts[name] + halves.get(name, 0) / 2) for name, each in MINUTES_OF.items())
    exercise = path.parent.parent / "exercises" / path.stem / path.name
    return Size(
        words=visible,
        folded=second,
        **counts,
        minutes=round_minutes(reading + doing),
        exercise=exercise_minutes(exercise) if exercise.exists() else 0,
        longest=max(shown, default=0),
        longest_folded=max((lines for lines, hidden in zip(working, hides, strict=True) if hidden), default=0),
        import_lines=max((lines for count, lines in zip(listed, written, strict=True) if count), default=0),
        plumbing=round(100 * idle / max(sum(working + listed), 1)),
        late_imports=late_imports(trees),
        barred=sum(is_barred(source, tree) for (source, _), tree in zip(code, trees, strict=True)),
    )


def lessons(root: Path = ROOT) -> list[Path]:
    """Return the notebooks of all lessons."""
    return sorted(root.glob("notebooks/*.ipynb"))


def main() -> int:
    """Print the table."""
    names = [field.name for field in fields(Size)]
    print(" " * 25 + "".join(f"{name:>15}" for name in names))
    for path in lessons():
        measured = size(path)
        beyond = measured.beyond(bounds(path))
        visible = [f"[{value}]" if name in beyond else str(value) for name, value in vars(measured).items()]
        print(f"{path.stem:25}" + "".join(f"{value:>15}" for value in visible))
    return 0


if __name__ == "__main__":
    sys.exit(main())
