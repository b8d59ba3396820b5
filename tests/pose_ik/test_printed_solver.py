"""The printed solver compiles without a warning, agrees with the other languages bit for bit, and is bounded."""

import json
import re
import subprocess

import numpy as np
import pytest
from programs import compile_c, run, run_javascript, run_plain_python

from lessons_lib import pose_ik, robots
from lessons_lib.errors import CodegenError
from lessons_lib.pose_ik import printed_solver

STRICT = "-std=c99 -O2 -Wall -Wextra -Werror -fsanitize=undefined -fno-sanitize-recover=all".split()
MAIN = """
#include <stdio.h>
int main(void) {
  double T[16], start[N], room[POSE_ROOM], report[POSE_REPORT], seed;
  pose_room(room);
  while (scanf("%lf", &seed) == 1) {
    for (int k = 0; k < 16; k++) if (scanf("%lf", T + k) != 1) return 1;
    for (int k = 0; k < N; k++) if (scanf("%lf", start + k) != 1) return 1;
    for (int k = 0; k < POSE_REPORT; k++) report[k] = 0.0;
    int solved = solve_target(T, start, (int64_t)seed, room, report);
    while (!solved && report[0] == 6.0) solved = solve_target(T, start, -1, room, report);
    printf("%d", solved);
    for (int k = 0; k < POSE_REPORT; k++) printf(" %a", report[k]);
    printf("\\n");
  }
  return 0;
}
"""
IN_NODE = """
const room = pose_room();
for (const [seed, T, start] of JSON.parse(require("fs").readFileSync(0))) {
  const report = new Float64Array(POSE_REPORT);
  let solved = solve_target(T.flat(), start, seed, room, report);
  while (!solved && report[0] === 6) solved = solve_target(T.flat(), start, -1, room, report);
  console.log(Number(solved), ...report);
}
"""
IN_PYTHON = """
import json, sys
import numpy as np
from lessons_lib import robots
from lessons_lib.pose_ik import *
from lessons_lib.pose_ik import printed_solver, lanes, layout
from lessons_lib.pose_ik.arguments import check_problem

name, words, printed_solver.LANES, evaluations, rows = json.load(sys.stdin)
arm, options = getattr(robots, name)(), eval(words)
order = ("method", "stop", "starts", "goal")
problem = check_problem(arm, *(options.get(word) for word in order))
scratch, (search, *kernels) = printed_solver.initial_scratch(problem, evaluations), printed_solver.search_for(problem)
for seed, T, start in rows:
    report = np.zeros(layout.JOINTS + 2 * arm.dof)
    inputs = np.array(T), np.array(start), scratch
    solved = search(*inputs, seed, report, *kernels)
    while not solved and report[layout.STATUS] == layout.INTERRUPTED:
        solved = search(*inputs, layout.RESUME, report, *kernels)
    print(int(solved), *(float(number).hex() for number in report))
"""
PROBLEMS = [
    (1, "ur10", "{}"),
    (4, "planar_2r", "{'method': LevenbergMarquardt(Damping(lambda E, c: c * E**2, c=0.1)), 'goal': position_only()}"),
    (1, "planar_2r", "{'starts': Nearest(7), 'stop': Stop(max_iterations=12)}"),
    *(
        pytest.param(*options, marks=pytest.mark.release)
        for options in (
            (8, "panda", "{'starts': Restarts(20), 'goal': pose(intervals=(0.1, (None, 0.5), 0, 0.01, 0, 0))}"),
            (1, "panda", "{'method': LevenbergMarquardt(TrustRegion()), 'goal': pointing((0, 0, 1))}"),
            (4, "planar_3r", "{'method': Halley(Chan()), 'goal': pose((1, 1, 1, 2, 2, 3)), 'stop': Stop(1e-9, 1e-9)}"),
            (1, "panda", "{'starts': Near(20)}"),
        )
    ),
]
"""Lanes, arm and options; Nearest and Near need the sequential search, which has one lane."""


def compile_solver(arm, folder, flags=(), **options):
    """Compile the solver into a program."""
    main = MAIN.replace("N]", f"{arm.dof}]").replace("k < N", f"k < {arm.dof}")
    return compile_c(arm.source("c", solver=True, **options) + main, folder, [*STRICT, *flags])


def run_program(program, rows):
    """Return the output of a program for each row."""
    return run([program], "\n".join(" ".join(map(str, [seed, *np.ravel(T).tolist(), *q])) for seed, T, q in rows))


