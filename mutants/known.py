"""Which files are mutated, and what is known of their mutants: in results/, and of a run that was ended in build/.

An answer holds as long as what it hangs on is the same: of the library as it is, who runs which line; of each mutant,
what became of it.
"""

from __future__ import annotations

import ast
import hashlib
import json
import pickle
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from mutants import lessons
from mutants.copies import ROOT
from mutants.mutant import Mutant, key_of

WORK = ROOT / "build" / "mutants"
RESULTS = ROOT / "mutants" / "results" / "mutants.json"
JUDGING = "claims layout proof ratios sums terms vocabulary".split()
"""The files of symbolic/ that state, prove and print claims. They judge the others, and derive nothing that runs."""

CODEGEN = "expressions javascript_target kernel lanes numba_target numpy_target printers select vectors".split()
"""The files of codegen/ that make code of formulas; the others keep and load it."""


def files() -> list[str]:
    """Return the files that are mutated when none is named."""
    derivations = sorted(p.stem for p in (ROOT / "lessons_lib" / "symbolic").glob("*.py"))
    chosen = [f"symbolic/{name}" for name in derivations if name not in (*JUDGING, "__init__")]
    return [f"lessons_lib/{name}.py" for name in [*chosen, *(f"codegen/{name}" for name in CODEGEN)]]


def mutants_in(file: str) -> list[Mutant]:
    """Return the mutants of a file, which are made once."""
    from mutants.made import mutants_of  # who takes up what is known, and makes none, needs no Cosmic Ray

    makers = [ROOT / file, *(ROOT / "mutants" / f"{name}.py" for name in ("made", "operators"))]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in makers)).hexdigest()[:12]
    path = WORK / f"{Path(file).stem}-{digest}.pickle"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".new").write_bytes(pickle.dumps(mutants_of(ROOT, file)))
        path.with_suffix(".new").rename(path)
    found: list[Mutant] = pickle.loads(path.read_bytes())
    return found


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
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


def state_of(question: tuple[str, str]) -> str:
    """Return a hash of what a judge's answer about the library as it is hangs on."""
    kind, name = question
    if kind == "claim":
        (path,) = (ROOT / "notebooks").glob(f"{int(name.split('.')[0]):02}_*.ipynb")
        judge = ast.dump(ast.Module(lessons.programs(path)[name], []))
    else:
        judge = (ROOT / ("mutants/solves.py" if kind == "solves" else name)).read_text(encoding="utf-8")
    return hashlib.sha256(f"{kind}\0{name}\0{judge}\0{_sources()}".encode()).hexdigest()


def answers_about(mutants: Iterable[Mutant]) -> dict[Mutant, dict[str, Any]]:
    """Return what is known of some mutants: of each that was judged when its file was what it is."""
    at = {(m.file, m.key, text_of(m.file)): m for m in mutants}
    found = {}
    for entry in (*stored(RESULTS), *lines_of(WORK / "judged.jsonl")):
        mutant = at.get((entry["file"], entry["key"], entry["text"]))
        if mutant:
            found[mutant] = entry["answer"]
    return found


def noticed_before(mutants: Iterable[Mutant]) -> dict[Mutant, tuple[str, str]]:
    """Return who noticed some mutants when the rest of their file was another: "claim" or "test", and its name."""
    at = {(m.file, m.key): m for m in mutants}
    found = {}
    for entry in (*stored(RESULTS), *lines_of(WORK / "judged.jsonl")):
        mutant, caught = at.get((entry["file"], entry["key"])), entry["answer"]["caught"]
        if mutant and caught in ("claim", "cell", "test"):
            found[mutant] = ("test" if caught == "test" else "claim", entry["answer"]["by"])
    return found


def stored_files() -> list[str]:
    """Return the files whose mutants the results tell of."""
    return [row["file"] for row in json.loads(RESULTS.read_text(encoding="utf-8"))["files"] if row["file"] != "all"]


def stored(path: Path) -> Iterator[dict[str, Any]]:
    """Yield what the last run to its end has left of each mutant; who noticed nothing is not kept."""
    results = json.loads(path.read_text(encoding="utf-8"))
    texts = {row["file"]: row.get("text", "") for row in results["files"]}
    for row in results["mutants"]:
        key = key_of(row["file"], row["function"], row["was"], row["becomes"])
        answer = {name: row[name] for name in ("caught", "by", "why", "solves", "stage", "how", "met")}
        yield {
            "file": row["file"],
            "key": key,
            "text": texts[row["file"]],
            "answer": answer | {"passed": [], "left": 0},
        }


def keep(mutant: Mutant, answer: dict[str, Any]) -> None:
    """Write down what became of a mutant."""
    entry = {"file": mutant.file, "key": mutant.key, "text": text_of(mutant.file)}
    write_down(WORK / "judged.jsonl", entry | {"answer": answer})


@lru_cache(maxsize=64)
def text_of(file: str) -> str:
    """Return a hash of a file that is mutated."""
    return hashlib.sha256((ROOT / file).read_bytes()).hexdigest()[:12]
