"""Run the attacks, each in a process of its own, all or those that are named, and write their table.

An attack is a module of this package with

    QUESTION   what is asked, in a sentence that ends in a question mark
    JUDGE      who answers it, independently of the library
    UNIT       what `tried` counts, in the plural
    CASES      how many cases the whole attack has; CI runs a tenth of them
    attack(cases, seed, tally)   runs the cases of these numbers and tells the tally what broke
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

from soak.tally import Tally

RESULTS = Path(__file__).resolve().parent / "results"


def names() -> list[str]:
    """Return the names of the attacks there are."""
    folder = Path(__file__).parent
    return sorted(path.stem for path in folder.glob("*.py") if "\ndef attack(" in path.read_text(encoding="utf-8"))


def run(name: str, part: float, seed: int, case: int | None = None) -> dict[str, object]:
    """Run one attack in this process and return what it found.

    Args:
        name: Of the attack.
        part: How much of it, above 0 and at most 1; at least one case is run.
        seed: Of all that is random.
        case: The only case to run, or None.
    """
    module = import_module(f"soak.{name}")
    cases = range(max(1, round(part * module.CASES))) if case is None else range(case, case + 1)
    tally, begun = Tally(), time.perf_counter()
    module.attack(cases, seed, tally)
    about = {"name": name, "question": module.QUESTION, "judge": module.JUDGE, "unit": module.UNIT}
    seconds = round(time.perf_counter() - begun, 1)
    return about | {"part": part, "seed": seed, "cases": len(cases), "seconds": seconds} | tally.as_dict()


def show(found: dict[str, object]) -> None:
    """Print what an attack found."""
    failures: list[dict[str, object]] = found["failures"]  # type: ignore[assignment]
    worst: dict[str, float] = found["worst"]  # type: ignore[assignment]
    print(f"{found['name']}: {found['question']}")
    print(f"  {found['tried']} {found['unit']}, {len(failures)} failed, seed {found['seed']}, {found['seconds']} s")
    for name, value in worst.items():
        print(f"  worst {name}: {value:.3g}")
    for failure in failures[:20]:
        print(f"  python -m soak {found['name']} --seed {found['seed']} --case {failure['case']}: {failure['what']}")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 1 where anything failed."""
    parser = argparse.ArgumentParser(prog="python -m soak", description="Attack the library from outside.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names())}; all when left out")
    parser.add_argument("--part", type=float, default=1.0, help="how much of each attack, above 0 and at most 1")
    parser.add_argument("--seed", type=int, default=None, help="of all that is random; drawn and printed if left out")
    parser.add_argument("--case", type=int, default=None, help="the only case to run, as a failure names it")
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder of the JSON files")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(names()))
    if unknown or not 0.0 < options.part <= 1.0:
        parser.error(f"unknown: {', '.join(unknown)}" if unknown else f"--part {options.part} is not in (0, 1]")
    seed = int(time.time()) if options.seed is None else options.seed
    chosen = options.names or names()
    if len(chosen) == 1:
        found = run(chosen[0], options.part, seed, options.case)
        show(found)
        if options.case is None:
            options.output.mkdir(parents=True, exist_ok=True)
            text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
            (options.output / f"{chosen[0]}.json").write_text(text, encoding="utf-8")
        return int(bool(found["failures"]))
    rest = ["--part", str(options.part), "--seed", str(seed), "--output", str(options.output)]
    commands = [[sys.executable, "-m", "soak", name, *rest] for name in chosen]
    return max(min(subprocess.run(command, check=False).returncode, 1) for command in commands)


if __name__ == "__main__":
    sys.exit(main())
