"""The result of an explanation: causes and their messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lessons_lib.arrays import Array


@dataclass(frozen=True, eq=False)
class Cause:
    """One reason why a pose was not reached.

    >>> from lessons_lib import pose_ik, robots
    >>> far = [[1, 0, 0, 2.0], [0, 1, 0, 0.0], [0, 0, 1, 0.5], [0, 0, 0, 1]]
    >>> pose_ik.solve(robots.ur10(), far).explain().causes[0].proven
    True

    Attributes:
        name: A few words, for instance "the point is out of reach".
        proven: True if the cause is proven, False if it is suspected.
        sentence: The numbers that support the cause.
        remedy: Advice to the caller.
        q: A configuration that demonstrates the cause, shape (n,), rad or m; None if there is none.
        is_mistake: True for a likely mistake in the target, in q0 or in the limits.
    """

    name: str
    proven: bool
    sentence: str
    remedy: str
    q: Array | None = None
    is_mistake: bool = False

    def __str__(self) -> str:
        """Return name, certainty, numbers and remedy in one line."""
        certainty = "proven" if self.proven else "likely mistake" if self.is_mistake else "suspected"
        return f"{self.name[:1].upper()}{self.name[1:]} ({certainty}): {self.sentence} {self.remedy}".rstrip()


@dataclass(frozen=True, eq=False)
class Explanation:
    """The causes of a failure, proven ones first; a sequence of `Cause`.

    >>> from lessons_lib import pose_ik, robots
    >>> far = [[1, 0, 0, 2.0], [0, 1, 0, 0.0], [0, 0, 1, 0.5], [0, 0, 0, 1]]
    >>> pose_ik.solve(robots.ur10(), far).explain().reached
    False

    Attributes:
        causes: The established causes; empty if there are none, or if the pose was reached.
        reached: Whether the pose was reached.
        not_judged: Open questions, each with the reason, one sentence each.
        start: A start from which the pose is solved, shape (n,), if no cause is established; otherwise None.
    """

    causes: tuple[Cause, ...]
    reached: bool
    not_judged: tuple[str, ...] = ()
    start: Array | None = None

    def __len__(self) -> int:
        """Return the number of causes."""
        return len(self.causes)

    def __getitem__(self, i: int) -> Cause:
        """Return cause i."""
        return self.causes[i]

    def __iter__(self) -> Iterator[Cause]:
        """Iterate over the causes in order."""
        return iter(self.causes)

    def __str__(self) -> str:
        """Return one line for each cause and for each open question."""
        if self.reached:
            return "The pose is reached."
        start = [] if self.start is None else [round(float(x), 4) for x in self.start]
        known = f" The solve from q0 = {start} succeeds." if start else ""
        lines = [str(cause) for cause in self.causes] or [f"No cause is established.{known}"]
        return "\n".join([*lines, *(f"Undecided: {question}." for question in self.not_judged)])

    __repr__ = __str__


POINT, NOTHING = "the point is out of reach", "no configuration"
LIMITS, PLANE = "joint limits exclude it", "fewer than six directions"
REST = "at rest at a singular configuration"
SENTENCES = {
    POINT: "it is {away} {unit} from the point {center} on the first axis, but the links allow {bound}, a difference "
    "of {miss}.",
    NOTHING: "the arm's equations have no solution ({form}).",
    LIMITS: "without limits there are {count}; each violates a limit: {each}.",
    PLANE: "all axes are parallel to {axis}, so the tip moves in a plane; {parts}.",
    REST: "the smallest singular value is {value}; to first order, the tip cannot {lost}.",
}
MOST, LEAST = "at most {most} {unit}", "at least {least} {unit}"
BEYOND, MORE, TIMES = "{joint} by {over} {unit}", " (and {more} more)", " ({k} times)"
TILTED, OFF = "the target is tilted out of it by {tilt}°", "the target is {height} off it"
TURN, MOVE = "rotate about {axis} in its own frame", "move along {axis} in its own frame"
BOTH = "rotate about {axis} while moving {along} {unit} per rad"

FLAT, SINGULAR = 1e-6, 1e-6
"""Bounds below which a gradient, relative to |error||J|, and a singular value, relative to the largest, are zero."""


def page_messages() -> dict[str, object]:
    """Return the messages under the names that course/bring_your_robot/why.ts uses; arms of a page are in metres."""
    keys = {"point": POINT, "nothing": NOTHING, "limits": LIMITS, "plane": PLANE, "rest": REST}
    says = {key: SENTENCES[name].replace("{unit}", "m") for key, name in keys.items()}
    bounds = {"most": MOST, "least": LEAST, "tilted": TILTED, "off": OFF, "turn": TURN, "move": MOVE, "both": BOTH}
    bounds = {key: text.replace("{unit}", "m") for key, text in bounds.items()}
    beyond = {"beyond": BEYOND, "more": MORE, "times": TIMES, "flat": FLAT, "lost": SINGULAR}
    return {"names": keys, "says": says, **bounds, **beyond}


def format_length(x: float, unit: str) -> str:
    """Format a length with its unit; metres below 1 m in millimetres."""
    return f"{1000 * x:.4g} mm" if unit == "m" and x < 1.0 else f"{x:.4g} {unit}"


def format_vector(point: Array) -> str:
    return "(" + ", ".join(f"{x + 0.0:.4g}" for x in point) + ")"
