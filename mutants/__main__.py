"""Make the mutants, ask the judges, and write who noticed what.

`reach` is found first, which takes as long as all that is asked does. It is kept in build/mutants, beside a line for
each mutant that was judged; what was caught is not judged again as long as its file is the same, so a run that is ended
goes on where it was. Mutants come in a fixed, mixed order: the part that was judged is a fair sample of the rest.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mutants import judges, judging, known, reach, report
from mutants.copies import ROOT, copied, import_what_is_not_ours, in_a_child
from mutants.mutant import Mutant
from mutants.operators import check_examples
from mutants.reach import Reach

_copy = Path()
_reach: Reach


def mixed(mutants: Iterable[Mutant]) -> list[Mutant]:
    """Return mutants in an order that has nothing to do with where they stand."""
    return sorted(mutants, key=lambda m: hashlib.sha256(m.key.encode()).hexdigest())


def find_reach(pool: Any) -> Reach:
    """Return who runs which line: what is known of it, and what is found now."""
    path, answers = known.WORK / "reach.jsonl", dict[str, dict[str, Any]]()
    asked = {" ".join(question): (question, known.state_of(question)) for question in reach.questions(ROOT)}
    for entry in known.lines_of(path):
        if entry["state"] == asked.get(entry["judge"], ("", ""))[1]:
            answers[entry["judge"]] = entry
    missing = [question for judge, (question, _) in asked.items() if judge not in answers]
    print(f"asking the judges about the library as it is: {len(missing)} of {len(asked)}", flush=True)
    for question, ended in pool.imap_unordered(_reached, missing):
        judge = " ".join(question)
        if ended.error:
            raise SystemExit(f"{judge}: {ended.error}")
        answers[judge] = {"judge": judge, "state": asked[judge][1], "seconds": ended.seconds, "value": ended.value}
        known.write_down(path, answers[judge])
    return Reach(answers)


def _take_copy(copies: Any) -> None:
    global _copy
    _copy = copies.get()


def _reached(question: tuple[str, str]) -> tuple[tuple[str, str], Any]:
    return question, reach.found(_copy, *question)


def _judged(task: tuple[Mutant, judging.Answer, bool]) -> tuple[Mutant, judging.Answer]:
    mutant, before, thorough = task
    return mutant, judging.judged(_copy, mutant, _reach, before, thorough)


def ask_again(mutants: Sequence[Mutant], pool: Any) -> None:
    """Show the mutants of a file that has changed to who noticed them before; that needs no reach."""
    answers, before = known.answers_about(mutants), known.noticed_before(mutants)
    tasks = [(m, *before[m]) for m in mutants if m in before and m not in answers]
    print(f"{len(tasks)} mutants of files that have changed, shown to who noticed them before", flush=True)
    for mutant, answer in pool.imap_unordered(_asked_again, tasks):
        if answer["caught"]:
            known.keep(mutant, answer)


def _asked_again(task: tuple[Mutant, str, str]) -> tuple[Mutant, judging.Answer]:
    return task[0], judging.asked_again(_copy, *task)


def judge(mutants: Sequence[Mutant], pool: Callable[[], Any]) -> None:
    """Have a first look at those that are unknown, then a thorough one at what is left, and write it down."""
    for thorough in (False, True):
        answers = known.answers_about(mutants)
        judging.remember(answers)
        with pool() as workers:
            some = [m for m in mutants if m not in answers or judging.is_left(m, answers[m], _reach, thorough)]
            # what is explained can wait; survivors are shown what is new before the others
            some.sort(key=lambda m: (report.is_explained(m.about()), m not in answers))
            tasks = [(m, answers.get(m, judging.UNKNOWN), thorough) for m in some]
            print(f"{len(mutants)} mutants, {len(tasks)} to be judged, thorough: {thorough}", flush=True)
            begun = time.perf_counter()
            for done, (m, answer) in enumerate(workers.imap_unordered(_judged, tasks), 1):
                known.keep(m, answer)
                if done % 25 == 0:
                    print(f"{done} of {len(tasks)}, {time.perf_counter() - begun:.0f} s", flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 1 where a mutant is open, or an explanation is stale."""
    parser = argparse.ArgumentParser(prog="python -m mutants", description="Change a symbol; see who notices.")
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="symbolic/so3 for instance; all that derive if left out"
    )
    parser.add_argument("--part", type=float, default=1.0, help="how much of it, above 0 and at most 1")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes side by side")
    parser.add_argument("--known", action="store_true", help="judge none; write what is known of each")
    parser.add_argument("--list", action="store_true", help="print the mutants, and judge none")
    parser.add_argument("--output", type=Path, default=known.RESULTS, help="the JSON file")
    options = parser.parse_args(arguments)
    check_examples()
    chosen = [f"lessons_lib/{name}.py" for name in options.files] or known.files()
    told_of = dict.fromkeys([*known.files(), *known.stored_files(), *chosen])
    every = [m for file in told_of for m in known.mutants_in(file)]
    mutants = [m for m in every if m.file in chosen]
    some = mixed(mutants)[: max(1, round(options.part * len(mutants)))]
    if options.list:
        for m in mutants:
            print(f"{m.file}:{m.line} {m.function}\n  - {m.was}\n  + {m.becomes}")
        return 0
    if not options.known:
        _ask(some, options.jobs)
    answers = known.answers_about(every)
    ended, stale = report.sort_out(m.about() | answers.get(m, {}) for m in every)
    stale, of_these = [one for one in stale if one["file"] in chosen], [one for one in ended if one["file"] in chosen]
    report.show(report.table(of_these), of_these, stale)
    rows = report.table(ended)
    when = {"date": datetime.now(UTC).date().isoformat(), "versions": versions()}
    options.output.parent.mkdir(parents=True, exist_ok=True)
    texts = {file: known.text_of(file) for file in dict.fromkeys(row["file"] for row in rows if row["file"] != "all")}
    rows = [row | {"text": texts.get(row["file"], "")} for row in rows]
    kept = [{k: v for k, v in about.items() if k not in ("key", "passed", "left")} for about in ended if about["end"]]
    text = json.dumps(when | {"files": rows, "mutants": kept}, indent=1, ensure_ascii=False)
    options.output.write_text(text + "\n", encoding="utf-8")
    return int(bool(stale) or any(about["end"] == "open" for about in of_these))


def _ask(mutants: Sequence[Mutant], jobs: int) -> None:
    """Have mutants judged by some processes side by side."""
    import_what_is_not_ours()
    judges.warm_up()
    with ExitStack() as stack:
        folders = [stack.enter_context(copied()) for _ in range(jobs)]
        for folder in folders:
            in_a_child(folder, judges.collect, 600, writes_bytecode=True)
        forks = multiprocessing.get_context("fork")

        def pool() -> Any:
            copies = forks.Queue()
            for folder in folders:
                copies.put(folder)
            return forks.Pool(jobs, _take_copy, (copies,))

        global _reach
        with pool() as workers:
            ask_again(mutants, workers)
            _reach = find_reach(workers)
        judge(mutants, pool)


def versions() -> dict[str, str]:
    """Return the versions of what makes mutants and judges them."""
    return {name: version(name) for name in ("cosmic-ray", "sympy", "numba", "pytest")}


if __name__ == "__main__":
    sys.exit(main())
