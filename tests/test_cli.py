"""Command line: arguments, streams and exit status."""

import csv
import json
import subprocess
import sys
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import numpy as np
import pytest

from lessons_lib import __version__, cli, lie, robots
from lessons_lib.studies import Study

HOME = robots.ur10().forward_kinematics([0.3, -1.2, 1.5, -1.9, -1.2, 0.4])
REACHABLE = [*HOME[:3, 3], *lie.log_so3(HOME[:3, :3])]


def lessons(*words):
    command = [sys.executable, "-m", "lessons_lib", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=900)


@pytest.fixture
def run(capsys):
    """Function that runs the program in this process and returns exit status, stdout and stderr."""

    def run_program(*words):
        try:
            status = cli.main(list(map(str, words)))
        except SystemExit as end:
            status = int(str(end.code))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_program


def without_compile_log(stderr):
    """Return the lines on stderr without messages about compilations, which depend on the cache."""
    return [line for line in stderr.splitlines() if not line.startswith("lessons_lib: compiling ")]


def test_the_console_script_equals_the_module():
    script = Path(sys.executable).with_name("lessons")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, timeout=900)
    assert done.stdout == lessons("--version").stdout == f"lessons {__version__}\n"


def test_stdout_contains_only_csv_or_json(run):
    table = list(csv.DictReader(StringIO(run("compare", "example-6.1", "--poses", 5, "--csv")[1])))
    document = json.loads(run("compare", "example-6.1", "--poses", 5, "--json")[1])
    assert [row["method"] for row in table] == [row["method"] for row in document["rows"]]
    assert table[0]["known_steps"] == "3"