def problems(arm, count):
    """Return rows of a seed, a pose and a start; the last pose is out of reach, the one before it hard."""
    rng = np.random.default_rng(33)
    rows = []
    for k in range(count):
        T, q = arm.forward_kinematics(arm.random_configuration(rng)), arm.random_configuration(rng)
        if k == count - 2:
            T[:3, 3] *= 0.02
        if k == count - 1:
            T[0, 3] = 99.0
        rows.append([int(rng.integers(2**50)), T.tolist(), q.tolist()])
    return rows


@pytest.mark.check
@pytest.mark.parametrize(("width", "name", "words"), PROBLEMS)
def test_c_javascript_and_plain_python_agree_bit_for_bit(width, name, words, tmp_path, monkeypatch):
    arm = getattr(robots, name)()
    monkeypatch.setattr(printed_solver, "LANES", width)
    options = eval(words, {one: getattr(pose_ik, one) for one in pose_ik.__all__})
    rows = problems(arm, 7)
    in_c = run_program(compile_solver(arm, tmp_path, ("-ffp-contract=off",), evaluations=70, **options), rows)
    in_python = run_plain_python(IN_PYTHON, json.dumps([name, words, width, 70, rows]))
    text = arm.source("javascript", solver=True, evaluations=70, **options) + IN_NODE
    in_node = run_javascript(text, tmp_path, json.dumps(rows))
    assert len(in_c) == len(in_python) == len(in_node) == len(rows)
    for one, other, third in zip(in_c, in_python, in_node, strict=True):
        numbers = [float.fromhex(number) for number in one]
        assert numbers == [float.fromhex(number) for number in other]
        assert numbers == [float(number) for number in third]
    assert sum(int(one[0]) for one in in_c) >= 4


def test_printed_solver_solves_the_same_poses_as_the_library(ur10, tmp_path):
    rows = problems(ur10, 200)
    found = run_program(compile_solver(ur10, tmp_path), rows)
    for (_, T, start), (solved, *numbers) in zip(rows, found, strict=True):
        report = [float.fromhex(number) for number in numbers]
        assert bool(int(solved)) == pose_ik.solve(ur10, np.array(T), start).converged
        if int(solved):
            deviation = ur10.forward_kinematics(report[5:11]) - np.array(T)
            assert np.abs(deviation).max() < 2e-6
            assert (ur10.limits[:, 0] <= report[5:11]).all() and (report[5:11] <= ur10.limits[:, 1]).all()
    assert list(pose_ik.Status)[int(report[0])] is pose_ik.Status.UNREACHABLE  # 99 m away


USED_IN_C = """
#include <stdio.h>
int main(void) {
  double T[16], start[DOF];
  for (;;) {
    for (int k = 0; k < 16; k++) if (scanf("%lf", T + k) != 1) return 0;
    for (int k = 0; k < DOF; k++) if (scanf("%lf", start + k) != 1) return 1;
    USE
    for (int k = 0; k < DOF; k++) printf("%.17g ", q[k]);
    printf("\\n");
  }
}
"""
USED_IN_JAVASCRIPT = """
for (const [T, start] of JSON.parse(require("fs").readFileSync(0)).map(([T, start]) => [T.flat(), start])) {
  USE
  console.log(...q);
}
"""


def usage_lines(text):
    """Return the three lines of usage in the comment at the head of a printed solver."""
    lines = [line.removeprefix(" *") for line in text.partition(" * Use:\n *\n")[2].partition("\n *\n")[0].splitlines()]
    assert len(lines) == 3
    return "\n".join(lines)


def test_the_head_names_the_unit_of_the_arm():
    arm = robots.from_dh([(300.0, 0.0, 0.0), (200.0, 0.0, 0.0)], length_unit="mm")
    with pytest.raises(CodegenError, match=r"method=pose_ik\.LevenbergMarquardt\(\)"):
        arm.source("c", solver=True)
    head = arm.source("c", solver=True, method=pose_ik.LevenbergMarquardt()).partition("*/")[0]
    assert "position in mm;" in head and "errors in rad and mm" in head and "1e-06 mm" in head


@pytest.mark.parametrize("language", ["c", "javascript"])
def test_the_three_lines_at_the_head_solve_poses(language, planar_2r, tmp_path):
    rows = [[T, start] for _, T, start in problems(planar_2r, 22)[:-2]]
    text = planar_2r.source(language, solver=True)
    frame = {"c": USED_IN_C, "javascript": USED_IN_JAVASCRIPT}[language].replace("DOF", str(planar_2r.dof))
    program = text + frame.replace("USE", usage_lines(text))
    if language == "c":
        stdin = " ".join(str(x) for T, q in rows for x in [*np.ravel(T), *q])
        printed = run([compile_c(program, tmp_path, STRICT)], stdin)
    else:
        printed = run_javascript(program, tmp_path, json.dumps(rows))
    found = np.array(printed, dtype=np.float64)
    assert np.abs(planar_2r.forward_kinematics(found) - np.array([T for T, _ in rows])).max() < 2e-6


