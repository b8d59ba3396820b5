"""One step of differential IK, a hand's pose and a posture within limits, against Pink, every term of it by itself.

Both sides get the same robots, configurations, targets, costs and limits; Pink solves with DAQP. Their velocities are
compared before anything is timed. Then a loop runs at 200 Hz and counts the ticks that it missed.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import daqp
import numpy as np

from lessons_lib import differential_ik as dik
from lessons_lib import robots
from lessons_lib.differential_ik.limits.rate_limits import default_limits
from lessons_lib.differential_ik.solver.problem import box_and_rows, sum_objectives
from tools.benchmarks import machine
from tools.benchmarks.report import Cell, Report, main, say
from tools.benchmarks.timing import in_turn

Terms = dict[str, Callable[[int], Any]]

STEPS, PASSES, SEED = 1000, 5, 5
DT, DAMPING, RATE, SECONDS = 5e-3, 1e-12, 200.0, 5.0
FILES = "example-robot-data"
ROBOTS = {  # file, whether the base floats, frame of the task
    "UR10": ("ur10_robot", False, "tool0"),
    "Panda": ("panda", False, "panda_link8"),
    "Go2": ("go2", True, "FR_foot"),
    "TALOS": ("talos_reduced", True, "gripper_left_base_link"),
}
COLUMNS = {"robot": "robot", "term": "term", "ours": "ours µs", "pink": "Pink µs", "ratio": "×"}
LOOP = "loop at 200 Hz"
NOTES = (
    "kinematics: update(q); build: what goes to the solver; solver: DAQP alone, ours with bounds of Δq as a box",
    "solve_ik: limits checked, problem built and solved; step: solve_ik and integrate_inplace",
    "Pink's DAQP may leave a bound by its tolerance of 1e-6, in rad or m; ours leaves none",
    f"median over the steps, then over {PASSES} passes; ×: how many times ours is faster",
)


def measure(steps: int) -> Report:
    """Return the report of all robots."""
    missing = machine.absent("Pink")
    rows: list[dict[str, Cell]] = []
    notes = list(NOTES)
    loops = {}
    for name, (file, floating, frame) in ROBOTS.items():
        say(f"differential IK: {name}, {steps:,} steps, {PASSES} passes")
        path = urdf(file)
        problems = Problems(path, floating, frame, steps)
        ours, theirs = problems.ours(), {} if missing else problems.pinks()
        if theirs:
            notes.append(f"{name}: the velocities of both differ by at most {disagreement(ours, theirs, steps):.1e}")
        rows += [row(name, term, ours, theirs, steps) for term in ours if term != "velocity"]
        report = loop(problems.tree, frame, min(SECONDS, steps / RATE))
        notes.append(f"{name}, {LOOP}: {report}")
        loops[name] = {"ticks": report.ticks, "missed": report.missed, "rate": round(report.rate, 2)}
    settings: dict[str, Cell] = {"steps": steps, "dt [s]": DT, "damping": DAMPING, "seed": SEED}
    claim = "one step of differential IK, a FrameTask and a PostureTask within limits, against Pink with DAQP"
    return Report("differential_ik", claim, COLUMNS, rows, settings, missing, notes, {"loops": loops})


def urdf(file: str) -> Path:
    """Return the path of a file of example-robot-data."""
    folder = Path(str(metadata.distribution(FILES).locate_file("cmeel.prefix/share/example-robot-data/robots")))
    return min(folder.rglob(f"{file}.urdf"))


def row(name: str, term: str, ours: Terms, theirs: Terms, steps: int) -> dict[str, Cell]:
    """Return a row of the table: both sides timed in turn."""
    sides = {"ours": ours[term]} | ({"pink": theirs[term]} if theirs else {})
    timed = in_turn(sides, [(i,) for i in range(steps)], passes=PASSES)
    medians: dict[str, Cell] = {side: times.statistics()["median"] for side, times in timed.items()}
    compared = {"ratio": medians["pink"] / medians["ours"]} if theirs else {}  # type: ignore[operator]
    return {"robot": name, "term": term} | medians | compared


def disagreement(ours: Terms, theirs: Terms, steps: int) -> float:
    """Return the largest difference of both sides' velocities, relative to their length."""
    pairs = [(ours["velocity"](i), theirs["velocity"](i)) for i in range(steps)]
    return max(float(np.linalg.norm(v - w) / np.linalg.norm(w)) for v, w in pairs)


