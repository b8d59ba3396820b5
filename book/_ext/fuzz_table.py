"""The directive `{fuzz-table}`: every fuzz test of `tools/fuzz/` with what its last run found."""

import ast
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10
from pathlib import Path
from typing import Any

from claims_index import paragraph, row
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

FOLDER = Path(__file__).resolve().parents[2] / "tools" / "fuzz"
HEAD = ("Question", "Tried", "Failed", "Worst measured", "Run")
SAID = ("QUESTION", "JUDGE", "UNIT")
SHOWN = 5
"""So many failures of a fuzz test are listed."""

KINDS = 2
"""So many kinds of one measured value have a line each."""

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class FuzzTest:
    """A fuzz test as its file describes it.

    Attributes:
        name: Of the file.
        about: QUESTION, JUDGE and UNIT.
        found: What its last run left, or None.
    """

    name: str
    about: dict[str, str]
    found: dict[str, Any] | None


def fuzz_tests(folder: Path) -> list[FuzzTest]:
    """Return the fuzz tests of a folder, by name, each with its result out of `results/`."""
    return [one for path in sorted(folder.glob("*.py")) if (one := described(path)) is not None]


def described(path: Path) -> FuzzTest | None:
    """Return what a file says of its fuzz test, without running it; None for a file that holds none."""
    tree = ast.parse(path.read_text(encoding="utf8"))
    if not any(isinstance(node, ast.FunctionDef) and node.name == "fuzz" for node in tree.body):
        return None
    about = {}
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.Assign) and isinstance(target, ast.Name) and target.id in SAID:
            about[target.id] = str(ast.literal_eval(node.value))
    if missing := [name for name in SAID if name not in about]:
        raise ExtensionError(f"{path} has no {' and no '.join(missing)}: a plain string, in a line of its own")
    result = path.parent / "results" / f"{path.stem}.json"
    return FuzzTest(path.stem, about, json.loads(result.read_text(encoding="utf8")) if result.exists() else None)


def number(value: float) -> str:
    """Return a measured value for a reader: two digits, and a power of ten where it is very small or large."""
    if not isfinite(value):
        return "not finite"
    if value == 0.0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.2g}" if abs(value) < 100.0 else f"{value:,.0f}"
    power = floor(log10(abs(value)))
    digits = f"{value / 10.0**power:.1f}"
    digits, power = ("1.0", power + 1) if digits == "10.0" else (digits, power)
    return f"{digits}·10{str(power).translate(RAISED)}"


def measured(name: str, value: float) -> str:
    """Return what was measured and its value; a unit stays with its name."""
    return f"{name}: {number(value)}".replace(" [", "\N{NO-BREAK SPACE}[")


def told(worst: Mapping[str, float]) -> list[str]:
    """Return what was measured, a line each; where a value has more kinds than are shown, the largest stands for all.

    Args:
        worst: Values by their names: "what, of which kind" or "of which kind: what".
    """
    kinds: dict[str, list[float]] = {}
    for name, value in worst.items():
        kinds.setdefault(what(name), []).append(value)
    many = {name: values for name, values in kinds.items() if len(values) > KINDS}
    lines = [measured(f"{name}, largest of {len(values)} kinds", max(values)) for name, values in many.items()]
    return lines + [measured(*pair) for pair in worst.items() if what(pair[0]) not in many]


def what(name: str) -> str:
    """Return what was measured, without of which kind it was."""
    return name.rpartition(": ")[2].partition(", ")[0]


class FuzzTable(SphinxDirective):
    """Prints a row for each fuzz test, the machines, and what failed with the command that runs it alone."""

    def run(self) -> list[nodes.Node]:
        """Return the table and what stands below it."""
        folder = Path(self.config.fuzz_folder)
        for path in [*folder.glob("*.py"), *folder.glob("results/*.json")]:
            self.env.note_dependency(str(path))
        self.env.note_reread()  # a result that is new is no file that was there before
        found = fuzz_tests(folder)
        group = nodes.tgroup("", *(nodes.colspec(colwidth=width) for width in (44, 12, 8, 22, 14)), cols=len(HEAD))
        group += nodes.thead("", row([paragraph(nodes.Text(words))] for words in HEAD))
        group += nodes.tbody("", *map(self.line, found))
        below = [*machines(found), *failures(found)]
        return [nodes.table("", group, classes=["fuzz-table"]), *below] if found else below

    def line(self, test: FuzzTest) -> nodes.row:
        """Return the line of one test."""
        asked = [self.parsed(test.about["QUESTION"], "question"), self.parsed(f"Judge: {test.about['JUDGE']}")]
        asked.append(paragraph(nodes.literal("", test.name)))
        if test.found is None:
            return row([asked, [said("not run")], [said("–")], [said("–")], [said("–")]])
        found = test.found
        failed = len(found["failures"])
        worst = [said(line) for line in told(found["worst"])] or [said("–")]
        parts = [] if found["part"] == 1.0 else [said(f"a part of {found['part']:g}")]
        when = [said(found["date"]), said(f"seed {found['seed']}"), *parts]
        tried = said(f"{found['tried']:,} {test.about['UNIT']}")
        return row([asked, [tried], [said(f"{failed:,}", *(["failed"] if failed else []))], worst, when])

    def parsed(self, text: str, *classes: str) -> nodes.paragraph:
        """Return a sentence, its code and mathematics read as on any other page."""
        box = nodes.Element()
        self.state.nested_parse(StringList([text], self.env.docname), 0, box)
        return nodes.paragraph("", "", *box.children[0].children, classes=list(classes))


def said(words: str, *classes: str) -> nodes.paragraph:
    """Return words as they are."""
    return nodes.paragraph("", "", nodes.Text(words), classes=list(classes))


def machines(found: Sequence[FuzzTest]) -> Iterable[nodes.Node]:
    """Return a sentence that names the machines, where anything was run."""
    about = [test.found["machine"] for test in found if test.found is not None]
    named = dict.fromkeys(f"{host['processor']}, {host['cores']} cores, {host['system']}" for host in about)
    return [said(f"Run on: {'; '.join(named)}.")] if named else [said("No fuzz test has been run yet.")]


def failures(found: Sequence[FuzzTest]) -> Iterable[nodes.Node]:
    """Return a list of what failed, each with the command that runs that case alone."""
    items = []
    for test in found:
        for failure in test.found["failures"][:SHOWN] if test.found is not None else ():
            assert test.found is not None  # it has failures
            command = f"python -m tools.fuzz {test.name} --seed {test.found['seed']} --case {failure['case']}"
            items.append(nodes.list_item("", paragraph(nodes.literal("", command), nodes.Text(f": {failure['what']}"))))
    return [said("What failed:"), nodes.bullet_list("", *items)] if items else []


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive, and the folder that tests may change."""
    app.add_config_value("fuzz_folder", str(FOLDER), "env")
    app.add_directive("fuzz-table", FuzzTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
