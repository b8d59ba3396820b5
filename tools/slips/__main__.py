"""Change the solutions of the exercises, and see which causes are named: `python -m tools.slips 03 14 --part 0.1`.

Each mutant goes through the visible checks. A message that names a cause does so by its code; `earned.py` says which
changes may earn it. The command fails where another change has earned one. With --all it prints every cause that was
named, to be read; what was read and is true goes into `earned.json` by --write.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FrameType

from tools.slips.earned import may_earn, write
from tools.slips.exercise import EXERCISES, Exercise
from tools.slips.mutations import Mutant, mutants

SECONDS = 10.0
"""Processor time that a mutant may take; one that needs more is in an endless loop."""

CODE = re.compile(r"^Hint \[([\w.-]+)\]: ", re.MULTILINE)


class Endless(BaseException):
    """A mutant does not come to an end. A check that catches every Exception lets it through."""


@dataclass
class Told:
    """What one mutant was told.

    Attributes:
        exercise: Its number.
        change: What was planted.
        failed: Whether a check failed.
        named: The code of each cause that was named, and the message.
    """

    exercise: str
    change: str
    failed: bool = False
    named: list[tuple[str, str]] = field(default_factory=list)

    @property
    def false(self) -> list[tuple[str, str]]:
        """The causes that this change may not earn."""
        return [(code, said) for code, said in self.named if not may_earn(self.exercise, code, self.change)]


def told(exercise: Exercise, number: str, mutant: Mutant) -> Told:
    """Put a mutant through the visible checks."""
    result = Told(number, mutant.change)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        for _, said in exercise.failures(exercise.answer(mutant.text), hidden=False):
            result.failed = True
            result.named += [(found[1], said) for found in CODE.finditer(said)]
    except (Endless, Exception):  # noqa: BLE001 (a mutant that stops in a way of its own is told nothing)
        result.failed = True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
    return result


def ended(signum: int, frame: FrameType | None) -> None:
    """End the mutant that is running."""
    raise Endless


def asked(numbers: list[str], part: float) -> Iterator[Told]:
    """Yield what becomes of the mutants of these exercises, or of an even share of them."""
    signal.signal(signal.SIGVTALRM, ended)
    warnings.simplefilter("ignore")
    for path in EXERCISES:
        number = path.stem[:2]
        if numbers and number not in numbers:
            continue
        exercise = Exercise(path)
        made = [mutant for text in exercise.solutions for mutant in mutants(text)]
        for k, mutant in enumerate(made):
            if int((k + 1) * part) > int(k * part):
                yield told(exercise, number, mutant)


def main(arguments: list[str] | None = None) -> int:
    """Ask the mutants, print a row for each exercise and all that is false, and return how many are."""
    parser = argparse.ArgumentParser(prog="python -m tools.slips", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("exercises", nargs="*", help="their numbers; all, if there are none")
    parser.add_argument("--part", type=float, default=1.0, help="share of the mutants, from 0 to 1")
    parser.add_argument("--all", action="store_true", help="print every cause that was named, to be read")
    parser.add_argument("--write", action="store_true", help="all that is named was read, and is true")
    chosen = parser.parse_args(arguments)
    rows: dict[str, list[int]] = {}
    read: list[tuple[str, str, str]] = []
    for result in asked(chosen.exercises, chosen.part):
        false = [] if chosen.write else result.false
        read += [(result.exercise, code, result.change) for code, _ in result.named]
        for code, said in result.named if chosen.all else false:
            mark = "false" if (code, said) in false else "earned"
            print(f"{result.exercise} {mark} [{code}] {result.change}\n    {said}", flush=True)
        row = rows.setdefault(result.exercise, [0, 0, 0, 0])
        for i, one in enumerate((True, not result.failed, bool(result.named), bool(false))):
            row[i] += one
    if chosen.write:
        write(read)
    print(f"{'exercise':<10}{'mutants':>9}{'pass':>7}{'named':>7}{'false':>7}")
    for number, row in (*rows.items(), ("all", [sum(column) for column in zip(*rows.values(), strict=True)])):
        print(f"{number:<10}{row[0]:>9}{row[1]:>7}{row[2]:>7}{row[3]:>7}")
    return sum(row[3] for row in rows.values())


if __name__ == "__main__":
    sys.exit(min(main(), 1))