class Problems:
    """Random configurations within the limits, each with a pose to reach and a posture to keep."""

    def __init__(self, path: Path, floating: bool, frame: str, steps: int) -> None:
        """Draw them."""
        self.path, self.floating, self.frame = path, floating, frame
        self.tree = robots.load_urdf(path, floating_base=floating)
        rng = np.random.default_rng(SEED)
        drawn = (self.tree.random_configuration(rng) for _ in range(2 * steps))
        self.q, self.posture = np.array(list(drawn)).reshape(2, steps, self.tree.nq)
        shift = rng.uniform(-0.05, 0.05, (steps, 3))
        self.targets = np.array([self.tree.forward_kinematics(q, frame) for q in self.q])
        self.targets[:, :3, 3] += shift

    def ours(self) -> Terms:
        """Return each term of ours as a function of the step's number."""
        tree, q = self.tree, self.q
        at = [dik.Configuration(tree, value) for value in q]
        tasks = [self._tasks(dik.FrameTask, dik.PostureTask, i, self.targets[i]) for i in range(len(q))]
        limits = default_limits(tree)
        objectives = [sum_objectives(at[i], tasks[i], DAMPING) for i in range(len(q))]
        boxes = [box_and_rows(where, limits, DT)[:2] for where in at]
        no_rows, kinds = np.zeros((0, tree.nv)), np.zeros(tree.nv, dtype=np.intc)
        moving, still = dik.Configuration(tree, q[0]), np.zeros(tree.nv)

        def build(i: int) -> None:
            sum_objectives(at[i], tasks[i], DAMPING)
            box_and_rows(at[i], limits, DT)

        def step(i: int) -> None:
            at[i].integrate_inplace(dik.solve_ik(at[i], tasks[i], DT), 0.0)  # in place, and the same for each pass

        return {
            "kinematics": lambda i: moving.update(q[i]),
            "check_limits": lambda i: at[i].check_limits(),
            "build": build,
            "solver": lambda i: daqp.solve(*objectives[i], no_rows, boxes[i][1], boxes[i][0], kinds),
            "integrate_inplace": lambda i: at[i].integrate_inplace(still, DT),
            "solve_ik": lambda i: dik.solve_ik(at[i], tasks[i], DT),
            "step": step,
            "velocity": lambda i: dik.solve_ik(at[i], tasks[i], DT),
        }

    def pinks(self) -> Terms:
        """Return each term of Pink's as a function of the step's number."""
        import pink
        import pinocchio
        from pink.tasks import FrameTask, PostureTask

        base = (pinocchio.JointModelFreeFlyer(), "root_joint") if self.floating else ()
        model = pinocchio.buildModelFromUrdf(str(self.path), *base, mimic=True)
        order = np.array([3, 4, 5, 0, 1, 2, *range(6, model.nv)]) if self.floating else np.arange(model.nv)
        at = [pink.Configuration(model, model.createData(), value) for value in self.q]
        goals = [pinocchio.SE3(target) for target in self.targets]
        tasks = [self._tasks(FrameTask, PostureTask, i, goals[i]) for i in range(len(self.q))]
        problems = [pink.build_ik(at[i], tasks[i], DT, DAMPING) for i in range(len(at))]
        below = np.full(len(problems[0].h), -1e30)
        kinds = np.zeros(len(below), dtype=np.intc)
        moving, still = pink.Configuration(model, model.createData(), self.q[0]), np.zeros(model.nv)

        def solver(i: int) -> None:
            daqp.solve(problems[i].P, problems[i].q, problems[i].G, problems[i].h, below, kinds)

        def step(i: int) -> None:
            at[i].integrate_inplace(pink.solve_ik(at[i], tasks[i], DT, solver="daqp"), 0.0)

        return {
            "kinematics": lambda i: moving.update(self.q[i]),
            "check_limits": lambda i: at[i].check_limits(),
            "build": lambda i: pink.build_ik(at[i], tasks[i], DT, DAMPING),
            "solver": solver,
            "integrate_inplace": lambda i: at[i].integrate_inplace(still, DT),
            "solve_ik": lambda i: pink.solve_ik(at[i], tasks[i], DT, solver="daqp"),
            "step": step,
            "velocity": lambda i: pink.solve_ik(at[i], tasks[i], DT, solver="daqp")[order],
        }

    def _tasks(self, frame_task: Any, posture_task: Any, i: int, target: Any) -> list[Any]:
        hand = frame_task(self.frame, position_cost=1.0, orientation_cost=1.0, lm_damping=1e-3)
        posture = posture_task(cost=1e-2)
        hand.set_target(target)
        posture.set_target(self.posture[i])
        return [hand, posture]


def loop(tree: robots.Tree, frame: str, seconds: float) -> dik.LoopReport:
    """Return the report of a 200 Hz loop in which a frame follows a circle of 5 cm."""
    q = np.clip(tree.q0, tree.lower, tree.upper)
    at = dik.Configuration(tree, q)
    hand, posture = dik.FrameTask(frame, 1.0, 1.0, lm_damping=1e-3), dik.PostureTask(1e-2)
    posture.set_target(q)
    start = at.get_transform_frame_to_world(frame)

    def step(now: float) -> None:
        target = start.copy()
        target[:2, 3] += 0.05 * np.array([np.cos(np.pi * now) - 1.0, np.sin(np.pi * now)])
        hand.set_target(target)
        at.integrate_inplace(dik.solve_ik(at, [hand, posture], 1.0 / RATE), 1.0 / RATE)

    step(0.0)  # what is compiled at the first call is compiled now
    return dik.run_loop(step, RATE, seconds)


if __name__ == "__main__":
    main(measure, STEPS, "random configurations of each robot")
