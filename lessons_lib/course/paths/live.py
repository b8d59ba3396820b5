"""Lesson 14: animate four paths of an arm between two hand poses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib import codegen, lie
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.arm_data import arm_data
from lessons_lib.course.live.control import Choice, Control
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.method_data import kind_of, stop_data
from lessons_lib.course.paths.figures import off_the_line
from lessons_lib.pose_ik import Method, Restarts, Stop, solve
from lessons_lib.robots import ur10
from lessons_lib.studies import METHODS
from lessons_lib.trajectories import Path as Traced
from lessons_lib.trajectories import interpolate, trace
from lessons_lib.trajectories.motion import Interpolation

__all__ = ["PathFigure"]

PARTS = 40
"""The number of segments of a path."""

BEGIN = np.radians([-130.0, -70.0, 95.0, -115.0, -90.0, 0.0])
"""The initial configuration of the UR10, in rad."""

SCREW: Interpolation = "screw"
STRAIGHT: Interpolation = "decoupled"
JOINTS, ALONE = "joints", "from home"
PATHS = (SCREW, STRAIGHT, JOINTS, ALONE)
"""A screw, a straight line, a straight line in joint space, and a straight line with each pose solved from home."""

POLICY, STOP = METHODS["chan"], Stop(max_iterations=100)
"""The solver for each pose: Levenberg-Marquardt with D = λE."""

JUMP = 45.0
"""The change of a joint between two poses, in degrees, beyond which it counts as a jump."""


@dataclass(frozen=True, eq=False)
class Path:
    """A path up to the last reached pose.

    Attributes:
        q: Configurations, shape (m, 6), in rad.
        off: Distance of the tip from the straight line, shape (m,), in m.
        steps: Mean number of solver steps; NaN if nothing is solved.
    """

    q: Array
    off: Array
    steps: float

    @property
    def moves(self) -> Array:
        """The largest change of a joint between two poses, shape (m − 1,), degrees."""
        moves: Array = np.degrees(np.abs(np.diff(self.q, axis=0)).max(axis=1))
        return moves


def kernels() -> list[codegen.Kernel]:
    """Return end_kernel(T_0, change) → T_1; at the part s: screw_kernel, straight_kernel → T, joints_kernel → at."""
    import sympy as sp

    from lessons_lib.symbolic import se3, so3

    T_0 = sp.Matrix(4, 4, lambda i, j: sp.Symbol(f"T{i}{j}", real=True) if i < 3 else int(i == j))
    R_0, p_0 = se3.rotation(T_0), se3.position(T_0)
    shift, turn, s = sp.Matrix(sp.symbols("d0:3", real=True)), sp.Symbol("turn", real=True), sp.Symbol("s0", real=True)
    xi, part = sp.Matrix(sp.symbols("omega0:3 v0:3", real=True)), sp.Matrix([s])
    q, end = (sp.Matrix(sp.symbols(f"{name}0:6", real=True)) for name in "qe")
    lifted = se3.pose(so3.exp(sp.Matrix([0, 0, turn])) * R_0, p_0 + shift)
    straight = se3.pose(R_0 * so3.exp(s * xi[:3, :]), p_0 + s * shift)
    change = shift.col_join(sp.Matrix([turn]))
    return [
        codegen.Kernel("end_kernel", {"T_0": T_0, "change": change}, {"T_1": lifted}, summary="The last pose."),
        codegen.Kernel(
            "screw_kernel", {"T_0": T_0, "xi": xi, "s": part}, {"T": T_0 * se3.exp(s * xi)}, summary="Along one screw."
        ),
        codegen.Kernel(
            "straight_kernel",
            {"T_0": T_0, "xi": xi, "shift": shift, "s": part},
            {"T": straight},
            summary="A straight line for the origin, with the rotation of the screw.",
        ),
        codegen.Kernel("joints_kernel", {"q": q, "end": end, "s": part}, {"at": q + s * (end - q)}, summary="A line."),
    ]


@derived_once
def script() -> str:
    """Return the search for the UR10, and the kernels of the paths."""
    from lessons_lib.course.live.search import logarithm, se3_kernels, source

    more = [se3_kernels()["between_kernel"], *kernels()]
    return source({"ur10": ur10()}, [POLICY.build()], more, [logarithm()])


class PathFigure(LiveFigure):
    """The UR10 moves its hand from one pose to another, on one of four paths.

    Attributes:
        path: Name of the path in `PATHS`.
        dx: Displacement of the hand along x, in m; likewise dy and dz.
        turn: Rotation of the hand about the vertical, in degrees.
    """

    view = "path"
    bundle = "widget3d"
    shapes = ("ur10",)
    title = "Four paths between two poses"
    about = (
        "An arm moves its hand from one frame to another. Four curves show the path of its tip: on a screw, on a "
        "straight line, with every joint at a constant speed, and with each pose solved separately."
    )
    question = "Two of the four paths pass through the same poses. Which of these two jumps, and why?"
    answer = (
        "“Decoupled” and “from home” pass through the same poses, but “decoupled” starts each solve where the arm is. "
        "“From home” starts each solve at home; at the initial settings, it jumps to a different wrist and then to a "
        "different elbow."
    )

    def __init__(self, **values: float | str) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        self.chain = ur10()
        controls: list[Choice | Control] = [
            Choice("path", "path", PATHS, ALONE),
            Control("dx", "shift", "Δx", "m", -1.6, 0.8, 0.01, -0.9),
            Control("dy", "shift", "Δy", "m", -1.6, 0.8, 0.01, -0.1),
            Control("dz", "shift", "Δz", "m", -0.3, 0.8, 0.01, 0.15),
            Control("turn", "turn", "", "°", -175, 175, 1, 120),
        ]
        kind = kind_of(POLICY.build())
        method = {"name": POLICY.name, "kind": kind, "parameter": POLICY.default, "weights": [1.0] * 6}
        data = {
            **arm_data(self.chain, "ur10"),
            "eye": [1.0, 3.45, 1.8],
            "centre": [-0.03, 0.3, 0.32],
            "begin": BEGIN.tolist(),
            "paths": list(PATHS),
            "parts": PARTS,
            "jump": JUMP,
            "method": method,
            "stop": stop_data(STOP),
        }
        super().__init__(controls, script(), values, data)

    @property
    def ends(self) -> tuple[Array, Array]:
        """T_0 and T_1, shape (4, 4), position in m."""
        T_0 = self.chain.forward_kinematics(BEGIN)
        T_1 = T_0.copy()
        T_1[:3, :3] = lie.exp_so3([0.0, 0.0, np.radians(self.turn)]) @ T_0[:3, :3]
        T_1[:3, 3] += self.dx, self.dy, self.dz
        return T_0, T_1

    @property
    def paths(self) -> dict[str, Path]:
        """Each path up to the last reached pose; the joint path is only its start if the screw path is incomplete."""
        method: Method = POLICY.build()
        s = np.linspace(0.0, 1.0, PARTS + 1)
        paths: dict[str, tuple[Array, float]] = {}
        for name in (SCREW, STRAIGHT):
            path = self._follow(name)
            paths[name] = path.q[path.reached], float(path.iterations[path.reached].mean())
        whole = len(paths[SCREW][0]) == len(s)
        paths[JOINTS] = BEGIN + np.outer(s if whole else s[:1], paths[SCREW][0][-1] - BEGIN), np.nan
        alone = []
        for pose in interpolate(*self.ends, s, STRAIGHT):
            result = solve(self.chain, pose, np.zeros(6), method=method, starts=Restarts(0), stop=STOP)
            if not result.converged:
                break
            alone.append(result)
        rows = np.array([result.q for result in alone]).reshape(-1, 6)
        paths[ALONE] = rows, float(np.mean([result.iterations for result in alone])) if alone else np.nan
        return {name: Path(q, self._off(q), steps) for name, (q, steps) in paths.items()}

    @property
    def facts(self) -> dict[str, float]:
        """The control values; the displacement of the tip and the offset of the screw's midpoint, in m; the last s."""
        halfway = interpolate(*self.ends, [0.5], SCREW)[0, :3, 3]
        first, last = (pose[:3, 3] for pose in self.ends)
        off = float(np.linalg.norm(halfway - (first + last) / 2))
        reached = (np.count_nonzero(self._follow(SCREW).reached) - 1) / PARTS
        return {**super().facts, "gone": float(np.linalg.norm(last - first)), "halfway": off, "reached": reached}

    def _follow(self, name: Interpolation) -> Traced:
        poses = interpolate(*self.ends, np.linspace(0.0, 1.0, PARTS + 1), name)
        return trace(self.chain, poses, BEGIN, method=POLICY.build(), starts=Restarts(0), stop=STOP)

    def _off(self, q: Array) -> Array:
        tips = np.array([self.chain.forward_kinematics(row)[:3, 3] for row in q]).reshape(-1, 3)
        return off_the_line(tips, *(pose[:3, 3] for pose in self.ends))
