"""Run the claims of the lessons, then the tests, on the library in the current folder: Cosmic Ray's test command.

The first failure stops the run with status 1 and the last line "claim 2.9: …", "cell 2.9: …" (the cell fails before its
claim is judged) or "test NAME: …". Claims and tests near the mutated file run first.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "book" / "_ext")]
from claim_programs import program  # noqa: E402

CARRIED = ("lessons_lib", "notebooks", "tests", "tools", "book", "exercises", "classroom")
TESTS = """tests/claims/test_*.py tests/symbolic/test_*.py tests/codegen/test_provenance.py tests/codegen/test_kernel.py
    tests/codegen/test_printers.py tests/codegen/test_vectors.py tests/codegen/test_printing_over_lanes.py
    tests/codegen/test_sine_cosine_pairs.py tests/lie/test_exp_and_log.py tests/lie/test_motion_jacobians.py
    tests/pose_ik/test_lane_kernels.py tests/robots/test_arm_angle.py tests/robots/test_closed_form.py
    tests/robots/test_kernel_check.py tests/robots/test_kinematics.py tests/trajectories/test_time_scaling.py""".split()
"""The tests of the derivations, of the code's making, and of what is made."""


def copy_into(folder: Path) -> None:
    """Copy what the judges need of the repository."""
    unwanted = shutil.ignore_patterns("_build", ".ipynb_checkpoints", "__pycache__", "built")
    for name in filter(lambda name: (ROOT / name).exists(), CARRIED):
        shutil.copytree(ROOT / name, folder / name, ignore=unwanted)
    for path in filter(Path.is_file, ROOT.iterdir()):
        shutil.copy2(path, folder / path.name)


def programs(notebook: Path) -> dict[str, list[ast.stmt]]:
    """Return the program of each statement that makes claims, by its first claim's number: it, and what it needs."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    parsed = [ast.parse("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
    lines = [line for cell in parsed for line in cell.body]
    texts = [f"{ast.unparse(line)}\n# {place}" for place, line in enumerate(lines)]  # no two alike
    found = {}
    for place, line in enumerate(lines):
        number = first_claim(line)
        if number:
            found[number] = ast.parse(f"{program(texts, place)}\n{texts[place]}").body
    return found


def first_claim(statement: ast.stmt) -> str:
    """Return the number of the first claim that a statement makes; empty where it makes none."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "claim":
            return str(ast.literal_eval(node.args[0]))
    return ""


def claims(file: str = "") -> tuple[dict[str, list[ast.stmt]], dict[str, list[ast.stmt]]]:
    """Return the programs of the claims that name something of a file, and those of the others, short ones first."""
    found = [pair for path in sorted(Path("notebooks").glob("*.ipynb")) for pair in programs(path).items()]
    found.sort(key=lambda pair: len(pair[1]))
    known = names_of(file) if file else set()
    near = {number: body for number, body in found if not known.isdisjoint(names_in(body))}
    return near, {number: body for number, body in found if number not in near}


def first_refusal(programs: dict[str, list[ast.stmt]]) -> str:
    """Return which is the first claim that is not proven, and why; empty where all are."""
    os.chdir("notebooks")
    try:
        for number, body in programs.items():
            try:
                exec(compile(ast.Module(body, []), number, "exec"), {"__name__": "lesson"})
            except Exception as error:  # noqa: BLE001 (whatever refuses the claim)
                kind = "claim" if type(error).__name__ == "ClaimError" else "cell"
                return f"{kind} {number}: {type(error).__name__}: {' '.join(str(error).split())[:200]}"
    finally:
        os.chdir("..")
    return ""


def names_of(file: str) -> set[str]:
    """Return the names that a module gives to others, and its own."""
    body = ast.parse(Path(file).read_text(encoding="utf-8")).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)} | {Path(file).stem}


def names_in(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the names and attributes that a program uses."""
    for node in (node for statement in body for node in ast.walk(statement)):
        if isinstance(node, ast.Name | ast.Attribute):
            yield node.id if isinstance(node, ast.Name) else node.attr


def first_failure(tests: list[str]) -> str:
    """Return the first of some tests that fails; empty where all pass, or there are none."""
    import pytest

    if not tests:
        return ""

    failed: list[str] = []

    class Failures:
        def pytest_runtest_logreport(self, report: Any) -> None:
            failed.extend([report.nodeid] if report.failed else [])

    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:nbval", "-p", "no:xdist", "--hypothesis-seed=0"]
    code = pytest.main([*options, *tests], plugins=[Failures()])
    return f"test {[*failed, tests[0]][0]}: pytest ended with {int(code)}" if code else ""


def first_of_all(file: str) -> str:
    """Return who is the first to notice something, claims before tests, those near the file before the others."""
    near, others = claims(file)
    tests = [str(path) for pattern in TESTS for path in sorted(Path().glob(pattern))]
    about = [test for test in tests if Path(file).stem in test]
    return (
        first_refusal(near)
        or first_failure(about)
        or first_refusal(others)
        or first_failure([test for test in tests if test not in about])
    )


def main() -> int:
    """Ask, print who noticed something, and return 1 where somebody did."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants.judge", description=__doc__)
    parser.add_argument("file", nargs="?", default="", help="what was changed, as lessons_lib/symbolic/so3.py")
    parser.add_argument("--claims", nargs="*", default=[], help="numbers of the only claims to be asked")
    parser.add_argument("--tests", nargs="*", default=[], help="the only tests to be asked")
    options = parser.parse_args()
    os.environ["MPLBACKEND"] = "agg"
    with tempfile.TemporaryDirectory() as cache:
        os.environ["LESSONS_CACHE_DIR"] = cache
        import lessons_lib

        if not Path(lessons_lib.__file__).is_relative_to(Path.cwd()):
            raise SystemExit(f"{lessons_lib.__file__} is not the library that lies here")
        if options.claims or options.tests:
            every = claims()[1]
            found = first_refusal({number: every[number] for number in options.claims})
            found = found or first_failure(options.tests)
        else:
            found = first_of_all(options.file)
    print(found)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