def test_the_solution_reaches_the_target():
    done = lessons("solve", "ur10", "--target", *REACHABLE, "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, without_compile_log(done.stderr), result["converged"]) == (0, [], True)
    reached = robots.ur10().forward_kinematics(result["q"])
    assert np.abs(reached - HOME).max() < 3e-6  # the solver's 1e-6 rad and m, on a matrix of metres


def test_a_target_may_be_a_matrix_of_numbers_with_exponents(run):
    matrix = [f"{value:.12e}" for value in HOME.ravel()]
    status, out, _ = run("solve", "ur10", "--target", *matrix, "--start", *["-1e-1"] * 6, "--method", "constant")
    assert status == 0
    assert out.startswith("The pose is reached")
    assert "shoulder pan" in out


def test_a_rotation_vector_that_may_be_in_degrees_gets_a_warning(run):
    status, _, told = run("solve", "ur10", "--target", 0.4, 0.3, 0.5, 0, 90, 0)
    assert status == 0 and "--target is longer than one revolution, 90 rad; convert degrees to rad" in told


def test_source_prints_the_kinematics_of_a_dh_table_in_numpy(run, tmp_path):
    (tmp_path / "scara.txt").write_text(TABLE, encoding="utf8")
    status, out, _ = run("source", "--dh", tmp_path / "scara.txt", "--language", "numpy")
    exec(out, names := {"np": np})
    expected = robots.load_dh(tmp_path / "scara.txt").forward_kinematics([0.3, 0.4, 0.1])
    assert status == 0
    np.testing.assert_allclose(names["pose_kernel"](np.array([0.3, 0.4, 0.1])), expected, atol=1e-14)


def test_solving_an_unreachable_pose_prints_the_reason(run):
    status, out, told = run("solve", "planar_2r", "--target", 5, 0, 0, 0, 0, 0)
    assert (status, without_compile_log(told)) == (1, [])
    assert "farther away than the outstretched arm can reach" in out


ZEROS = "0 0 0 0 0 0"
REFUSED = {
    "": "the following arguments are required: COMMAND",
    "solve ur10": "the following arguments are required: --target",
    "solve ur10 --target 1 2 3": "--target must be 6 numbers (x y z rx ry rz, m and rad), 7 (x",
    "solve ur10 --target 0 0 1 0 0 0 2": "must have length 1, got [0.0, 0.0, 0.0, 2.0] of length 2",
    "solve ur10 --target nan 0 0 0 0 0": "--target must be finite numbers, got nan 0.0",
    "solve ur10 --target 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15": "target: the last row must be [0, 0, 0, 1]",
    "solve ur10 --target 2 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1": "is not a rotation",
    "solve ur10 --target 1 2 x 0 0 0": "--target must be numbers such as 0.5 or 5e-1, got 'x'",
    "solve ur10 --target 0,5": "has a decimal comma: write a point",
    f"solve ur10 --target {ZEROS} --start 0 0": "q of UR10 must have shape (6,), got (2,)",
    f"solve ur10 --target {ZEROS} --start 7 0 0 0 0 0": "'shoulder pan' of UR10 is at 7",
    f"solve ur10 --target {ZEROS} --method simplex": "method must be one of newton",
    f"solve ur10 --target {ZEROS} --damping 0,5": "has a decimal comma: write a point",
    f"solve ur10 --target {ZEROS} --dh t": "--urdf FILE or --dh FILE; got robot and --dh",
    f"solve ur10 --target {ZEROS} --tip hand": "--tip needs --urdf FILE, whose link it names, got hand",
    f"solve ur10 --target {ZEROS} --tool 1 2": "--tool must be 6 numbers",
    f"solve --target {ZEROS}": f"give one robot: {', '.join(robots.ROBOTS)}, --urdf FILE or --dh FILE; got none",
    f"solve --target {ZEROS} --urdf /none.urdf": "/none.urdf",
    "source planar_2r --method newton": "--method and --damping belong to a solver; add --solver",
    "source planar_2r --solver --language numpy": "language must be 'c' or 'javascript'",
    "warm r2d2": "invalid choice: 'r2d2' (choose from",
    "study planar_2r --poses 0": "poses must be a whole number from 1",
    "study planar_2r --method newton --damping 1": "--damping needs a damped method, got [1.0] with newton",
    "study planar_2r --method newton-space --goal position": "uses the frame 'space', which does not suit a goal",
    "study planar_2r --threads 2 --scheduler tcp://a:1": "not allowed with argument --threads",
    "compare ur10 --poses 0": "--poses must be an integer from 1 to 100,000, got 0",
    "compare ur10 --seed -1": "--seed must be a nonnegative integer, got -1",
    "compare ur10 --csv --json": "not allowed with argument --csv",
}


@pytest.mark.parametrize(("line", "message"), REFUSED.items())
def test_invalid_input_prints_one_sentence_on_stderr(line, message, run):
    status, out, told = run(*line.split())
    assert (status, out) == (2, "")
    assert message in told and "Traceback" not in told


def test_json_is_valid_if_an_error_is_infinite(run):
    status, out, _ = run("solve", "ur10", "--target", 1e200, 0, 0, 0, 0, 0, "--json")
    found = json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert status == 1 and found["position_error"] is None and found["status"] == "UNREACHABLE"


def test_each_target_on_standard_input_gets_one_line(run, monkeypatch):
    seven = [*HOME[:3, 3], *lie.so3_to_quaternion(HOME[:3, :3])]  # real part last
    lines = [*(" ".join(map(str, pose)) for pose in (REACHABLE, seven)), ",".join(map(str, HOME.ravel()))]
    lines += ["5 0 0 0 0 0", "1 2", ""]
    monkeypatch.setattr("sys.stdin", StringIO("\n".join(lines[:4])))
    status, out, told = run("solve", "ur10", "--target", "-")
    answers = [json.loads(line) for line in out.splitlines()]
    assert (status, told) == (1, "") and [answer["line"] for answer in answers] == [1, 2, 3, 4]
    assert [answer["status"] for answer in answers] == ["CONVERGED"] * 3 + ["UNREACHABLE"]
    for answer in answers[:3]:
        assert np.abs(robots.ur10().forward_kinematics(answer["q"]) - HOME).max() < 3e-6
    monkeypatch.setattr("sys.stdin", StringIO("\n".join(lines[4:] + lines[:1])))
    status, out, _ = run("solve", "ur10", "--target", "-")
    bad, empty, good = map(json.loads, out.splitlines())
    assert status == 2 and good["converged"] and good["line"] == 3
    allowed = "6 numbers (x y z rx ry rz, m and rad), 7 (x y z qx qy qz qw) or 16 (a 4x4 matrix, row by row)"
    assert bad == {"line": 1, "error": f"line 1 must be {allowed}, got 2"}
    assert empty["error"].endswith("got 0")


TABLE = """
# a alpha d theta lower upper
0.4 0 0.2 0 -2.5 2.5
0.3, 0, 0, -2.5, 2.5
0 3.141592653589793 0.1 prismatic   # without limits
"""


def test_robots_from_a_dh_table_and_a_urdf_are_solved(run, tmp_path):
    (tmp_path / "scara.txt").write_text(TABLE, encoding="utf8")
    goal = ("--target", 0.5, 0.3, 0.4, np.pi, 0, 0, "--position-only")
    status, out, _ = run("solve", "--dh", tmp_path / "scara.txt", *goal)
    assert status == 0 and [line.split()[-1] for line in out.splitlines()[1:4]] == ["rad", "rad", "m"]
    arm = robots.load_dh(tmp_path / "scara.txt")
    assert arm.name == "scara" and arm.limits.tolist() == [[-2.5, 2.5]] * 2 + [[-np.inf, np.inf]]
    assert arm.joint_types == ("revolute", "revolute", "prismatic")
    file, tip = robots.urdf_file("ur10"), robots.from_urdf(robots.urdf_file("ur10")).forward_kinematics([0.1] * 6)
    words = ["solve", "--urdf", file, "--tool", 0, 0, 0.2, 0, 0, 0, "--target", *tip.ravel(), "--json"]
    status, out, _ = run(*words)
    q = json.loads(out)["q"]
    tool = lie.pose(np.eye(3), (0.0, 0.0, 0.2))
    assert status == 0
    assert np.abs(robots.from_urdf(file, tool=tool).forward_kinematics(q) - tip).max() < 3e-6


def test_an_interrupted_study_is_stored_and_resumes(run, tmp_path, monkeypatch):
    words = ["study", "planar_2r", "--method", "newton", "chan", "--damping", 0.1, 1, "--restarts", 0, 5, "--poses", 30]
    words += ["--output", tmp_path, "--chunk", 20]
    solve = Study.solve_chunk

    def interrupt_third(study, number, threads):
        if number == 3:
            raise KeyboardInterrupt
        return solve(study, number, threads)

    with monkeypatch.context() as patch:
        patch.setattr(Study, "solve_chunk", interrupt_third)
        status, out, told = run(*words)
    assert status == 130 and out.splitlines()[-1].startswith(f"results in {tmp_path}/")
    assert told.splitlines()[0].startswith("lessons: interrupted: 50 of 180 poses are stored in ")
    document = json.loads(run(*words, "--json")[1])
    table = list(csv.DictReader(StringIO(run(*words, "--csv")[1])))
    assert [row["solved"] for row in document["rows"]] == [int(row["solved"]) for row in table]
    methods = [row["method"] for row in document["rows"]]
    assert methods == ["newton", "newton", "chan 0.1", "chan 0.1", "chan 1", "chan 1"] and document["complete"]
    assert len(list(tmp_path.rglob("*.parquet"))) == 12


GERMAN = """<robot name="Körper"><link name="a"/><link name="é"/><joint name="Gelenk ü 😀" type="revolute">
<parent link="a"/><child link="é"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>"""


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "--urdf", "FILE", "--target", "0 0 0 0 0 0.5", "--json"],
        ["study", "--urdf", "FILE", "--poses", "5", "--output", "FOLDER"],
        ["compare", "example-6.1", "--poses", "5"],
    ],
    ids=lambda words: " ".join(words),
)
def test_output_is_printed_to_an_ascii_stream(words, tmp_path, monkeypatch):
    """Characters that the stream cannot encode are escaped; JSON stays valid."""
    places = {"FILE": str(tmp_path / "Körper.urdf"), "FOLDER": str(tmp_path / "Löcher")}
    (tmp_path / "Körper.urdf").write_text(GERMAN, "utf8")
    line = [part for word in words for part in ([places[word]] if word in places else word.split())]
    kept = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(kept, "ascii"))
    try:
        assert cli.main(line) == 0
    except SystemExit as end:  # after help
        assert end.code == 0
    sys.stdout.flush()
    printed = kept.getvalue().decode("ascii")
    assert printed.strip()
    if words[-1] == "--json":
        json.loads(printed)
    if words[0] == "compare":
        assert "\\xb0" in printed


@pytest.mark.parametrize("line", ["0,4 0 0,3 0 0 0", "0,4,0,1,0,3,0,0,0,0,0,0"])
def test_a_decimal_comma_on_standard_input_is_refused(line, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", StringIO(f"\ufeff0.4,0.1,0.3,0,0,0\n{line}\n"))
    assert cli.main(["solve", "ur10", "--target", "-"]) == 2
    right, wrong = map(json.loads, capsys.readouterr().out.splitlines())
    assert right["converged"] and "has a decimal comma: write a point" in wrong["error"]
