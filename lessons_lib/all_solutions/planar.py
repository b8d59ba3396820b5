"""The road to all answers of an arm that moves in a plane: two or three parallel hinges, and a slide along them.

The motion of the tip has to be one of the plane: its rotation leaves the hinges' direction n as it is and, without a
slide, its translation has no part along n. Then three hinges are two links and a turn that is known; two are one link.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib.all_solutions import crossings
from lessons_lib.all_solutions import decisions as form
from lessons_lib.all_solutions.crossings import on_ring, turn_between
from lessons_lib.all_solutions.decisions import marks, sides, two_links
from lessons_lib.all_solutions.enclosed import ENCLOSED, Enclosed, Undecided, enclosed, on_numbers
from lessons_lib.all_solutions.families import SMALLEST, UNLIMITED, Family, inside, intervals_of
from lessons_lib.all_solutions.proof import exact_motion
from lessons_lib.all_solutions.recognition import EXACT, length_of, write_across
from lessons_lib.all_solutions.solutions import Found, Solutions, within
from lessons_lib.arrays import Array
from lessons_lib.lazy import cached_property
from lessons_lib.robots import Chain

PLANE = 1e-12
"""By how much a motion may leave the plane, in rad and in lengths of the arm."""

BLUR = (2e-14, 1e-15, 0.0)
"""See crossings.py."""


@dataclass(frozen=True, eq=False)
class Planar:
    """An arm that moves in a plane.

    Attributes:
        arm: The arm.
        hinges: Which joints turn.
        slides: Which joint slides, if one does.
    """

    arm: Chain
    hinges: tuple[int, ...]
    slides: tuple[int, ...]

    @property
    def sentence(self) -> str:
        """What the axes do."""
        turning = ", ".join(str(j + 1) for j in self.hinges)
        return f"axes {turning} are parallel" + "".join(f", joint {j + 1} slides along them" for j in self.slides)

    @cached_property
    def frame(self) -> Array:
        """Directions across and along the hinges, rows g₁, g₂, n."""
        found = np.empty((3, 3))
        found[2] = self.arm.screws[:3, self.hinges[0]]
        write_across(tuple(found[2].tolist()), 0, 1, found)
        return found

    def answers(self, target: Array, limits: Array) -> Found:
        """Return every answer within the limits, the codes, and how many there are."""
        R, t, p, length = self._motion(target)
        if self._leaves_plane(R, t, length):
            return np.empty((0, self.arm.dof)), np.zeros(1, dtype=np.int64), 0
        screws, turn = self.arm.screws, np.arctan2(R[1, 0], R[0, 0])
        reach = R[:2, :2] @ p[-1] + t[:2] - p[0]
        q: list[Array] = []
        codes: list[int] = []
        seen = 0
        for angles, code in self._turns(p, reach, length):
            seen |= code
            one = np.zeros(self.arm.dof)
            one[list(self.hinges)] = self._signs * np.array([*angles, turn - sum(angles)])
            for j in self.slides:
                one[j] = t[2] * float(np.sign(screws[3:, j] @ self.frame[2]))
            moved = within(one, self.arm, limits)
            if moved is not None:
                q.append(moved)
                codes.append(code)
        return np.array(q).reshape(-1, self.arm.dof), np.array([seen, *codes]), len(q)

    def _motion(self, target: Array) -> tuple[Array, Array, Array, float]:
        """Return the motion of the tip, R and t in `frame`, the hinges' places across it, and the arm's length."""
        screws, home = self.arm.screws[:, self.hinges], self.arm.home
        motion = target @ np.linalg.inv(home)
        points = np.cross(screws[:3].T, screws[3:].T)
        R, t = self.frame @ motion[:3, :3] @ self.frame.T, self.frame @ motion[:3, 3]
        return R, t, (points @ self.frame.T)[:, :2], length_of(screws[:3].T, points, float(np.linalg.norm(home[:3, 3])))

    def _leaves_plane(self, R: Array, t: Array, length: float, by: float = PLANE) -> bool:
        """Return whether a motion is none of the plane."""
        out = 0.0 if self.slides else abs(float(t[2])) / length
        return max(float(np.abs(R[2, :2]).max()), float(np.abs(R[:2, 2]).max()), out) > by

    @cached_property
    def _signs(self) -> Array:
        signs: Array = np.sign(self.frame[2] @ self.arm.screws[:3, self.hinges])
        return signs

    def _turns(self, p: Array, reach: Array, length: float) -> list[tuple[tuple[float, ...], int]]:
        """Return the turns of all hinges but the last, with the codes."""
        link = (float(p[1, 0] - p[0, 0]), float(p[1, 1] - p[0, 1]))
        x = (float(reach[0]), float(reach[1]))
        if len(p) == 2:
            if abs(np.hypot(*link) - np.hypot(*x)) > PLANE * length or np.hypot(*link) <= PLANE * length:
                return []
            c, s = turn_between(link, x)
            return [((float(np.arctan2(s, c)),), 0)]
        forearm = (float(p[2, 0] - p[1, 0]), float(p[2, 1] - p[1, 1]))
        count, ring = on_ring(link, forearm, x, length, BLUR, 1.0)
        found: list[tuple[tuple[float, ...], int]] = []
        for k in range(sides(count)):
            c2, s2, c3, s3 = two_links(count, link, forearm, x, ring, k, (1.0, 0.0))
            angles = float(np.arctan2(s2, c2)), float(np.arctan2(s3, c3))
            found.append((angles, marks(count, k, form.ELBOW)))
        return found

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return the names of each isolated answer: on which side of the chord the elbow is, seen against n."""
        if len(self.hinges) == 2:
            return tuple(() for _ in solutions.q)
        words = {0: "elbow right", form.ELBOW: "elbow left", 64 * form.ELBOW: "elbow straight"}
        return tuple((words[int(code) & (form.ELBOW | 64 * form.ELBOW)],) for code in solutions.codes)

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        """Return the family of equal links that are folded together: every first turn will do."""
        if not solutions.seen & 8 * form.ELBOW:
            return ()
        folded = self.answers(solutions.target, UNLIMITED[: self.arm.dof])[0][0]
        hinges = list(self.hinges)
        first, _, last = hinges

        def turned(value: float) -> Array:
            q: Array = folded.copy()
            q[first] = value
            q[last] -= self._signs[2] * self._signs[0] * (value - folded[first])
            return q

        def chart(value: float) -> Array | None:
            return within(turned(value), self.arm, solutions.limits)

        def room(value: float) -> float:
            slack = float(inside(turned(value)[None, hinges], solutions.limits[hinges])[0])
            return min(slack, -SMALLEST) if chart(value) is None else max(slack, 0.0)

        low, high = np.clip(solutions.limits[first], -np.pi, np.pi)
        intervals = intervals_of(room, float(low), float(high))
        return (Family(first, intervals, ("elbow folded",), chart),) if intervals else ()

    def reason(self, solutions: Solutions) -> str:
        """Return why it is not proven that no answer is missing."""
        R, t, p, length = self._motion(solutions.target)
        if self._leaves_plane(R, t, length):
            return ""
        if self._leaves_plane(R, t, length, 0.0):
            return "the pose is in the arm's plane to rounding only"
        if len(p) == 2:
            reach = R[:2, :2] @ p[-1] + t[:2] - p[0]
            apart = abs(np.hypot(*(p[1] - p[0])) - np.hypot(*reach)) > PLANE * length
            return "" if apart else "the pose is in reach to rounding only"
        try:
            count = self._enclosed_count(solutions.target, p, length)
        except Undecided as undecided:
            return f"rounding hides {undecided}"
        if sides(count) != self.answers(solutions.target, UNLIMITED[: self.arm.dof])[2]:
            return "a decision was made within its rounding"
        near = np.abs(solutions.q[:, None, :, None] - solutions.limits).min(initial=np.inf)
        return "" if near > PLANE else "an answer is at a limit, to rounding"

    def _enclosed_count(self, target: Array, p: Array, length: float) -> int:
        """Return how many answers two links have, with proof."""
        R, t = exact_motion(target, self.arm.home, False, float)
        K, F = enclosed(p, 4e-16 * max(1.0, length)), self.frame
        tip = [sum((F[i, k] * p[-1, i] for i in range(2)), start=0.0) for k in range(3)]
        moved = [
            sum((R[i][k] * Enclosed.around(float(tip[k]), 4e-16 * length) for k in range(3)), t[i]) for i in range(3)
        ]
        x = [sum((float(F[i, k]) * moved[k] for k in range(3)), start=0.0) - K[0, i] for i in range(2)]
        u, v = ((K[j + 1, 0] - K[j, 0], K[j + 1, 1] - K[j, 1]) for j in range(2))
        counted: int = on_numbers(ENCLOSED, on_ring, crossings)(u, v, tuple(x), length, (0.0, 0.0, 0.0), 1.0)[0]
        return counted


def planar(arm: Chain) -> Planar | None:
    """Return the road of an arm that moves in a plane, or None where it does not."""
    hinges = tuple(j for j, kind in enumerate(arm.joint_types) if kind == "revolute")
    slides = tuple(j for j, kind in enumerate(arm.joint_types) if kind == "prismatic")
    if len(hinges) not in (2, 3) or len(slides) > 1 or len(hinges) + len(slides) != arm.dof:
        return None
    n = arm.screws[:3, hinges[0]]
    others = [*(arm.screws[:3, j] for j in hinges), *(arm.screws[3:, j] for j in slides)]
    return Planar(arm, hinges, slides) if all(np.abs(np.cross(n, one)).max() <= EXACT for one in others) else None
