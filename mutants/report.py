"""What came out: how many mutants each file has, who caught them, and which are open."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

EXPLAINED = Path(__file__).parent / "explained.json"
COLUMNS = ("made", "judged", "claim", "cell", "check", "test", "explained", "open")


def explanations() -> list[dict[str, str]]:
    """Return the mutants that change nothing, or nothing that anybody should notice, each with the reason."""
    found: list[dict[str, str]] = json.loads(EXPLAINED.read_text(encoding="utf-8"))
    return found


def place(about: dict[str, Any]) -> tuple[str, ...]:
    """Return by what an explanation names its mutant."""
    return tuple(about[name].strip() for name in ("file", "function", "was", "becomes"))


@lru_cache(maxsize=1)
def _explained() -> frozenset[tuple[str, ...]]:
    return frozenset(map(place, explanations()))


def is_explained(about: dict[str, Any]) -> bool:
    """Return whether somebody has said why a mutant changes nothing that anybody should notice."""
    return place(about) in _explained()


def sort_out(mutants: Iterable[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Return the mutants with what became of each under "end", and the explanations that explain none.

    Args:
        mutants: What is known of each; those that were looked at have "caught" and "left".

    Returns:
        "end" is "claim", "cell", "check", "test" (see `judging.judged`), "explained", "open", or empty where
        somebody was not asked yet. An explanation is stale where its mutant is caught, or is there no more.
    """
    needed, ended = set(), []
    for about in mutants:
        end = about.get("caught", "")
        if not end and is_explained(about):
            needed.add(place(about))
            end = "explained" if "caught" in about else ""
        elif not end and about.get("left", 1) == 0:
            end = "open"
        ended.append(about | {"end": end})
    return ended, [one for one in explanations() if place(one) not in needed]


def table(ended: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for each file, and one for all; those "waiting" were noticed by nobody yet, and not shown to all."""
    rows = []
    for file in [*dict.fromkeys(about["file"] for about in ended), "all"]:
        some = [about for about in ended if file in (about["file"], "all")]
        ends, solves = Counter(a["end"] for a in some), Counter(a.get("solves", "") for a in some)
        row: dict[str, Any] = {"file": file, "made": len(some), "judged": len(some) - ends[""]}
        row |= {name: ends[name] for name in COLUMNS[2:]}
        row["waiting"] = sum("caught" in a and not a["end"] for a in some)
        rows.append(row | {f"solves {name}": solves[name] for name in ("changed", "refused", "unchanged")})
    return rows


def show(rows: Sequence[dict[str, Any]], ended: Sequence[dict[str, Any]], stale: Sequence[dict[str, str]]) -> None:
    """Print the table, the open mutants, and the explanations that explain none."""
    width = max(len(row["file"]) for row in rows)
    names = [name for name in rows[0] if name != "file"]
    print(" ".join([" " * width, *(f"{name:>9}" for name in names)]))
    for row in rows:
        print(" ".join([f"{row['file']:{width}}", *(f"{row[name]:9}" for name in names)]))
    for about in ended:
        if about["end"] == "open":
            print(
                f"open: {about['file']}:{about['line']} {about['function']}\n  - {about['was']}\n  + {about['becomes']}"
            )
            print(f"    solves: {about.get('solves') or 'not asked'}")
    for one in stale:
        print(f"explains no survivor: {one['file']} {one['function']}: {one['was']} -> {one['becomes']}")
