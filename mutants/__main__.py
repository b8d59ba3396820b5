"""Make the mutants, ask the judges, and write who noticed what.

`reach` is found first, which takes as long as all that is asked does. It is kept in build/mutants, beside a line for
each mutant that was judged; what was caught is not judged again as long as its file is the same, so a run that is ended
goes on where it was. Mutants come in a fixed, mixed order: the part that was judged is a fair sample of the rest.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mutants import judging, lessons, reach, report
from mutants.copies import ROOT, copied, import_what_is_not_ours
from mutants.made import Mutant, mutants_of
from mutants.operators import check_examples
from mutants.reach import Reach

WORK = ROOT / "build" / "mutants"
RESULTS = Path(__file__).parent / "results" / "mutants.json"
JUDGING = "claims layout proof ratios sums terms vocabulary".split()
"""The files of symbolic/ that state, prove and print claims. They judge the others, and derive nothing that runs."""

CODEGEN = "expressions javascript_target kernel lanes numba_target numpy_target printers select vectors".split()
"""The files of codegen/ that make code of formulas; the others keep and load it."""

_copy = Path()
_reach: Reach


def files() -> list[str]:
    """Return the files that are mutated when none is named."""
    derivations = sorted(p.stem for p in (ROOT / "lessons_lib" / "symbolic").glob("*.py"))
    chosen = [f"symbolic/{name}" for name in derivations if name not in (*JUDGING, "__init__")]
    return [f"lessons_lib/{name}.py" for name in [*chosen, *(f"codegen/{name}" for name in CODEGEN)]]


def mixed(mutants: Iterable[Mutant]) -> list[Mutant]:
    """Return mutants in an order that has nothing to do with where they stand."""
    return sorted(mutants, key=lambda m: hashlib.sha256(m.key.encode()).hexdigest())


def known(path: Path) -> Iterator[dict[str, Any]]:
    """Yield what was written down; a last line that is not whole is left out."""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            return


def write_down(path: Path, entry: dict[str, Any]) -> None:
    """Add a line to what is known."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry, ensure_ascii=False) + "\n")


@lru_cache(maxsize=1)
def _sources() -> str:
    """Return a hash of the files that are mutated, and of those that judge them."""
    paths = {*(ROOT / file for file in files()), *(ROOT / "lessons_lib" / "symbolic").glob("*.py")}
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()


def _state(question: tuple[str, str]) -> str:
    """Return a hash of what a judge's answer about the library as it is hangs on."""
    kind, name = question
    if kind == "claim":
        (path,) = (ROOT / "notebooks").glob(f"{int(name.split('.')[0]):02}_*.ipynb")
        judge = ast.dump(ast.Module(lessons.programs(path)[name], []))
    else:
        judge = (ROOT / ("mutants/solves.py" if kind == "solves" else name)).read_text(encoding="utf-8")
    return hashlib.sha256(f"{kind}\0{name}\0{judge}\0{_sources()}".encode()).hexdigest()


def find_reach(pool: Any, with_solves: bool) -> Reach:
    """Return who runs which line: what is known of it, and what is found now."""
    path, answers = WORK / "reach.jsonl", dict[str, dict[str, Any]]()
    asked = {q: _state(q) for q in reach.questions(ROOT) if with_solves or q[0] != "solves"}
    for entry in known(path):
        if entry["state"] == asked.get((entry["kind"], entry["name"])):
            answers[f"{entry['kind']} {entry['name']}"] = entry["answer"]
    missing = [question for question in asked if " ".join(question) not in answers]
    print(f"asking the judges about the library as it is: {len(missing)} of {len(asked)}", flush=True)
    for question, ended in pool.imap_unordered(_reached, missing):
        if ended.error:
            raise SystemExit(f"{' '.join(question)}: {ended.error}")
        answer = {"seconds": ended.seconds, "value": ended.value}
        write_down(path, {"kind": question[0], "name": question[1], "state": asked[question], "answer": answer})
        answers[" ".join(question)] = answer
    return Reach(answers)


def _take_copy(copies: Any) -> None:
    global _copy
    _copy = copies.get()


def _reached(question: tuple[str, str]) -> tuple[tuple[str, str], Any]:
    return question, reach.found(_copy, *question)


def _judged(task: tuple[str, Mutant]) -> tuple[str, Mutant, dict[str, Any]]:
    kind, mutant = task
    ask = {"noticed": judging.noticed, "solved": judging.solved}[kind]
    return kind, mutant, ask(_copy, mutant, _reach)


