"""A student's code against the checks of exercise 02, in its own process: no attack gets a point.

exercises/test_grading.py repeats a few of them through nbgrader.
"""

import os
import signal
import time
from pathlib import Path

import nbformat
import numpy as np
import psutil
import pytest
from attacks import CELLS, SOLUTION, WITH_FILES, WITHOUT_FILES, ZEROS

from classroom.grading import cleanup, confine, sandbox, student_proxy
from classroom.grading.formula import formula_of, tree_of
from classroom.grading.student_proxy import NotChecked, StudentProxy
from classroom.grading.submission import about, cell_role, functions_in, is_solution, visible_source

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader and the packages below it warn of their own future

ROOT = Path(__file__).resolve().parents[2]
ABOVE = "import numpy as np\n\n\n" + CELLS[0].source.partition("\n\n\n")[2]
"""The exercise's first cell without what it imports for the second task."""


@pytest.fixture(scope="module")
def checks():
    """The exercise's own cells, run once in this process."""
    space = {"__name__": "exercise"}
    for cell in CELLS:
        if about(cell).get("grade_id") == "check_between":
            return space
        if cell_role(cell) == "ours":
            exec(cell.source, space)
    raise AssertionError


@pytest.fixture
def hand():
    kept = confine.limit_memory
    confine.limit_memory = lambda _: None  # not this process
    found = StudentProxy(memory=512, timeout=2.0)
    confine.limit_memory = kept
    found.prepare(ABOVE)
    yield found
    found.stop()


def count_passes(hand, checks, cell):
    """Return how many of the first two checks pass, and their errors."""
    feedback = []
    try:
        hand.run(cell)
    except Exception as problem:  # noqa: BLE001
        feedback.append(f"{type(problem).__name__}: {problem}")
    checks["rotation_log"] = hand.function("rotation_log")
    graded = [one.source for one in CELLS if cell_role(one) == "check"][:2]
    points = 0
    for source in graded:
        hand.begin()
        try:
            exec(source, checks)
            points += 1
        except (Exception, NotChecked) as problem:  # noqa: BLE001
            feedback.append(f"{type(problem).__name__}: {problem}")
    return points, feedback


def test_the_solution_passes(hand, checks):
    assert count_passes(hand, checks, SOLUTION) == (2, [])


@pytest.mark.check
@pytest.mark.parametrize("name", WITHOUT_FILES)
def test_no_trick_gets_a_point(hand, checks, name):
    points, feedback = count_passes(hand, checks, WITHOUT_FILES[name])
    assert points == 0 and all(feedback)


@pytest.mark.check
@pytest.mark.parametrize("with_bubblewrap", [True, False], ids=["as it is here", "without Bubblewrap"])
@pytest.mark.parametrize("name", WITH_FILES)
def test_files_of_others_are_out_of_reach(hand, checks, name, with_bubblewrap, tmp_path, monkeypatch):
    import sqlite3

    if not with_bubblewrap:
        hand.stop()
        monkeypatch.setattr(sandbox, "bubblewrap_command", tuple)
        hand.begin()
    if not sandbox.bubblewrap_command() and not (confine.landlock() and confine.seccomp()):
        return  # nothing is promised there, and that is said
    monkeypatch.setenv("LESSONS_COURSE", str(tmp_path))
    solution, marks, book = (tmp_path / name for name in ("solution.py", "marks", "gradebook.db"))
    solution.write_text(SOLUTION, encoding="utf8")
    marks.write_text("0", encoding="ascii")
    with sqlite3.connect(book) as opened:
        opened.execute("create table t (text)")
        opened.execute("insert into t values (?)", (SOLUTION,))
    opened.close()
    names = f"SOLUTION, MARKS, BOOK, CHECKS = {str(solution)!r}, {str(marks)!r}, {str(book)!r}, {os.getpid()}\n"
    assert count_passes(hand, checks, names + WITH_FILES[name])[0] == 0
    assert marks.read_text(encoding="ascii") == "0"
    assert not (sandbox.cache_folder() / "evil.py").exists()


def test_after_a_function_that_does_not_end_the_next_check_runs(hand, checks):
    def interrupt(*_):
        raise KeyboardInterrupt

    kept = signal.signal(signal.SIGALRM, interrupt)
    hand.run(SOLUTION.replace("    w = skew", "    while R[0, 0] == 7:\n        pass\n    w = skew"))
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    with pytest.raises(KeyboardInterrupt):
        hand.call("rotation_log", (np.full((3, 3), 7.0),), {})
    signal.signal(signal.SIGALRM, kept)
    hand.begin()
    assert np.array_equal(hand.call("rotation_log", (np.eye(3),), {}), np.zeros(3))


