"""The command line, run as a stranger runs it: its words, its streams and its exit status."""

import csv
import json
import os
import pty
import re
import subprocess
import sys
import termios
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from lessons_lib import __version__, cli, lie, robots
from lessons_lib.pose_ik.ahead import METHODS

HOME = robots.ur10().forward_kinematics([0.3, -1.2, 1.5, -1.9, -1.2, 0.4])
REACHABLE = [*HOME[:3, 3], *lie.log_so3(HOME[:3, :3])]


def lessons(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lessons_lib", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=900)


def without_notices(stderr: str) -> list[str]:
    """Return the lines on stderr but for those that tell of a compilation: there is one where the cache is cold."""
    return [line for line in stderr.splitlines() if not line.startswith("lessons_lib: compiling ")]


def test_the_console_script_and_the_module_are_one_program() -> None:
    script = Path(sys.executable).with_name("lessons")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, timeout=900)
    assert done.stdout == lessons("--version").stdout == f"lessons {__version__}\n"


def test_help_states_the_units_and_the_exit_status() -> None:
    text = " ".join(lessons("--help").stdout.split())
    assert "0 solved (or compared, or compiled), 1 not solved, 2 bad input" in text
    text = " ".join(lessons("solve", "--help").stdout.split())
    assert "position in m and rotation vector in rad; or 16 numbers, the 4x4 matrix row by row" in text


def test_compare_prints_the_table_and_nothing_else() -> None:
    done = lessons("compare", "example-6.1", "--poses", 5)
    assert (done.returncode, without_notices(done.stderr)) == (0, [])
    assert done.stdout.startswith("example-6.1: planar 2R, 5 random reachable poses")
    assert "\nnewton " in done.stdout


def test_compare_ur10_says_how_long_newtons_first_step_is() -> None:
    done = lessons("compare", "ur10", "--poses", 5)
    assert done.returncode == 0
    (line,) = [line.split() for line in done.stdout.splitlines() if line.startswith("newton ")]
    assert line[2] == "14.25"


def test_csv_and_json_are_all_that_is_on_stdout() -> None:
    table = list(csv.DictReader(StringIO(lessons("compare", "example-6.1", "--poses", 5, "--csv").stdout)))
    document = json.loads(lessons("compare", "example-6.1", "--poses", 5, "--json").stdout)
    assert [row["method"] for row in table] == [row["method"] for row in document["rows"]]
    assert table[0]["known_steps"] == "3"