def limited_arm():
    """Return a UR10 with limits at which the starts of a search stop."""
    return robots.ur10().with_limits(position=[[-2.0, 2.0]] * 6)


@pytest.mark.check
@pytest.mark.parametrize(
    ("arm", "method", "statuses"),
    [
        (robots.planar_2r(), pose_ik.LevenbergMarquardt(pose_ik.Chan(0.1)), {0, 1, 2}),
        (limited_arm(), pose_ik.NewtonRaphson(), {0, -1, -3}),
    ],
    ids=["no limits", "limits"],
)
def test_a_resumed_search_ends_with_the_report_of_an_uninterrupted_one(arm, method, statuses, tmp_path):
    """The search may pause anywhere, also before it reports the best start or after rounding prevents a step."""
    rng = np.random.default_rng(4)
    targets = arm.targets(100, rng)[0].copy()
    targets[::2, :3, 3] *= 0.8
    rows = [[k, T.tolist(), [0.3] * arm.dof] for k, T in enumerate(targets)]
    bounded = MAIN.replace("while (!solved &&", "for (int call = 0; call < 999 && !solved &&")
    bounded = bounded.replace("== 6.0) solved", "== 6.0; call++) solved")
    assert bounded != MAIN
    reports = []
    for evaluations in (3, 4, 10**6):
        text = arm.source("c", solver=True, method=method, starts=pose_ik.Restarts(40), evaluations=evaluations)
        main = bounded.replace("N]", f"{arm.dof}]").replace("k < N", f"k < {arm.dof}")
        reports.append(run_program(compile_c(text + main, tmp_path, STRICT), rows))
    assert {int(float.fromhex(report[1])) for report in reports[2]} == statuses
    valid = [[report if float.fromhex(report[1]) >= 0.0 else report[:2] for report in some] for some in reports]
    assert valid[0] == valid[2] and valid[1] == valid[2]


def test_the_head_states_how_many_starts_are_made_and_when_another_seed_may_help():
    head = " ".join(limited_arm().source("c", solver=True).partition("*/")[0].replace(" *", "").split())
    assert "Restarts(count=1000), of which this code makes 32 for each seed" in head
    assert "-3 no start led to the pose; another seed may" in head
    assert "of which this code makes" not in robots.ur10().source("c", solver=True).partition("*/")[0]


@pytest.mark.check
def test_a_call_is_bounded_in_evaluations_and_memory(ur10, tmp_path):
    """A call makes the allowed number of evaluations, with at most 4 kB of stack and no heap."""
    text = ur10.source("c", solver=True, evaluations=7)
    assert not re.search(r"\b(malloc|calloc|realloc|free|alloca)\b", text)
    assert sorted(re.findall(r"#include <(\w+)\.h>", text)) == ["math", "stdint"]
    counted = text.replace("typedef struct { double *at;", "static int evaluations;\ntypedef struct { double *at;", 1)
    counted = re.sub(r"(static void pose_and_jacobian\(array w\) \{)", r"\1 evaluations++;", counted)
    main = """
#include <stdio.h>
int main(void) {
  double T[16] = {1, 0, 0, 0.05, 0, 1, 0, 0, 0, 0, 1, 0.1, 0, 0, 0, 1}, start[6] = {0}, room[POSE_ROOM];
  double report[POSE_REPORT] = {0};
  pose_room(room);
  for (int call = 0; call < 50; call++) {
    evaluations = 0;
    solve_target(T, start, call ? -1 : 5, room, report);
    printf("%d %d\\n", (int)report[0], evaluations);
  }
  return 0;
}
"""
    printed = run([compile_c(counted + main, tmp_path, [*STRICT, "-Wstack-usage=4096"])])
    assert printed == [["6", "7"]] * 50  # the pose has no solution, and each call resumes the search
    (tmp_path / "solver.c").write_text(text)
    subprocess.run(["cc", "-c", "-o", "solver.o", "solver.c"], cwd=tmp_path, check=True)
    symbols = run(["nm", "-g", "--defined-only", tmp_path / "solver.o"])
    assert sorted(line[-1] for line in symbols) == ["pose_room", "solve_target"]
