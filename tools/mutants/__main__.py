"""Change one symbol of a file after another, and see who notices: `python -m tools.mutants symbolic/so3 --part 0.1`.

Cosmic Ray makes the mutants (`cosmic-ray.toml`, `operators.py`), keeps them with what became of each in a session under
build/mutants, one for each text of a file, and asks `judge.py` in a copy of the repository. A run that is ended goes on
where it was. Where a whole file was judged, its row of `results.md` is written anew.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import hashlib
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

from cosmic_ray import plugins
from cosmic_ray.commands import init
from cosmic_ray.config import load_config
from cosmic_ray.mutating import mutate_and_test, mutate_code
from cosmic_ray.testing import run_tests
from cosmic_ray.tools.filters.operators_filter import OperatorsFilter
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome, WorkResult

from tools.mutants.judge import ROOT, copy_into
from tools.mutants.operators import OURS

HERE = Path(__file__).resolve().parent
COLUMNS = ("made", "claim", "cell", "test", "explained", "open", "waiting")
JUDGING = "claims layout proof ratios sums terms vocabulary __init__".split()
"""The files of symbolic/ that state, prove and print claims. They judge the others, and derive nothing that runs."""

CODEGEN = "export_targets expressions kernel lanes numpy_target printers scalar_target vectors".split()
"""The files of codegen/ that make code of formulas; the others keep and load it."""

plugins.OPERATOR_PROVIDERS["ours"] = OURS


def files() -> list[str]:
    """Return the files that are mutated when none is named."""
    derivations = sorted(path.stem for path in (ROOT / "lessons_lib" / "symbolic").glob("*.py"))
    chosen = [f"symbolic/{name}" for name in derivations if name not in JUDGING]
    return [*chosen, *(f"codegen/{name}" for name in CODEGEN)]


def text_of(mutation: MutationSpec) -> str:
    """Return the whole text of the changed file."""
    operator = plugins.get_operator(mutation.operator_name)(**mutation.operator_args)
    text: str = mutate_code(mutation.module_path.read_text(encoding="utf-8"), operator, mutation.occurrence)
    return text


def difference(before: str, after: str) -> tuple[str, str]:
    """Return the lines that differ, before and after."""
    old, new = before.splitlines(), after.splitlines()
    blocks = [b for b in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if b[0] != "equal"]
    was, becomes = old[blocks[0][1] : blocks[-1][2]], new[blocks[0][3] : blocks[-1][4]]
    return " ".join(line.strip() for line in was), " ".join(line.strip() for line in becomes)


def no_formulas(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield annotations, decorators of classes, raised errors and sizes of caches: what they say is no formula."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(returns=ast.expr() as part) | ast.arg(annotation=ast.expr() as part):
                yield part
            case ast.AnnAssign(annotation=part) | ast.Raise(exc=ast.expr() as part):
                yield part
            case ast.ClassDef():
                yield from node.decorator_list
            case ast.Call() if ast.unparse(node.func) == "lru_cache":
                yield node


def sort_out(db: WorkDB, file: str, explained: set[tuple[str, ...]]) -> None:
    """Say of each mutant that need not be judged why: it is no formula, the same as another, or explained."""
    code = Path(file).read_text(encoding="utf-8")
    tree = ast.parse(code)
    spans = [((p.lineno, p.col_offset), (p.end_lineno or 0, p.end_col_offset or 0)) for p in no_formulas(tree)]
    seen = {ast.dump(tree)}
    for item in sorted(db.pending_work_items, key=lambda item: item.mutations[0].operator_name):
        (mutation,) = item.mutations
        text, why = text_of(mutation), ""
        try:
            meaning = ast.dump(ast.parse(text))
        except SyntaxError:
            meaning = ast.dump(tree)
        if any(begin <= tuple(mutation.start_pos) < end for begin, end in spans):
            why = "no formula"
        elif meaning in seen:
            why = "the same"
        elif (file, mutation.definition_name or "", *map(str.strip, difference(code, text))) in explained:
            why = "explained"
        seen.add(meaning)
        if why:
            db.set_result(item.job_id, WorkResult(WorkerOutcome.SKIPPED, output=why))


def explanations() -> set[tuple[str, ...]]:
    """Return file, function and line, before and after, of the mutants that are known to change nothing."""
    entries: list[dict[str, str]] = json.loads((HERE / "explained.json").read_text(encoding="utf-8"))
    found: set[tuple[str, ...]] = set()
    for one in entries:
        function = one["function"].rpartition(".")[2]
        found.add((one["file"], function, one["was"].strip(), one["becomes"].strip()))
    return found


def judge(file: str, part: float) -> Counter[str]:
    """Judge a part of a file's mutants in the copy that is the current folder; return how many ended how."""
    config = load_config(str(HERE / "cosmic-ray.toml"))
    command = f"{config.test_command} {file}"
    digest = hashlib.sha256(
        b"".join(p.read_bytes() for p in (Path(file), *HERE.glob("*.*")) if p.is_file())
    ).hexdigest()
    session = ROOT / "build" / "mutants" / f"{Path(file).stem}-{digest[:12]}.sqlite"
    session.parent.mkdir(parents=True, exist_ok=True)
    with use_db(str(session)) as db:
        if not db.num_work_items:
            outcome, output = run_tests(command, config.timeout)
            if outcome is not TestOutcome.SURVIVED:
                raise SystemExit(f"the judges refuse the library as it is: {output[-500:]}")
            init([Path(file)], db, config.operators_config)
            OperatorsFilter().filter(db, argparse.Namespace(config=str(HERE / "cosmic-ray.toml")))
            sort_out(db, file, explanations())
        judged = [pair for pair in db.completed_work_items if pair[1].worker_outcome is not WorkerOutcome.SKIPPED]
        waiting = sorted(
            db.pending_work_items, key=lambda item: hashlib.sha256(str(item.mutations[0]).encode()).digest()
        )
        left = max(0, round(part * (len(judged) + len(waiting))) - len(judged))
        for done, item in enumerate(waiting[:left], 1):
            db.set_result(item.job_id, mutate_and_test(item.mutations, command, config.timeout))
            print(f"{file}: {done} of {left}", flush=True)
        ends: Counter[str] = Counter({"waiting": len(waiting) - left})
        for _, result in db.completed_work_items:
            ends[end_of(result)] += 1
        for _, result in db.completed_work_items:
            if end_of(result) == "open":
                print(f"open: {result.diff}")
    ends["made"] = sum(ends[name] for name in COLUMNS)
    return ends