def test_a_solved_pose_is_one_that_the_arm_reaches() -> None:
    done = lessons("solve", "ur10", "--target", *REACHABLE, "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, done.stderr, result["converged"]) == (0, "", True)
    reached = robots.ur10().forward_kinematics(result["q"])
    assert np.abs(reached - HOME).max() < 3e-6  # the solver's 1e-6 rad and m, on a matrix of metres


def test_the_target_may_be_a_matrix_and_numbers_may_have_exponents() -> None:
    matrix = [f"{value:.12e}" for value in HOME.ravel()]
    done = lessons("solve", "ur10", "--target", *matrix, "--start", *["-1e-1"] * 6, "--method", "constant")
    assert done.returncode == 0
    assert done.stdout.startswith("The pose is reached")
    assert "shoulder pan" in done.stdout


def test_a_pose_out_of_reach_is_not_solved_and_says_why() -> None:
    done = lessons("solve", "planar-2r", "--target", 5, 0, 0, 0, 0, 0)
    assert (done.returncode, done.stderr) == (1, "")
    assert "farther away than the stretched arm can reach" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve", "ur10", "--target", 1, 2, 3], "--target has 3 numbers; give 6 (x y z rx ry rz, m and rad) or 16"),
        (["solve", "ur10", "--target", "nan", 0, 0, 0, 0, 0], "--target is nan 0.0 0.0 0.0 0.0 0.0; each of its"),
        (["solve", "ur10", "--target", 0, 0, 0, 0, 0, "nan"], "--target is 0.0 0.0 0.0 0.0 0.0 nan; each of its"),
        (["solve", "ur10", "--target", *["inf"] * 16], "--target is inf inf"),
        (["solve", "ur10", "--target", *range(16)], "target: the last row must be [0, 0, 0, 1]"),
        (["solve", "ur10", "--target", 2, *[0] * 4, 1, *[0] * 4, 1, 0, 0, 0, 0, 1], "is not a rotation"),
        (["solve", "ur10", "--target", *[0] * 6, "--start", 0, 0], "q of UR10 must have shape (6,), got (2,)"),
        (["solve", "ur10", "--target", *[0] * 6, "--start", 7, *[0] * 5], "'shoulder pan' of UR10 is at 7"),
        (["solve", "ur10", "--target", *[0] * 6, "--method", "simplex"], "unknown method 'simplex'; valid are newton"),
        (["solve", "ur10", "--target", *[0] * 6, "--damping", -1], "Chan.damping is -1.0; it is finite, zero or more"),
        (["solve", "ur10", "--target", *[0] * 6, "--weights", *[0] * 6], "weights are all zero"),
        (["solve", "ur10"], "the following arguments are required: --target"),
        (["solve", "puma", "--target", *[0] * 6], "invalid choice: 'puma' (choose from"),
        (["compare", "ur5"], "invalid choice: 'ur5' (choose from"),
        (["compare", "ur10", "--poses", 0], "--poses is 0; it is a whole number from 1 to 100,000"),
        (["compare", "ur10", "--seed", -1], "--seed is -1; a seed is a whole number, zero or more"),
        (["compare", "ur10", "--csv", "--json"], "not allowed with argument --csv"),
        ([], "the following arguments are required: COMMAND"),
    ],
)
def test_bad_input_is_one_clear_sentence_on_stderr(words: list[object], message: str) -> None:
    done = lessons(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bar_moves_on_stderr_where_somebody_looks() -> None:
    screen, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    os.set_blocking(screen, False)
    command = [sys.executable, "-m", "lessons_lib", "compare", "example-6.1", "--poses", "3", "--csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, text=True) as process:
        stdout, _ = process.communicate(timeout=900)
    shown = os.read(screen, 65536).decode()
    os.close(terminal)
    os.close(screen)
    assert "methods" in shown and "/11" in shown
    assert stdout.startswith("method,known_steps")


def test_a_reader_that_stops_early_is_no_error() -> None:
    command = f"{sys.executable} -m lessons_lib compare example-6.1 --poses 5 | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=900)
    assert without_notices(done.stderr) == [] and done.stdout.splitlines()[-1] in ("0", "141")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
def test_nowhere_to_write_is_said_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "lessons_lib", "solve", "ur10", "--target", *map(str, REACHABLE)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=900)
    assert done.returncode == 2 and done.stderr.startswith("lessons: cannot write: ") and done.stderr.count("\n") == 1


def test_json_stays_json_where_an_error_is_infinite() -> None:
    done = lessons("solve", "ur10", "--target", 1e200, 0, 0, 0, 0, 0, "--json")
    found = json.loads(done.stdout, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert done.returncode == 1 and found["position_error"] is None and found["status"] == "UNREACHABLE"


def test_warm_compiles_all_that_a_robot_will_need_and_says_so_on_stderr(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the methods one is taken; tests/robots/test_ahead.py looks at what is made for the others."""
    for words in list(METHODS)[1:]:
        monkeypatch.delitem(METHODS, words)
    assert cli.main(["warm", "planar-2r"]) == 0
    said = capsys.readouterr()
    lines = said.err.splitlines()
    assert said.out == ""
    assert re.fullmatch(r"lessons: planar 2R: its pose \(1 of (\d+)\)", lines[0])
    assert all(line.startswith("lessons: planar 2R: ") for line in lines), "no notice besides"
    assert lines[-1].startswith("lessons: planar 2R: ready after ")
    assert len(lines) == int(lines[0].split()[-1].rstrip(")")) + 1


def test_warm_knows_its_robots() -> None:
    done = lessons("warm", "r2d2")
    assert done.returncode == 2
    assert "r2d2" in done.stderr and "planar-2r" in done.stderr
