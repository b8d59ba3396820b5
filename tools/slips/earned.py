"""Which changes of a solution may earn which cause: those that somebody has read and found true.

What is true of an answer whatever was written (its sign, a factor of 2, degrees) is a matter of the kind of change. All
else stands in `earned.json`: exercise, code, changes. What stands nowhere is false.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("earned.json")

FACTS = {
    "sign": ("sign", "minus dropped"),
    "twice": ("twice", "factor dropped", "constant", "multiplied or divided"),
    "half": ("half", "factor dropped", "constant", "multiplied or divided"),
    "degrees": ("unit",),
    "transposed": ("transposed",),
    "float32": ("precision",),
}
"""The code of a fact to the kinds of change that give it."""


@cache
def earned() -> dict[str, dict[str, list[str]]]:
    """Return the changes that have been read, by exercise and code."""
    read: dict[str, dict[str, list[str]]] = json.loads(FILE.read_text(encoding="utf8"))
    return read


def may_earn(exercise: str, code: str, change: str) -> bool:
    """Return whether a change may be told this cause."""
    return change.partition(":")[0] in FACTS.get(code, ()) or change in earned().get(exercise, {}).get(code, ())


def write(read: Iterable[tuple[str, str, str]]) -> None:
    """Write what was read, exercise, code and change, in the place of what stands there of these exercises."""
    found = list(read)
    table = {exercise: codes for exercise, codes in earned().items() if exercise not in {one for one, _, _ in found}}
    for exercise, code, change in sorted(set(found)):
        if change.partition(":")[0] not in FACTS.get(code, ()):
            table.setdefault(exercise, {}).setdefault(code, []).append(change)
    text = json.dumps(dict(sorted(table.items())), indent=1, ensure_ascii=False)
    FILE.write_text(f"{text}\n", encoding="utf8")
