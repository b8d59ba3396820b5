"""Everything that runs in the four entries has an account, and what has none is found and said.

The book's build runs the entries, and fails where something has no account; its page is read here.
"""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "book" / "_ext")]
from provenance.accounts import claims_about, described, file_of, table  # noqa: E402
from provenance.entries import ENTRIES  # noqa: E402
from provenance.runs import Function, Running  # noqa: E402

KERNEL = Function("exp_kernel", "lie", "R = exp [ω].", "def exp_kernel(omega, R):", ("so3.exp",), "3f2a9c81d0e4")


@dataclass(frozen=True)
class Row:
    """A row of the tables of the page, which a build of the book finds by running the entries."""

    names: set[str]
    entries: set[str]


@pytest.fixture(scope="module")
def rows(built_book: Path) -> list[Row]:
    page = BeautifulSoup((built_book / "book" / "provenance.html").read_text("utf-8"), "html.parser")
    found = []
    for row in page.select("table.provenance-table tbody tr"):
        last = row.select("td")[-1]
        entries = {code.get_text() for code in last.select("code")} or set(ENTRIES)
        found.append(Row({code.get_text() for code in row.select("code")} - entries, entries))
    return found


def faults_of(*functions: Function, files: tuple[str, ...] = (), strangers: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What is said of an entry in which these run, beside a kernel that is in order."""
    return table({"solve": Running((KERNEL, *functions), files, strangers)}).faults


def test_the_entries_run_what_they_are_known_to_run(rows: list[Row]) -> None:
    entries = {name: row.entries for row in reversed(rows) for name in row.names}
    assert entries["damped_step"] == entries["error_twist"] == {"solve", "solve_batch", "trace"}
    assert entries["log_position_kernel"] == {"solve_ik"} < set(ENTRIES)
    for file, name in (
        ("lie/logarithm.py", "near_pi"),
        ("pose_ik/compiled_lanes.py", "check_convergence"),  # a loop over lanes of another module
        ("robots/tree_loops.py", "update_tree"),
    ):
        assert [row for row in rows if {file, name} <= row.names], f"{name} of {file}"
    prepared = [row.entries for row in rows if row.names == {"pose_ik/prepared_problem.py"}]
    assert prepared == [{"solve", "solve_batch", "trace"}]


def test_what_the_solver_stands_on_is_claimed_in_a_lesson(rows: list[Row]) -> None:
    runs, claims = set[str]().union(*(row.names for row in rows)), claims_about()
    for formula, number in (
        ("so3.log", "2.15"),
        ("se3.log", "3.17"),
        ("se3.between", "8.5"),
        ("damped_step.eliminate", "10.12"),
        ("damped_step.derive", "10.11"),
    ):
        assert formula in runs and number in claims[formula]
    for formula in ("tip_to_base.derive", "se3.adjoint", "se3.left_jacobian_inverse"):
        assert formula in runs and claims[formula]


def test_nothing_else_of_a_loaded_module_is_said_to_run(rows: list[Row]) -> None:
    """The module of the SE(3) kit holds hat_so3_kernel, too, which no solver calls."""
    assert [row for row in rows if row.names & {"hat_so3_kernel", "exp_so3_kernel"}] == []


def test_a_kernel_in_order_has_no_fault() -> None:
    assert faults_of() == ()


def test_a_function_without_an_account_is_told_what_to_do() -> None:
    (fault,) = faults_of(Function("mystery", "lie", "", "def mystery(w):\n    w[0] = 42.0", (), ""))
    assert fault.startswith("mystery of the generated module 'lie' has no account")
    assert "Kernel.by" in fault


def test_a_formula_that_is_not_there_or_that_nobody_has_looked_at_is_a_fault() -> None:
    nameless = replace(KERNEL, name="other", formulas=("so3.expo",))
    assert "so3.expo is named as a formula, and there is none of that name in symbolic/" in faults_of(nameless)
    assert any("no claim is about it" in fault for fault in faults_of(nameless))


def test_a_file_of_text_says_why_it_is_by_hand_and_which_test_holds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "lessons_lib" / "lie" / "logarithm.py").read_text("utf-8")
    near_pi = Function("near_pi", "lie", "", text[text.index("def near_pi") : text.index("def log_se3")])
    home = file_of(near_pi)
    assert home is not None and home.path == "lie/logarithm.py"
    assert faults_of(near_pi) == ()
    for missing, said in (
        (replace(home, reason=""), "end its docstring with"),
        (replace(home, tests=()), "end its docstring with"),
        (replace(home, tests=("tests/lie/test_none.py",)), "where there is no test"),
    ):
        monkeypatch.setattr("provenance.accounts.file_of", lambda function, missing=missing: missing)
        (fault,) = faults_of(near_pi)
        assert said in fault and "lessons_lib/lie/logarithm.py" in fault


def test_of_two_files_that_define_a_name_the_one_with_the_text_is_meant() -> None:
    paths = "pose_ik/search.py", "pose_ik/compiled_lanes.py"
    for path in paths:
        text = (ROOT / "lessons_lib" / path).read_text("utf-8")
        written = text[text.index("def solve_rows(") :].split("\n\n\n")[0]
        home = file_of(Function("solve_rows", "trace", "", written))
        assert home is not None and home.path == path


def test_a_function_of_lambdify_is_a_fault() -> None:
    (fault,) = faults_of(strangers=("_lambdifygenerated",))
    assert fault == "solve runs _lambdifygenerated, which SymPy's lambdify has made: generate it with a Kernel instead"


def test_a_file_without_a_docstring_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = replace(described("pose_ik/one_pose.py"), says="")
    monkeypatch.setattr("provenance.accounts.described", lambda path: silent)
    assert faults_of(files=("pose_ik/one_pose.py",)) == (
        "lessons_lib/pose_ik/one_pose.py runs, and has no docstring to say what for",
    )


def test_functions_that_differ_in_a_number_or_in_the_method_are_one_row() -> None:
    step = Function("damped_step", "lanes", "d.", "", ("damped_step.derive",), "0123456789ab")
    other = replace(step, formulas=("damped_step.derive", "se3.adjoint"), digest="ba9876543210")
    c_2, c_3 = (Function(f"stumpff_{n}", "lie", "c_n.", "", ("stumpff_functions.series",)) for n in (2, 3))
    rows = table({"solve": Running((step, c_2)), "trace": Running((other, c_3))})
    of_step, of_stumpff = sorted(rows.derived, key=lambda row: row.name)
    assert [formula.name for formula in of_step.formulas] == ["damped_step.derive", "se3.adjoint"]
    assert (of_step.digests, of_step.entries) == (("0123456789ab", "ba9876543210"), ("solve", "trace"))
    assert (of_stumpff.name, of_stumpff.digests) == ("stumpff_n", ())