def end_of(result: WorkResult) -> str:
    """Return what became of a mutant: "claim", "cell" or "test", whoever noticed it, "explained", "open" or empty."""
    if result.worker_outcome is WorkerOutcome.SKIPPED:
        return "explained" if result.output == "explained" else ""
    if result.test_outcome is TestOutcome.SURVIVED:
        return "open"
    said = (result.output or "").strip().splitlines()
    kind = said[-1].partition(" ")[0] if said else ""
    return kind if kind in ("claim", "cell") else "test"


def write_row(file: str, ends: Counter[str]) -> None:
    """Put the row of a file into `results.md`, in its place or at the end."""
    path = HERE / "results.md"
    lines = path.read_text(encoding="utf-8").splitlines()
    row = f"| {file} | {' | '.join(str(ends[name]) for name in COLUMNS[:-1])} |"
    rows = {line.split("|")[1].strip(): line for line in lines if line.startswith("| lessons_lib/")}
    rows[file] = row
    head = [line for line in lines if not line.startswith("| lessons_lib/")]
    path.write_text("\n".join([*head, *(rows[name] for name in sorted(rows))]) + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 1 where a mutant is open."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description="Change a symbol; see who notices.")
    parser.add_argument("files", nargs="*", metavar="FILE", help="as symbolic/so3; all that derive if left out")
    parser.add_argument("--part", type=float, default=1.0, help="how much of each file, above 0 and at most 1")
    options = parser.parse_args(arguments)
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    open_ones = 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy_into(Path(folder))
        os.environ["PYTHONPATH"] = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
        for name in options.files or files():
            file = f"lessons_lib/{name}.py"
            with chdir(folder):
                ends = judge(file, options.part)
            print(f"{file}: {', '.join(f'{ends[kind]} {kind}' for kind in COLUMNS)}")
            open_ones += ends["open"]
            if not ends["waiting"]:
                write_row(file, ends)
    return int(bool(open_ones))


if __name__ == "__main__":
    sys.exit(main())
