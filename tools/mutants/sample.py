"""Draw a fixed sample of mutants from the whole library, and ask the tests that run the changed line.

A file is drawn by its lines, in it one mutant after another. `seen.py` notes once which test runs which line, and
`in_place.py` judges. Whoever is noticed by nobody may still be by a notebook, or by a test that starts a process.
"""

from __future__ import annotations

import ast
import hashlib
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from cosmic_ray.commands.init import _all_work_items
from cosmic_ray.work_item import MutationSpec

from tools.mutants.__main__ import difference, no_formulas, text_of
from tools.mutants.in_place import NOTES

SEED = 30
LEFT_OUT = re.compile(
    r"core/(RemoveDecorator|ZeroIterationForLoop|ExceptionReplacer|VariableReplacer|VariableInserter"
    r"|ReplaceUnaryOperator_(?!Delete_(USub|Not)$)"
    r"|ReplaceBinaryOperator_(?!(Add_Sub|Sub_Add|Mul_Div|Div_Mul|Pow_Mul|FloorDiv_Mul|Mod_Mul|BitAnd_BitOr|BitOr_BitAnd)$)"
    r"|ReplaceComparisonOperator_(?!(Lt_LtE|Lt_GtE|LtE_Lt|LtE_Gt|Gt_GtE|Gt_LtE|GtE_Gt|GtE_Lt|Eq_NotEq|NotEq_Eq|Is_IsNot|IsNot_Is|In_NotIn|NotIn_In)$))"
)
"""Operators of Cosmic Ray that are left out; conditions and truths stay, which a formula has not."""


@dataclass(frozen=True)
class Mutant:
    """A changed place: its file, its line, the lines before and after, and the whole text of the changed file."""

    file: str
    line: int
    was: str
    becomes: str
    text: str


def drawn(files: list[Path], count: int, seed: int = SEED) -> list[Mutant]:
    """Return a sample of the mutants of some files, the same at each call, each file as often as it has lines."""
    lengths = [len(path.read_text(encoding="utf-8").splitlines()) for path in files]
    chance = random.Random(seed)
    waiting = dict(zip(files, map(_mutants, files), strict=True))
    found: list[Mutant] = []
    while len(found) < count:
        (file,) = chance.choices(files, lengths)
        found += [one for one in [next(waiting[file], None)] if one]
    return found


def _mutants(file: Path) -> Iterator[Mutant]:
    """Yield the mutants of a file that may change what it does, in an order of chance that stays."""
    code = file.read_text(encoding="utf-8")
    tree = ast.parse(code)
    quiet = [((p.lineno, p.col_offset), (p.end_lineno or 0, p.end_col_offset or 0)) for p in no_formulas(tree)]
    seen = {ast.dump(tree)}
    all_of_them = [item.mutations[0] for item in _all_work_items([file], {})]
    for one in sorted(all_of_them, key=_place_of_chance):
        if LEFT_OUT.match(one.operator_name) or any(a <= tuple(one.start_pos) < b for a, b in quiet):
            continue
        text = text_of(one)
        try:
            meaning = ast.dump(ast.parse(text))
        except SyntaxError:
            continue
        if meaning not in seen:
            seen.add(meaning)
            yield Mutant(str(file), one.start_pos[0], *difference(code, text), text)


def _place_of_chance(mutation: MutationSpec) -> bytes:
    return hashlib.sha256(f"{mutation.operator_name} {mutation.occurrence} {mutation.start_pos}".encode()).digest()


def judge(count: int) -> int:
    """Judge a sample of so many mutants, print who was noticed by nobody, and return how many these are."""
    files = sorted(Path("lessons_lib").rglob("*.py"))
    NOTES.mkdir(parents=True, exist_ok=True)
    (NOTES / "sample.json").write_text(json.dumps([asdict(one) for one in drawn(files, count)]), encoding="utf-8")
    quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:nbval", "-p", "no:xdist", "--hypothesis-seed=0"]
    tests = ["-m", "not check and not release", "tests", "--ignore=tests/book", "--ignore=tests/classroom"]
    for plugin in ("seen", "in_place"):
        subprocess.run([sys.executable, "-m", "pytest", *quiet, "-p", f"tools.mutants.{plugin}", *tests], check=False)
    judged = json.loads((NOTES / "judged.json").read_text(encoding="utf-8"))
    left = [one for one in judged if "::" not in one["by"]]
    for one in left:
        print(f"{one['file']}:{one['line']}: {one['was']} -> {one['becomes']}")
        print(f"    {one['by'] or 'noticed by none'} of {one['asked']} tests")
    print(f"{count} made, {count - len(left)} noticed by the tests that run the line")
    return len(left)