def test_a_cell_that_stops_after_its_function_hides_nothing(hand, checks):
    points, feedback = count_passes(hand, checks, f"{ZEROS}\n1 / 0")
    assert points == 0 and feedback[0] == "ZeroDivisionError: division by zero (line 4)"
    assert "your function returned [0., 0., 0.]" in feedback[1]
    hand.stop()
    assert hand.call("rotation_log", (np.eye(3),), {}).shape == (3,), "nor in a process that takes the place of one"


def test_changes_of_arguments_and_printed_output_are_passed_on(hand, capsys):
    hand.run("%matplotlib inline\ndef f(a, b, *, c):\n    print('hi')\n    a[0], b[1] = 7, 'x'\n    return c, a.T[0]")
    a, b = np.zeros((2, 2)), [1, 2, (3, [4])]
    answer = hand.call("f", (a, b), {"c": np.float32(0.1)})
    assert a.tolist() == [[7, 7], [0, 0]] and b == [1, "x", (3, [4])]
    assert isinstance(answer[0], np.float32) and answer[1].tolist() == [7, 0]
    assert capsys.readouterr().out == "hi\n"


def test_remote_objects_allow_only_the_listed_names(hand):
    class Counting:
        secret, name, dof = "the answer", "arm", 3

        def forward_kinematics(self, q):
            raise ValueError(f"no {q}")

    hand.run(
        "def f(arm, g):\n"
        "    try:\n        arm.forward_kinematics(2)\n    except ValueError as error:\n        said = str(error)\n"
        "    return arm.name, said, hasattr(arm, 'secret'), g(arm)"
    )
    arm = Counting()
    assert hand.call("f", (arm, lambda given: given is arm), {}) == ("arm", "no 2", False, True)
    assert hand.ask("cell", "None")[0] == "done"
    with pytest.raises(AttributeError):
        hand.serve(["get", 0, "secret", [], {}])


@pytest.mark.check
@pytest.mark.parametrize("number", ["06", "07", "10", "11", "12", "13", "17"])
def test_objects_that_an_exercise_passes_reach_its_solutions(hand, number):
    """Those whose checks hand over machines, printers, formulas, arms that count, and records."""
    hand.timeout = 300.0  # all checks in one count
    (path,) = ROOT.glob(f"exercises/{number}_*/*.ipynb")
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    space = {"__name__": "__main__"}
    for at, cell in enumerate(cells):
        if is_solution(cell):
            space |= {name: hand.function(name) for name in functions_in(cell.source)}
            hand.run(cell.source)
        else:
            exec(cell.source, space)
            if cell_role(cell) == "ours" and any(map(is_solution, cells[at:])):
                hand.prepare(visible_source(cell.source))


def test_the_text_of_a_rule_is_read_and_never_run(hand, tmp_path):
    path = ROOT / "exercises" / "07_code_generation" / "07_code_generation.ipynb"
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    text = f"[open({str(tmp_path / 'run')!r}, 'w'), x*x][1]"
    hand.prepare(cells[0].source)
    hand.run(f"def product_rule(printer, power):\n    return {text!r}")
    space = {"__name__": "exercise", "product_rule": hand.function("product_rule")}
    for cell in cells[:3]:
        if cell_role(cell) == "ours":
            exec(cell.source, space)
    check = next(cell for cell in cells if cell_role(cell) == "check")
    with pytest.raises(AssertionError, match="contains more than"):
        exec(check.source, space)
    assert not (tmp_path / "run").exists()


def test_a_formula_crosses_as_it_is_and_no_other_head_does():
    import sympy as sp

    x, n = sp.Symbol("x", positive=True), sp.Symbol("n", integer=True, positive=True)
    J = sp.MatrixSymbol("J", 6, n)
    piecewise = sp.Piecewise((x**2, x < 0.1), (sp.Max(0, 1 - x), True))
    for formula in (sp.sqrt((J * J.T).det()) / 3, piecewise, sp.sin(x) * sp.pi + J[0, 1]):
        assert formula_of(tree_of(formula)) == formula
    for tree in (
        ["Symbol", "__import__('os')", {}],
        ["Function", ["Symbol", "f", {}]],
        ["sympify", ["Symbol", "x", {}]],
        ["Symbol", "x", {"is_real": True}],
        ["Pow", ["Rational", 9, 1], ["Pow", ["Rational", 9, 1], ["Rational", 9, 1]]],
        "x",
    ):
        with pytest.raises(TypeError):
            formula_of(tree)
    with pytest.raises(TypeError, match="yours holds besselj"):
        tree_of(sp.besselj(0, x))


