"""A few mutants by name, which the tests make and judge at every change: `python -m mutants.named` prints what came.

Each is a slip that was once made in a copy and went unnoticed, or one like it.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from mutants import judges, lessons
from mutants.copies import ROOT, changed, copied, import_what_is_not_ours, in_a_child

PATIENCE = 600.0
"""Seconds after which a judge hangs; a busy machine is slow."""


@dataclass(frozen=True)
class Named:
    """A change of one symbol.

    Attributes:
        name: What is wrong then.
        file: Which file is changed, below lessons_lib/.
        was: What stands there, once.
        becomes: What takes its place.
        lesson: Number of the lesson whose claims are asked.
        word: A name that is used in the program of those among them that are about it.
    """

    name: str
    file: str
    was: str
    becomes: str
    lesson: str
    word: str


NAMED = (
    Named(
        "a wrong sign in the space Jacobian",
        "symbolic/open_chain.py",
        "so3.hat(p) * rotated + R * v",
        "so3.hat(p) * rotated - R * v",
        *("06", "open_chain"),
    ),
    Named(
        "a wrong sign in V",
        "symbolic/so3.py",
        "stumpff(2, x) * Omega + stumpff(3, x) * Omega**2",
        "stumpff(2, x) * Omega - stumpff(3, x) * Omega**2",
        *("03", "V"),
    ),
    Named(
        "2D for D in the damped step",
        "symbolic/damped_step.py",
        "product + (D if i == j else 0)",
        "product + (2 * D if i == j else 0)",
        *("10", "damped_step"),
    ),
    Named(
        "a slide the other way",
        "symbolic/tip_to_base.py",
        "self.t + q * along",
        "self.t - q * along",
        *("07", "tip_to_base"),
    ),
    Named(
        "a pitch the other way",
        "symbolic/tip_to_base.py",
        "self.t + pitch * q * axis",
        "self.t - pitch * q * axis",
        *("07", "tip_to_base"),
    ),
    Named(
        "a transposed rotation in the adjoint",
        "symbolic/se3.py",
        "[so3.hat(p) * R, R]]",
        "[so3.hat(p) * R, R.T]]",
        *("04", "Ad"),
    ),
    Named(
        "a wrong sign in the inverse of V",
        "symbolic/so3.py",
        "sp.eye(3) - Omega / 2",
        "sp.eye(3) + Omega / 2",
        *("08", "J_l_inverse"),
    ),
    Named(
        "a cosine with the sign of another quadrant",
        "codegen/numba_target.py",
        "(quadrant + 1) & 2",
        "(quadrant + 3) & 2",
        *("", ""),
    ),
)


def claims_about(named: Named) -> list[str]:
    """Return the numbers of the claims that are asked, the short programs first."""
    if not named.lesson:
        return []
    (path,) = (ROOT / "notebooks").glob(f"{named.lesson}_*.ipynb")
    programs = lessons.programs(path)
    about = {number: body for number, body in programs.items() if _says(body, named.word)}
    return sorted(about, key=lambda number: len(about[number]))


def _says(body: Sequence[ast.stmt], word: str) -> bool:
    used = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return any(node.id == word for node in used)


def judged(copy: Path, named: Named, known: Sequence[Any]) -> dict[str, str]:
    """Return what notices a mutant.

    Args:
        copy: Of the repository.
        named: What to change in it.
        known: The numbers of the plain solves without the change.

    Returns:
        Under "refused" the claim that is, or the check of the derived code, with the reason; under "solve" "refused",
        "changed" or "unchanged".
    """
    text = (copy / "lessons_lib" / named.file).read_text(encoding="utf-8")
    if text.count(named.was) != 1:
        raise ValueError(f"{named.was!r} stands {text.count(named.was)} times in {named.file}")
    with changed(copy, f"lessons_lib/{named.file}", text.replace(named.was, named.becomes)):
        claim = in_a_child(copy, partial(judges.first_refusal, claims_about(named)), PATIENCE)
        solve = in_a_child(copy, partial(judges.moved, "plain", known), PATIENCE)
    refused = claim.error or ": ".join(claim.value) or solve.error
    if solve.error:
        return {"refused": refused, "solve": "refused"}
    return {"refused": refused, "solve": "changed" if solve.value else "unchanged"}


def main() -> int:
    """Judge them all, and print as JSON what came of each, by its name."""
    import_what_is_not_ours("numpy", "scipy.linalg", "sympy", "mpmath", "numba")
    with copied() as copy:
        known = in_a_child(copy, partial(judges.numbers, "plain"), PATIENCE).value
        found = {named.name: asdict(named) | judged(copy, named, known) for named in NAMED}
    print(json.dumps(found, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