def judge(mutants: Sequence[Mutant], kinds: Sequence[str], pool: Callable[[], Any]) -> list[dict[str, Any]]:
    """Ask about each mutant what is not known yet, write it down, and return what is known of each."""
    path = WORK / "judged.jsonl"
    about = {(m.file, m.key): m.about() for m in mutants}
    texts = {file: hashlib.sha256((ROOT / file).read_bytes()).hexdigest()[:12] for file in files_of(mutants)}
    answered = set()
    for entry in known(path):
        at = (entry["file"], entry["key"])
        if at in about and texts[at[0]] == entry["text"] and (entry["kind"] != "noticed" or entry["answer"]["caught"]):
            about[at] |= entry["answer"]
            answered.add((entry["kind"], *at))
    tasks = [(kind, m) for kind in kinds for m in mixed(mutants) if (kind, m.file, m.key) not in answered]
    print(f"{len(mutants)} mutants, {len(tasks)} questions", flush=True)
    begun = time.perf_counter()
    with pool() as workers:
        for done, (kind, mutant, answer) in enumerate(workers.imap_unordered(_judged, tasks), 1):
            entry = {"kind": kind, "file": mutant.file, "key": mutant.key, "text": texts[mutant.file]}
            write_down(path, entry | {"answer": answer})
            about[mutant.file, mutant.key] |= answer
            if done % 25 == 0:
                print(f"{done} of {len(tasks)}, {time.perf_counter() - begun:.0f} s", flush=True)
    return list(about.values())


def files_of(mutants: Iterable[Mutant]) -> list[str]:
    """Return the files of some mutants."""
    return list(dict.fromkeys(m.file for m in mutants))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 1 where a mutant is open, or an explanation is stale."""
    parser = argparse.ArgumentParser(prog="python -m mutants", description="Change a symbol; see who notices.")
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="symbolic/so3 for instance; all that derive if left out"
    )
    parser.add_argument("--part", type=float, default=1.0, help="how much of it, above 0 and at most 1")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes side by side")
    parser.add_argument("--no-solves", action="store_true", help="leave out the numbers of solves, which are compiled")
    parser.add_argument("--list", action="store_true", help="print the mutants, and judge none")
    parser.add_argument("--output", type=Path, default=RESULTS, help="the JSON file")
    options = parser.parse_args(arguments)
    check_examples()
    chosen = [f"lessons_lib/{name}.py" for name in options.files] or files()
    mutants = [m for file in chosen for m in mutants_of(ROOT, file)]
    some = mixed(mutants)[: max(1, round(options.part * len(mutants)))]
    if options.list:
        for m in mutants:
            print(f"{m.file}:{m.line} {m.function}\n  - {m.was}\n  + {m.becomes}")
        return 0
    import_what_is_not_ours()
    with ExitStack() as stack:
        folders = [stack.enter_context(copied()) for _ in range(options.jobs)]
        forks = multiprocessing.get_context("fork")

        def pool() -> Any:
            copies = forks.Queue()
            for folder in folders:
                copies.put(folder)
            return forks.Pool(options.jobs, _take_copy, (copies,))

        global _reach
        with pool() as workers:
            _reach = find_reach(workers, not options.no_solves)
        found = judge(some, ["noticed"] if options.no_solves else ["noticed", "solved"], pool)
    ended, stale = report.sort_out([*found, *(m.about() for m in mutants if m not in some)])
    stale = [one for one in stale if one["file"] in chosen]
    rows = report.table(ended)
    report.show(rows, ended, stale)
    when = {"date": datetime.now(UTC).date().isoformat(), "versions": versions()}
    options.output.parent.mkdir(parents=True, exist_ok=True)
    kept = [{k: v for k, v in about.items() if k not in ("key", "asked")} for about in ended if about["end"]]
    text = json.dumps(when | {"files": rows, "mutants": kept}, indent=1, ensure_ascii=False)
    options.output.write_text(text + "\n", encoding="utf-8")
    return int(bool(stale) or any(about["end"] == "open" for about in ended))


def versions() -> dict[str, str]:
    """Return the versions of what makes mutants and judges them."""
    return {name: version(name) for name in ("cosmic-ray", "sympy", "numba", "pytest")}


if __name__ == "__main__":
    sys.exit(main())