SPIN = "def spin(_):\n    while True:\n        pass\n\n\ndef right(x):\n    return x + 1\n"
WAIT = "import time\n\n\ndef spin(_):\n    while True:\n        time.sleep(1)\n\n\ndef right(x):\n    return x + 1\n"
LEAVES = """
import ctypes, os, threading, time

thread = threading.Thread(target=time.sleep, args=(1000,))
thread.start()
system = ctypes.CDLL(None, use_errno=True)
left = [system.shmget(KEY, 4096, 0o1666), system.msgget(KEY, 0o1666), system.semget(KEY, 1, 0o1666)]
left.append(system.prctl(1, 0, 0, 0, 0))
place = os.environ["TMPDIR"]
os.mkdir(place + "/shut", 0)
for _ in range(1500):
    os.mkdir("deep")
    os.chdir("deep")


def found():
    return left, os.getpid(), place
"""


@pytest.mark.parametrize("cell", [SPIN, WAIT], ids=["computes", "sleeps"])
def test_an_endless_answer_takes_no_time_from_another(cell, monkeypatch):
    monkeypatch.setattr(confine, "limit_memory", lambda _: None)  # not this process
    hand = StudentProxy(memory=512, timeout=0.5)
    hand.run(cell)
    for _ in range(2):
        hand.begin()
        for _ in range(2):
            with pytest.raises(Exception, match=r"computed or waited for 0\.\d* s in this cell"):
                hand.call("spin", (1,), {})
        hand.begin()
        assert hand.call("right", (1,), {}) == 2
    hand.stop()


def test_many_endless_cells_do_not_add_up(monkeypatch):
    monkeypatch.setattr(confine, "limit_memory", lambda _: None)
    monkeypatch.setattr(student_proxy, "LONGEST", 0.1)
    hand = StudentProxy(memory=512, timeout=0.5)
    for limit in ("in this cell", "in all cells together"):
        hand.begin()
        with pytest.raises(Exception, match=rf"computed or waited for 0\.\d s {limit}"):
            hand.run("while True:\n    pass")
    hand.stop()


def test_time_in_which_the_checks_work_is_not_the_students(monkeypatch):
    monkeypatch.setattr(confine, "limit_memory", lambda _: None)
    hand = StudentProxy(memory=512, timeout=0.5)
    hand.run("def ask(f):\n    return f()")
    hand.begin()
    assert hand.call("ask", (lambda: time.sleep(0.8) or 7,), {}) == 7
    hand.stop()


@pytest.mark.parametrize("with_bubblewrap", [True, False], ids=["as it is here", "without Bubblewrap"])
def test_a_submission_leaves_nothing_behind(with_bubblewrap, monkeypatch, tmp_path):
    monkeypatch.setattr(confine, "limit_memory", lambda _: None)
    monkeypatch.setenv(sandbox.PLACE, str(tmp_path))
    tmp_path.chmod(0o711)
    if not with_bubblewrap:
        monkeypatch.setattr(sandbox, "bubblewrap_command", tuple)
    hand = StudentProxy(memory=512)
    assert hand.process is not None
    started = psutil.Process(hand.process.pid)
    hand.run(f"KEY = {os.getpid()}\n{LEAVES}")
    left, _, place = hand.call("found", (), {})
    running = [started, *started.children(recursive=True)]
    hand.begin()
    assert hand.process.pid != started.pid, "a thread that a cell has left is not running in the next one"
    hand.stop()
    assert not list(filter(cleanup.is_alive, running))
    assert list(tmp_path.iterdir()) == []
    if confine.seccomp():
        assert left == [-1] * 4
    if not (with_bubblewrap and sandbox.bubblewrap_command()):
        assert Path(place).parent == tmp_path and not Path(place).exists()


def test_a_name_is_predefined_only_if_nothing_else_binds_it(hand):
    hand.define(["def helper():\n    return BASE + 1", "BASE = np.ones(1)", "sum = 3", "skew_part = 7", "x = y_z"])
    hand.run("def f():\n    return helper(), sum([1, 2]), callable(skew_part)")
    assert hand.call("f", (), {}) == (2.0, 3, True)
