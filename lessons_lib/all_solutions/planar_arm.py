"""Strategy for a planar arm: two or three parallel revolute joints, with or without a prismatic joint along them."""
# the motion must keep the common direction n and, without a prismatic joint, have no translation along n

from dataclasses import dataclass

import numpy as np

from lessons_lib.all_solutions import decisions as form
from lessons_lib.all_solutions import subproblems
from lessons_lib.all_solutions.decisions import decision_bits
from lessons_lib.all_solutions.families import UNLIMITED, Family
from lessons_lib.all_solutions.interval import INTERVAL_MATH, Interval, UndecidedComparison, enclose_array, rebind_math
from lessons_lib.all_solutions.proof import exact_motion
from lessons_lib.all_solutions.recognition import EXACT, arm_length, write_perpendicular
from lessons_lib.all_solutions.solutions import SolutionRows, Solutions, limited_family, wrap_within
from lessons_lib.all_solutions.subproblems import branch_count, count_elbow_solutions, elbow_angles, planar_rotation
from lessons_lib.arrays import Array
from lessons_lib.certificates.error_bounds import INPUT_ERROR
from lessons_lib.lazy import cached_property
from lessons_lib.robots import Chain

PLANE_TOLERANCE = 1e-12  # of a motion in the plane, rad and lengths of the arm
TOL = (2e-14, 1e-15, 0.0)  # see subproblems.py


