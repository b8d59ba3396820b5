"""The command line, run as a stranger runs it: its words, its streams and its exit status."""

import argparse
import csv
import json
import os
import pty
import re
import subprocess
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lessons_lib import __version__, cli, extras, lie, robots, studies
from lessons_lib.cli import robot
from lessons_lib.course import live
from lessons_lib.pose_ik.precompile import KINDS
from lessons_lib.studies.study import Chunk, Part

HOME = robots.ur10().forward_kinematics([0.3, -1.2, 1.5, -1.9, -1.2, 0.4])
REACHABLE = [*HOME[:3, 3], *lie.log_so3(HOME[:3, :3])]


def lessons(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lessons_lib", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=900)


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the program in this process; return its exit status, and what is on stdout and stderr."""

    def ran(*words: object) -> tuple[int, str, str]:
        try:
            status = cli.main(list(map(str, words)))
        except SystemExit as end:
            status = int(str(end.code))
        said = capsys.readouterr()
        return status, said.out, said.err

    return ran


def without_notices(stderr: str) -> list[str]:
    """Return the lines on stderr but for those that tell of a compilation: there is one where the cache is cold."""
    return [line for line in stderr.splitlines() if not line.startswith("lessons_lib: compiling ")]


def test_the_console_script_and_the_module_are_one_program() -> None:
    script = Path(sys.executable).with_name("lessons")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, timeout=900)
    assert done.stdout == lessons("--version").stdout == f"lessons {__version__}\n"


def test_help_states_the_units_and_the_exit_status(run: Run) -> None:
    text = " ".join(run("--help")[1].split())
    assert "0 solved (or compared, or compiled), 1 not solved, 2 bad input" in text
    text = " ".join(run("solve", "--help")[1].split())
    assert "position in m and rotation vector in rad; 7 numbers x y z qx qy qz qw, position and unit" in text
    assert "with its real part last, as in ROS and Pinocchio; 16 numbers, the 4x4 matrix row by row" in text


def test_compare_prints_the_table_and_nothing_else() -> None:
    done = lessons("compare", "example-6.1", "--poses", 5)
    assert (done.returncode, without_notices(done.stderr)) == (0, [])
    assert done.stdout.startswith("example-6.1: planar 2R, 5 random reachable poses")
    assert "\nnewton " in done.stdout


def test_compare_ur10_says_how_long_newtons_first_step_is(run: Run) -> None:
    status, out, _ = run("compare", "ur10", "--poses", 5)
    assert status == 0
    (line,) = [line.split() for line in out.splitlines() if line.startswith("newton ")]
    assert line[2] == "14.25"


def test_csv_and_json_are_all_that_is_on_stdout(run: Run) -> None:
    table = list(csv.DictReader(StringIO(run("compare", "example-6.1", "--poses", 5, "--csv")[1])))
    document = json.loads(run("compare", "example-6.1", "--poses", 5, "--json")[1])
    assert [row["method"] for row in table] == [row["method"] for row in document["rows"]]
    assert table[0]["known_steps"] == "3"


def test_a_solved_pose_is_one_that_the_arm_reaches() -> None:
    done = lessons("solve", "ur10", "--target", *REACHABLE, "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, done.stderr, result["converged"]) == (0, "", True)
    reached = robots.ur10().forward_kinematics(result["q"])
    assert np.abs(reached - HOME).max() < 3e-6  # the solver's 1e-6 rad and m, on a matrix of metres


def test_the_target_may_be_a_matrix_and_numbers_may_have_exponents(run: Run) -> None:
    matrix = [f"{value:.12e}" for value in HOME.ravel()]
    status, out, _ = run("solve", "ur10", "--target", *matrix, "--start", *["-1e-1"] * 6, "--method", "constant")
    assert status == 0
    assert out.startswith("The pose is reached")
    assert "shoulder pan" in out


def test_seven_numbers_are_a_position_and_a_quaternion_with_its_real_part_last(run: Run) -> None:
    seven = [*HOME[:3, 3], *lie.so3_to_quaternion(HOME[:3, :3])]
    status, out, _ = run("solve", "ur10", "--json", "--target", *seven)
    reached = robots.ur10().forward_kinematics(json.loads(out)["q"])
    assert status == 0 and np.abs(reached - HOME).max() < 3e-6


def test_a_pose_out_of_reach_is_not_solved_and_says_why(run: Run) -> None:
    status, out, told = run("solve", "planar_2r", "--target", 5, 0, 0, 0, 0, 0)
    assert (status, without_notices(told)) == (1, [])
    assert "farther away than the stretched arm can reach" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve", "ur10", "--target", 1, 2, 3], "--target has 3 numbers; give 6 (x y z rx ry rz, m and rad), 7 (x"),
        (["solve", "ur10", "--target", 0, 0, 1, 0, 0, 0, 2], "has length 2; one of a rotation has length 1"),
        (["solve", "ur10", "--target", "nan", 0, 0, 0, 0, 0], "--target must be finite numbers, got nan 0.0"),
        (
            ["solve", "ur10", "--target", 0, 0, 0, 0, 0, "nan"],
            "--target must be finite numbers, got 0.0 0.0 0.0 0.0 0.0 nan",
        ),
        (["solve", "ur10", "--target", *["inf"] * 16], "--target must be finite numbers, got inf inf"),
        (["solve", "ur10", "--target", *range(16)], "target: the last row must be [0, 0, 0, 1]"),
        (["solve", "ur10", "--target", 2, *[0] * 4, 1, *[0] * 4, 1, 0, 0, 0, 0, 1], "is not a rotation"),
        (["solve", "ur10", "--target", *[0] * 6, "--start", 0, 0], "q of UR10 must have shape (6,), got (2,)"),
        (["solve", "ur10", "--target", *[0] * 6, "--start", 7, *[0] * 5], "'shoulder pan' of UR10 is at 7"),
        (["solve", "ur10", "--target", *[0] * 6, "--method", "simplex"], "unknown method 'simplex'; valid are newton"),
        (
            ["solve", "ur10", "--target", *[0] * 6, "--damping", -1],
            "Chan.damping must be finite, zero or more",
        ),
        (["solve", "ur10", "--target", *[0] * 6, "--weights", *[0] * 6], "weights are all zero"),
        (["solve", "ur10"], "the following arguments are required: --target"),
        (
            ["solve", "ur10", "--target", 1, 2, "x", 0, 0, 0],
            "--target must be numbers such as 0.5 or 5e-1, got 'x'",
        ),
        (
            ["solve", "--target", *[0] * 6],
            "give one robot: planar_2r, ur10, panda, --urdf FILE or --dh FILE; got none",
        ),
        (["solve", "ur10", "--dh", "t", "--target", *[0] * 6], "--urdf FILE or --dh FILE; got robot and --dh"),
        (
            ["solve", "ur10", "--tip", "hand", "--target", *[0] * 6],
            "--tip hand names a link of a URDF: give --urdf FILE, too",
        ),
        (["solve", "--urdf", "/none.urdf", "--target", *[0] * 6], "/none.urdf"),
        (["solve", "--dh", "/none.txt", "--target", *[0] * 6], "'/none.txt' is no file"),
        (["solve", "ur10", "--pointing", 0, 0, 0, "--target", *[0] * 6], "axis must be a direction (x, y, z)"),
        (["solve", "ur10", "--tool", 1, 2, "--target", *[0] * 6], "--tool has 2 numbers; give 6"),
        (
            ["solve", "ur10", "--max-time", 0, "--target", *[0] * 6],
            "max_time must be a positive number of seconds, or None, got 0.0",
        ),
        (["source", "ur10", "--language", "fortran"], "invalid choice: 'fortran' (choose from"),
        (["solve", "puma", "--target", *[0] * 6], "invalid choice: 'puma' (choose from"),
        (["study", "planar_2r", "--poses", 0], "poses is 0"),
        (
            ["study", "planar_2r", "--method", "newton", "--damping", 1],
            "--damping needs a damped method, got [1.0] with newton",
        ),
        (["study", "planar_2r", "--method", "newton-space", "--goal", "position"], "works in 'space', and the goal"),
        (["study", "planar_2r", "--threads", 2, "--scheduler", "tcp://a:1"], "not allowed with argument --threads"),
        (["compare", "ur5"], "invalid choice: 'ur5' (choose from"),
        (["compare", "ur10", "--poses", 0], "--poses must be a whole number from 1 to 100,000, got 0"),
        (["compare", "ur10", "--seed", -1], "--seed must be a whole number, zero or more, got -1"),
        (["compare", "ur10", "--csv", "--json"], "not allowed with argument --csv"),
        ([], "the following arguments are required: COMMAND"),
    ],
)
def test_bad_input_is_one_clear_sentence_on_stderr(words: list[object], message: str, run: Run) -> None:
    status, out, told = run(*words)
    assert (status, out) == (2, "")
    assert message in told


def test_bad_input_leaves_no_traceback() -> None:
    done = lessons("solve", "ur10", "--target", 1, 2, 3)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("lessons: --target has 3 numbers") and done.stderr.count("\n") == 1


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


def test_json_stays_json_where_an_error_is_infinite(run: Run) -> None:
    status, out, _ = run("solve", "ur10", "--target", 1e200, 0, 0, 0, 0, 0, "--json")
    found = json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert status == 1 and found["position_error"] is None and found["status"] == "UNREACHABLE"


def test_warm_compiles_all_that_a_robot_will_need_and_says_so_on_stderr(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the methods one is taken; tests/robots/test_precompile.py looks at what is made for the others."""
    for words in list(KINDS)[1:]:
        monkeypatch.delitem(KINDS, words)
    assert cli.main(["warm", "planar_2r"]) == 0
    said = capsys.readouterr()
    lines = said.err.splitlines()
    assert said.out == ""
    assert re.fullmatch(r"lessons: planar 2R: its pose \(1 of (\d+)\)", lines[0])
    assert all(line.startswith("lessons: planar 2R: ") for line in lines), "no notice besides"
    assert lines[-1].startswith("lessons: planar 2R: ready after ")
    assert len(lines) == int(lines[0].split()[-1].rstrip(")")) + 1


def test_warm_takes_all_robots_where_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robot, "chain_of", lambda options: options.robot)
    parser = argparse.ArgumentParser()
    robot.add_arguments(parser, many=True)
    assert robot.chains_of(parser.parse_args([])) == list(robots.ROBOTS)
    assert robot.chains_of(parser.parse_args(["panda"])) == ["panda"]


