"""Run the fuzz tests, each in a process of its own, all or those that are named, and write their table.

A fuzz test is a module of this package with

    QUESTION   what is asked, in a sentence that ends in a question mark
    JUDGE      who answers it, independently of the library
    UNIT       what `tried` counts, in the plural
    CASES      how many cases the whole fuzz test has; `make check` runs a share of them, `SHARE`
    fuzz(cases, seed, tally)   runs the cases of these numbers and tells the tally what broke

What a fuzz test found goes to `results/NAME.json`; an interrupted one writes none.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from tools.benchmarks import machine
from tools.fuzz.tally import Tally

RESULTS = Path(__file__).resolve().parent / "results"

SHARE = 0.002
"""How much of each fuzz test `make check` runs, but of one whose module has a SHARE of its own."""


def names() -> list[str]:
    """Return the names of the fuzz tests there are."""
    folder = Path(__file__).parent
    return sorted(path.stem for path in folder.glob("*.py") if "\ndef fuzz(" in path.read_text(encoding="utf-8"))


def run(name: str, part: float, seed: int, case: int | None = None) -> dict[str, Any]:
    """Run one fuzz test in this process and return what it found.

    Args:
        name: Of the fuzz test.
        part: How much of it, above 0 and at most 1; at least one case is run.
        seed: Of all that is random.
        case: The only case to run, or None.

    Returns:
        What the module says of itself, what was asked, when, on which machine, and the tally's fields.
    """
    module = import_module(f"tools.fuzz.{name}")
    cases = range(max(1, round(part * module.CASES))) if case is None else range(case, case + 1)
    tally, begun = Tally(), time.perf_counter()
    module.fuzz(cases, seed, tally)
    about = {"name": name, "question": module.QUESTION, "judge": module.JUDGE, "unit": module.UNIT}
    asked = {"part": part, "seed": seed, "cases": len(cases), "seconds": round(time.perf_counter() - begun, 1)}
    where = {"date": datetime.now(UTC).date().isoformat(), "machine": machine.describe()}
    return about | asked | where | {"versions": machine.versions()} | tally.as_dict()


def show(found: dict[str, Any]) -> None:
    """Print what a fuzz test found."""
    failures = found["failures"]
    print(f"{found['name']}: {found['question']}")
    print(f"  {found['tried']} {found['unit']}, {len(failures)} failed, seed {found['seed']}, {found['seconds']} s")
    for name, value in found["worst"].items():
        print(f"  worst {name}: {value:.3g}")
    for failure in failures[:20]:
        command = f"python -m tools.fuzz {found['name']} --seed {found['seed']} --case {failure['case']}"
        print(f"  {command}: {failure['what']}")


def run_here(name: str, options: argparse.Namespace, seed: int) -> int:
    """Run one fuzz test in this process, print and write what it found; return 1 where anything failed."""
    path = options.output / f"{name}.json"
    if options.case is None:
        path.unlink(missing_ok=True)  # where this run does not come to its end, no older one stands for it
    found = run(name, options.part, seed, options.case)
    show(found)
    if options.case is None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(bool(found["failures"]))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 1 where anything failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description="Fuzz the library.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names())}; all when left out")
    parser.add_argument("--part", type=float, default=1.0, help="how much of each fuzz test, above 0 and at most 1")
    parser.add_argument("--seed", type=int, default=None, help="of all that is random; drawn and printed if left out")
    parser.add_argument("--case", type=int, default=None, help="the only case to run, as a failure names it")
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder of the JSON files")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(names()))
    if unknown or not 0.0 < options.part <= 1.0:
        parser.error(f"unknown: {', '.join(unknown)}" if unknown else f"--part {options.part} is not in (0, 1]")
    chosen = options.names or names()
    if options.case is not None and len(chosen) != 1:
        parser.error(f"--case {options.case} is a case of one fuzz test; name it")
    seed = int(time.time()) if options.seed is None else options.seed
    if len(chosen) == 1:
        return run_here(chosen[0], options, seed)
    rest = ["--part", str(options.part), "--seed", str(seed), "--output", str(options.output)]
    commands = [[sys.executable, "-m", "tools.fuzz", name, *rest] for name in chosen]
    ended = [subprocess.run(command, check=False).returncode for command in commands]
    for name, code in zip(chosen, ended, strict=True):
        if code not in (0, 1):  # a signal's is negative
            print(f"{name}: its process ended with {code}")
    return int(any(ended))


if __name__ == "__main__":
    sys.exit(main())