@dataclass(frozen=True, eq=False)
class PlanarArm:
    """Strategy for a planar arm, with the indices of its joints."""

    arm: Chain
    revolute: tuple[int, ...]
    prismatic: tuple[int, ...]

    @property
    def sentence(self) -> str:
        parallel = ", ".join(str(j + 1) for j in self.revolute)
        along = "".join(f", joint {j + 1} is prismatic along them" for j in self.prismatic)
        return f"axes {parallel} are parallel{along}"

    @cached_property
    def frame(self) -> Array:
        """Two directions perpendicular to the revolute axes, and theirs, as rows g₁, g₂, n."""
        R = np.empty((3, 3))
        R[2] = self.arm.screws[:3, self.revolute[0]]
        write_perpendicular(tuple(R[2].tolist()), 0, 1, R)
        return R

    def solve(self, target: Array, limits: Array) -> SolutionRows:
        R, t, p, length = self._motion(target)
        if self._leaves_plane(R, t, length):
            return np.empty((0, self.arm.dof)), np.zeros(1, dtype=np.int64), 0
        screws, total = self.arm.screws, np.arctan2(R[1, 0], R[0, 0])
        reach = R[:2, :2] @ p[-1] + t[:2] - p[0]
        q: list[Array] = []
        codes: list[int] = []
        flags = 0
        for angles, code in self._joint_angles(p, reach, length):
            flags |= code
            one = np.zeros(self.arm.dof)
            one[list(self.revolute)] = self._signs * np.array([*angles, total - sum(angles)])
            for j in self.prismatic:
                one[j] = t[2] * float(np.sign(screws[3:, j] @ self.frame[2]))
            moved = wrap_within(one, self.arm, limits)
            if moved is not None:
                q.append(moved)
                codes.append(code)
        return np.array(q).reshape(-1, self.arm.dof), np.array([flags, *codes]), len(q)

    def _motion(self, target: Array) -> tuple[Array, Array, Array, float]:
        """Return R and t of the tip's motion in `frame`, the joints' positions in the plane, and the arm's length."""
        screws, home = self.arm.screws[:, self.revolute], self.arm.home
        motion = target @ np.linalg.inv(home)
        points = np.cross(screws[:3].T, screws[3:].T)
        R, t = self.frame @ motion[:3, :3] @ self.frame.T, self.frame @ motion[:3, 3]
        length = arm_length(screws[:3].T, points, float(np.linalg.norm(home[:3, 3])))
        return R, t, (points @ self.frame.T)[:, :2], length

    def _leaves_plane(self, R: Array, t: Array, length: float, by: float = PLANE_TOLERANCE) -> bool:
        out = 0.0 if self.prismatic else abs(float(t[2])) / length
        return max(float(np.abs(R[2, :2]).max()), float(np.abs(R[:2, 2]).max()), out) > by

    @cached_property
    def _signs(self) -> Array:
        signs: Array = np.sign(self.frame[2] @ self.arm.screws[:3, self.revolute])
        return signs

    def _joint_angles(self, p: Array, reach: Array, length: float) -> list[tuple[tuple[float, ...], int]]:
        """Return the angles of all revolute joints except the last, with the codes."""
        link = (float(p[1, 0] - p[0, 0]), float(p[1, 1] - p[0, 1]))
        x = (float(reach[0]), float(reach[1]))
        if len(p) == 2:
            least, size = PLANE_TOLERANCE * length, np.hypot(*link)
            if abs(size - np.hypot(*x)) > least or size <= least:
                return []
            c, s = planar_rotation(link, x)
            return [((float(np.arctan2(s, c)),), 0)]
        forearm = (float(p[2, 0] - p[1, 0]), float(p[2, 1] - p[1, 1]))
        count, ring = count_elbow_solutions(link, forearm, x, length, TOL, 1.0)
        solutions: list[tuple[tuple[float, ...], int]] = []
        for k in range(branch_count(count)):
            c2, s2, c3, s3 = elbow_angles(count, link, forearm, x, ring, k, (1.0, 0.0))
            angles = float(np.arctan2(s2, c2)), float(np.arctan2(s3, c3))
            solutions.append((angles, decision_bits(count, k, form.ELBOW)))
        return solutions

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return the side of the elbow of each isolated solution, seen against n."""
        if len(self.revolute) == 2:
            return tuple(() for _ in solutions.q)
        words = {0: "elbow right", form.ELBOW: "elbow left", 64 * form.ELBOW: "elbow straight"}
        return tuple((words[int(code) & (form.ELBOW | 64 * form.ELBOW)],) for code in solutions.codes)

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        """Return the family of folded links of equal length: the first angle is arbitrary."""
        if not solutions.flags & 8 * form.ELBOW:
            return ()
        folded = self.solve(solutions.target, UNLIMITED[: self.arm.dof])[0][0]
        revolute = list(self.revolute)
        first, _, last = revolute

        def member(value: float) -> Array:
            q: Array = folded.copy()
            q[first] = value
            q[last] -= self._signs[2] * self._signs[0] * (value - folded[first])
            return q

        family = limited_family(solutions, first, member, ("elbow folded",))
        return () if family is None else (family,)

    def reason(self, solutions: Solutions) -> str:
        R, t, p, length = self._motion(solutions.target)
        if self._leaves_plane(R, t, length):
            return ""
        if self._leaves_plane(R, t, length, 0.0):
            return "rounding decides whether the pose is in the arm's plane"
        if len(p) == 2:
            reach = R[:2, :2] @ p[-1] + t[:2] - p[0]
            apart = abs(np.hypot(*(p[1] - p[0])) - np.hypot(*reach)) > PLANE_TOLERANCE * length
            return "" if apart else "rounding decides whether the pose is in reach"
        try:
            count = self._proven_count(solutions.target, p, length)
        except UndecidedComparison as undecided:
            return f"rounding hides {undecided}"
        if branch_count(count) != self.solve(solutions.target, UNLIMITED[: self.arm.dof])[2]:
            return "rounding decides the number of branches"
        near = np.abs(solutions.q[:, None, :, None] - solutions.limits).min(initial=np.inf)
        return "" if near > PLANE_TOLERANCE else "up to rounding, a solution is at a joint limit"

    def _proven_count(self, target: Array, p: Array, length: float) -> int:
        """Count the solutions of two links on intervals."""
        R, t = exact_motion(target, self.arm.home, False, float)
        K, F = enclose_array(p, INPUT_ERROR * max(1.0, length)), self.frame
        tip = np.array([Interval.around(float(x), INPUT_ERROR * length) for x in F[:2].T @ p[-1]], dtype=object)
        x = F[:2] @ (np.array(R, dtype=object) @ tip + np.array(t, dtype=object)) - K[0]
        u, v = ((K[j + 1, 0] - K[j, 0], K[j + 1, 1] - K[j, 1]) for j in range(2))
        count_on_intervals = rebind_math(INTERVAL_MATH, count_elbow_solutions, subproblems)
        counted: int = count_on_intervals(u, v, tuple(x), length, (0.0, 0.0, 0.0), 1.0)[0]
        return counted


def planar_strategy(arm: Chain) -> PlanarArm | None:
    revolute = tuple(j for j, kind in enumerate(arm.joint_types) if kind == "revolute")
    prismatic = tuple(j for j, kind in enumerate(arm.joint_types) if kind == "prismatic")
    if len(revolute) not in (2, 3) or len(prismatic) > 1 or len(revolute) + len(prismatic) != arm.dof:
        return None
    n = arm.screws[:3, revolute[0]]
    others = [*(arm.screws[:3, j] for j in revolute), *(arm.screws[3:, j] for j in prismatic)]
    is_planar = all(np.abs(np.cross(n, one)).max() <= EXACT for one in others)
    return PlanarArm(arm, revolute, prismatic) if is_planar else None