@pytest.mark.parametrize(("named", "lacking"), [([], []), ([], ["anywidget"]), (["panda"], [])])
def test_warm_derives_the_figures_with_all_robots_where_figures_can_be_shown(
    named: list[str], lacking: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    figures = {name: lambda name=name: made.append(name) for name in ("ElbowFigure", "ScrewFigure")}
    monkeypatch.setattr(cli, "chains_of", lambda options: [])
    monkeypatch.setattr(live, "__all__", [*figures, "LiveFigure", "Control"])
    for name, make in figures.items():
        monkeypatch.setattr(live, name, make)
    monkeypatch.setattr(extras, "lacks", lambda extra: lacking if extra == "course" else [])
    assert cli.main(["warm", *named]) == 0
    said = capsys.readouterr().err.splitlines()
    if named or lacking:
        assert (made, said) == ([], [])
    else:
        assert made == ["ElbowFigure", "ScrewFigure"]
        assert said[:2] == ["lessons: figures: ElbowFigure (1 of 2)", "lessons: figures: ScrewFigure (2 of 2)"]
        assert said[2].startswith("lessons: figures: ready after ")


def test_warm_knows_its_robots(run: Run) -> None:
    status, _, told = run("warm", "r2d2")
    assert status == 2
    assert "r2d2" in told and "planar_2r" in told


def test_targets_come_from_standard_input_and_each_gets_its_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [" ".join(map(str, REACHABLE)), ",".join(map(str, HOME.ravel())), "5 0 0 0 0 0", "1 2", ""]
    monkeypatch.setattr("sys.stdin", StringIO("\n".join(lines[:3])))
    status, out, told = run("solve", "ur10", "--target", "-")
    answers = [json.loads(line) for line in out.splitlines()]
    assert (status, told) == (1, "") and [answer["line"] for answer in answers] == [1, 2, 3]
    assert [answer["status"] for answer in answers] == ["CONVERGED", "CONVERGED", "UNREACHABLE"]
    for answer in answers[:2]:
        assert np.abs(robots.ur10().forward_kinematics(answer["q"]) - HOME).max() < 3e-6
    monkeypatch.setattr("sys.stdin", StringIO("\n".join(lines[3:] + lines[:1])))
    status, out, _ = run("solve", "ur10", "--target", "-")
    bad, empty, good = map(json.loads, out.splitlines())
    assert status == 2 and good["converged"] and good["line"] == 3
    assert bad == {
        "line": 1,
        "error": "line 1 has 2 numbers; give 6 (x y z rx ry rz, m and rad), 7 (x y z qx qy qz qw) or 16 "
        "(a 4x4 matrix, row by row)",
    }
    assert empty["error"].startswith("line 2 has 0 numbers")


TABLE = """
# a alpha d theta lower upper
0.4 0 0.2 0 -2.5 2.5
0.3, 0, 0, -2.5, 2.5
0 3.141592653589793 0.1 prismatic   # without limits
"""


def test_a_robot_of_a_table_and_one_of_a_urdf_are_solved(run: Run, tmp_path: Path) -> None:
    (tmp_path / "scara.txt").write_text(TABLE, encoding="utf8")
    status, out, _ = run(
        "solve", "--dh", tmp_path / "scara.txt", "--target", 0.5, 0.3, 0.4, np.pi, 0, 0, "--position-only"
    )
    assert status == 0 and [line.split()[-1] for line in out.splitlines()[1:4]] == ["rad", "rad", "m"]
    arm = robots.load_dh(tmp_path / "scara.txt")
    assert arm.name == "scara" and arm.limits.tolist() == [[-2.5, 2.5]] * 2 + [[-np.inf, np.inf]]
    assert arm.joint_types == ("revolute", "revolute", "prismatic")
    file, tip = robots.urdf_file("ur10"), robots.from_urdf(robots.urdf_file("ur10")).forward_kinematics([0.1] * 6)
    words = ["solve", "--urdf", file, "--tool", 0, 0, 0.2, 0, 0, 0, "--target", *tip.ravel(), "--json"]
    status, out, _ = run(*words)
    q = json.loads(out)["q"]
    tool = np.eye(4)
    tool[2, 3] = 0.2
    assert status == 0
    assert np.abs(robots.from_urdf(file, tool=tool).forward_kinematics(q) - tip).max() < 3e-6


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0.4 0\n", "line 1 has 2 numbers"),
        ("0.4 0 0.1\n0.4 0 x\n", "line 2 holds 'x'; numbers are like 0.5, -pi/2 or 90°"),
        ("# nothing\n", "there is no row; a line a joint: a α d, in m and rad"),
        ("0.4 0 0.1 fixed\n", "all 1 rows are fixed"),
    ],
)
def test_a_table_that_is_none_is_refused(text: str, words: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(text, encoding="utf8")
    status, out, told = run("solve", "--dh", tmp_path / "t.txt", "--target", *[0] * 6)
    assert (status, out) == (2, "") and words in told


def test_a_study_is_kept_and_goes_on(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["study", "planar_2r", "--method", "newton", "chan", "--damping", 0.1, 1, "--restarts", 0, 5, "--poses", 30]
    words += ["--output", tmp_path, "--chunk", 20]
    answer = Chunk.answer

    def ends(chunk: Chunk, threads: int | None = None) -> Part:
        if chunk.number == 3:
            raise KeyboardInterrupt
        return answer(chunk, threads)

    with monkeypatch.context() as patch:
        patch.setattr(Chunk, "answer", ends)
        status, out, told = run(*words)
    assert status == 130 and out.splitlines()[-1].startswith(f"results in {tmp_path}/")
    assert told.splitlines()[0].startswith("lessons: interrupted: 50 of 180 poses are stored in ")
    status, out, told = run(*words)
    heading, _, titles, *rows, _, kept = out.splitlines()
    assert (status, without_notices(told)) == (0, [])
    assert heading == "6 cases, 30 random reachable poses each, seed 0"
    assert titles.split() == "method strategy solved mean steps median starts most |q − q₀|".split()
    assert [row.split("  ")[0] for row in rows] == ["newton", "newton", "chan 0.1", "chan 0.1", "chan 1", "chan 1"]
    assert len(list(Path(kept.removeprefix("results in ")).glob("*.parquet"))) == 12
    document = json.loads(run(*words, "--json")[1])
    table = list(csv.DictReader(StringIO(run(*words, "--csv")[1])))
    assert [row["solved"] for row in document["rows"]] == [int(row["solved"]) for row in table]
    assert [row["damping"] for row in document["rows"]] == [None, None, 0.1, 0.1, 1.0, 1.0] and document["complete"]


def test_source_prints_the_kinematics(run: Run, tmp_path: Path) -> None:
    assert run("source", "planar_2r") == (0, robots.planar_2r().source("c"), "")
    status, out, _ = run("source", "planar_2r", "--solver")
    assert (status, out) == (0, robots.planar_2r().source("c", solver=True))
    status, out, _ = run("source", "planar_2r", "--solver", "--method", "trust-region")
    method = studies.method("trust-region")
    assert (status, out) == (0, robots.planar_2r().source("c", solver=True, method=method))
    status, _, told = run("source", "planar_2r", "--method", "newton")
    assert status == 2 and "add --solver" in told
    status, _, told = run("source", "planar_2r", "--solver", "--language", "numpy")
    assert status == 2 and "language must be 'c' or 'javascript' for a solver, got 'numpy'" in told
    (tmp_path / "scara.txt").write_text(TABLE, encoding="utf8")
    status, out, _ = run("source", "--dh", tmp_path / "scara.txt", "--language", "numpy")
    assert status == 0 and out.startswith("# Kinematics of scara, ") and "def pose_kernel(q):" in out


GERMAN = """<robot name="Körper"><link name="a"/><link name="é"/><joint name="Gelenk ü 😀" type="revolute">
<parent link="a"/><child link="é"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>"""


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["solve", "--help"],
        ["study", "--help"],
        ["solve", "--urdf", "FILE", "--target", "0 0 0 0 0 0.5"],
        ["solve", "--urdf", "FILE", "--target", "0 0 0 0 0 0.5", "--json"],
        ["source", "--urdf", "FILE"],
        ["study", "--urdf", "FILE", "--poses", "5", "--output", "FOLDER"],
        ["study", "--urdf", "FILE", "--poses", "5", "--output", "FOLDER", "--json"],
        ["study", "planar_2r", "--poses", "5"],
        ["compare", "example-6.1", "--poses", "5"],
    ],
    ids=lambda words: " ".join(words),
)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_stream_takes_what_is_printed(
    words: list[str], encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a stream has no sign for is escaped; JSON is JSON."""
    places = {"FILE": str(tmp_path / "Körper.urdf"), "FOLDER": str(tmp_path / "Löcher")}
    (tmp_path / "Körper.urdf").write_text(GERMAN, "utf8")
    line = [part for word in words for part in ([places[word]] if word in places else word.split())]
    kept = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(kept, encoding))
    try:
        assert cli.main(line) == 0
    except SystemExit as end:  # after help
        assert end.code == 0
    sys.stdout.flush()
    printed = kept.getvalue().decode(encoding)
    assert printed.strip()
    if words[-1] == "--json":
        json.loads(printed)
    if words[0] == "compare":
        assert ("\\xb0" if encoding == "ascii" else "°") in printed


def test_a_line_in_another_encoding_gets_its_error(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO("1 0 0 0 0 90°\n1 0 0 0 0 ü\n".encode()), "ascii"))
    assert cli.main(["solve", "planar_2r", "--target", "-"]) == 2
    assert [json.loads(line)["line"] for line in capsys.readouterr().out.splitlines()] == [1, 2]


@pytest.mark.parametrize("line", ["0,4 0 0,3 0 0 0", "0,4;0;0,3;0;0;0", "0,4,0,1,0,3,0,0,0,0,0,0"])
def test_a_decimal_comma_on_standard_input_is_refused_by_that_name(line, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", StringIO(f"\ufeff0.4,0.1,0.3,0,0,0\n{line}\n"))
    assert cli.main(["solve", "ur10", "--target", "-"]) == 2
    right, wrong = map(json.loads, capsys.readouterr().out.splitlines())
    assert right["converged"] and "has a decimal comma: write a point" in wrong["error"]


@pytest.mark.parametrize("option", ["--target", "--start", "--damping", "--max-time", "--tool"])
def test_a_decimal_comma_in_an_option_is_refused_by_that_name(option, capsys):
    words = ["solve", "ur10", *(["--target", *"000000"] if option != "--target" else []), option, "0,5"]
    with suppress(SystemExit):
        assert cli.main(words) == 2
    assert "has a decimal comma: write a point" in capsys.readouterr().err
