"""One kernel of a kinematic tree: poses of its frames, Jacobians of some, its centre of mass."""
# a tree is derived as a whole, joint by joint, with the formulas of the loops in `robots/tree_loops.py`

from collections.abc import Iterable, Sequence
from typing import Any

import sympy as sp

from lessons_lib.codegen import Kernel, linker
from lessons_lib.codegen.linker import Recipe
from lessons_lib.codegen.plain_files import Plain
from lessons_lib.errors import ParameterError
from lessons_lib.robots import Tree, tree_derivation
from lessons_lib.robots import tree_layout as layout
from lessons_lib.robots.kinematics import exact
from lessons_lib.symbolic import open_tree, se3

Twist = tuple[int, sp.Matrix]
"""The index of the rate, and the space twist per unit of that rate."""


class _Poses:
    """Poses and twists of all joints, with a symbol for each entry to keep later expressions short."""

    def __init__(self, tree: Tree) -> None:
        arrays = tree.arrays
        if (arrays.joints[:, layout.KIND] == layout.PLANAR).any():
            raise ParameterError(f"the base of {tree.name} must be fixed or floating, got a planar one")
        self.q = sp.Matrix(sp.symbols(f"q0:{tree.nq}", real=True))
        self.steps: list[tuple[sp.Symbol, sp.Expr]] = []
        self.joints: list[sp.Matrix] = [sp.eye(4)]
        self.twists: list[list[Twist]] = [[]]
        for i, (kind, parent, at, rate, _) in enumerate(arrays.joints.tolist()):
            seat = self.name_entries(open_tree.place(self.joints[parent], exact(arrays.placements[i])), f"p{i}_")
            if kind == layout.FREE:
                T, columns = open_tree.free_step(seat, self.q[at : at + 7, :])
                own = [(rate + k, columns[:, k]) for k in range(6)]
            else:
                ratio, offset = exact(arrays.ratios[i : i + 1])
                screw = open_tree.PRISMATIC if kind == layout.PRISMATIC else open_tree.REVOLUTE
                T, twist = open_tree.joint_step(seat, screw, ratio * self.q[at] + offset, ratio)
                own = [(rate, twist)]
            self.joints.append(self.name_entries(T, f"t{i}_"))
            named = [(column, self.name_entries(twist, f"s{i}_{column}_")) for column, twist in own]
            self.twists.append([*self.twists[parent], *named])

    def name_entries(self, matrix: sp.Matrix, letters: str) -> sp.Matrix:
        """Return the matrix with a symbol in place of each expression."""
        copied = matrix.copy()
        for k, entry in enumerate(matrix):
            if not entry.is_Atom:
                copied[k] = sp.Symbol(f"{letters}{k}", real=True)
                self.steps.append((copied[k], entry))
        return copied


def tree_kernel(
    tree: Tree,
    frames: Iterable[str],
    points: Iterable[str] = (),
    bodies: Iterable[str] = (),
    centre: bool = False,
    name: str = "tree_kernel",
) -> Kernel:
    """Return the kernel q → T_FRAME, J_FRAME, B_FRAME and centre, all in {s} except the body Jacobians B."""
    # `frames` have their pose as an output, 4×4; `points` the Jacobian of their origin, 3×nv, m per unit of each rate;
    # `bodies` their body Jacobian, 6×nv
    poses, outputs = _Poses(tree), dict[str, sp.Matrix]()
    seats = {frame: tree.frame_placement(frame) for frame in dict.fromkeys([*frames, *points, *bodies])}
    placed = {
        frame: poses.name_entries(open_tree.place(poses.joints[carrier], exact(offset)), f"f{k}_")
        for k, (frame, (carrier, offset)) in enumerate(seats.items())
    }
    outputs |= {f"T_{frame}": placed[frame] for frame in frames}
    for frame in points:
        at = placed[frame]
        velocities = [(rate, se3.position(se3.hat(twist) * at)) for rate, twist in poses.twists[seats[frame][0]]]
        outputs[f"J_{frame}"] = _columns(3, tree.nv, velocities)
    for frame in bodies:
        twists = poses.twists[seats[frame][0]]
        twists_of_joints = [(rate, open_tree.into_frame(placed[frame], twist)) for rate, twist in twists]
        outputs[f"B_{frame}"] = _columns(6, tree.nv, twists_of_joints)
    if centre:
        carried = [exact(body[:, None]) for body in tree.arrays.bodies[1:]]
        moments = [open_tree.moment(T, body) for T, body in zip(poses.joints[1:], carried, strict=True)]
        whole = sum(moments, sp.zeros(4, 1))
        outputs["centre"] = sp.Matrix(whole[1:]) / whole[0]
    made_by = [open_tree.joint_step, open_tree.place, open_tree.free_step, open_tree.into_frame, open_tree.moment]
    wide = [key for key in outputs if key != "centre"]
    return Kernel(name, {"q": poses.q}, outputs, poses.steps, "Poses, Jacobians and centre.", wide, by=made_by)


def _columns(rows: int, nv: int, columns: Sequence[Twist]) -> sp.Matrix:
    """Return the columns by rate, summed for joints that mimic one another."""
    J = sp.zeros(rows, nv)
    for rate, column in columns:
        J[:, rate] += column
    return J


def bounded_least_squares() -> tuple[str, Any, tuple[str, ...]]:
    """Return the printed function that solves the quadratic program of a step; see `js_plain.source`."""
    recipe = Recipe("bounded_least_squares", (Plain("lessons_lib.course.live.bounded_least_squares"),))
    types = ("f2", "f1", "f1", "f1", "f2", "i", "f1", "f1")
    return "bounded_least_squares", linker.load(recipe).bounded_least_squares, types


def free_kernels() -> list[Kernel]:
    """Return the kernels that integrate a free joint: q of T(q) exp [ξ]."""
    return [kernel for kernel in tree_derivation.derive() if kernel.name == "free_integral_kernel"]
