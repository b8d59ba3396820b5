"""Why a pose was not reached, in an order of causes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lessons_lib.arrays import Array


@dataclass(frozen=True, eq=False)
class Cause:
    """One reason why a pose was not reached.

    Attributes:
        name: In a few words, "the point is out of reach" for instance.
        proven: Whether it is proven; otherwise suspected, and the number shows what speaks for it.
        sentence: What is the case, with the number that shows it.
        remedy: What helps.
        q: A configuration that shows it, shape (n,), rad or m, where there is one.
    """

    name: str
    proven: bool
    sentence: str
    remedy: str
    q: Array | None = None

    def __str__(self) -> str:
        """Return it as one line, which can stand behind another's full stop."""
        name = f"{self.name[:1].upper()}{self.name[1:]}"
        return f"{name} ({'proven' if self.proven else 'suspected'}): {self.sentence} {self.remedy}"


@dataclass(frozen=True, eq=False)
class Explanation:
    """The causes of a failure, those first that leave no other way; a sequence of `Cause`.

    Attributes:
        causes: What is established; empty where nothing is, and where the pose was reached.
        reached: Whether the pose was reached.
        not_judged: What could not be looked at, and why, one sentence each.
        start: A start from which the pose is solved, shape (n,), where no cause is established and one is known.
    """

    causes: tuple[Cause, ...]
    reached: bool
    not_judged: tuple[str, ...] = ()
    start: Array | None = None

    def __len__(self) -> int:
        """Return how many causes there are."""
        return len(self.causes)

    def __getitem__(self, i: int) -> Cause:
        """Return one of them."""
        return self.causes[i]

    def __iter__(self) -> Iterator[Cause]:
        """Yield them in order."""
        return iter(self.causes)

    def __str__(self) -> str:
        """Return a line for each cause, and for what was not judged."""
        if self.reached:
            return "The pose is reached."
        known = "" if self.start is None else f" From q0 = {[round(float(x), 4) for x in self.start]} it is solved."
        lines = [str(cause) for cause in self.causes] or [f"No cause is established.{known}"]
        return "\n".join([*lines, *(f"Not judged: {words}." for words in self.not_judged)])

    __repr__ = __str__


POINT, NOTHING = "the point is out of reach", "no configuration"
LIMITS, PLANE = "joint limits exclude it", "fewer than six directions"
REST = "at rest at a singular configuration"

SAYS = {
    POINT: "by {miss}: it is {away} {unit} from the first axis's point {center}; the links allow {bound}.",
    NOTHING: "the arm's equations have no solution ({form}).",
    LIMITS: "without limits there are {count}; outside of them, one by one: {each}.",
    PLANE: "all axes are parallel to {axis}, so the tip moves in a plane; {parts}.",
    REST: "the smallest singular value is {value}; to first order the tip cannot {lost}.",
}

MOST, LEAST = "at most {most} {unit}", "at least {least} {unit}"

BEYOND, MORE, TIMES = "{joint} by {over} {unit}", " (and {more} more)", " ({k} times)"

TILTED, OFF = "the target is tilted out of it by {tilt}°", "it is {height} off it"

TURN, MOVE = "turn about {axis} of its own axes", "move along {axis} of its own axes"
BOTH = "turn about {axis} while moving {along} {unit} per rad"

FLAT = 1e-6
"""A slope is zero below this, of the error's length times the Jacobian's."""

LOST = 1e-6
"""A direction is lost where its singular value is below this, of the largest."""


def length(x: float, unit: str) -> str:
    """Return a length with its unit; one that is known to be in metres and is below one metre, in millimetres."""
    return f"{1000 * x:.4g} mm" if unit == "m" and x < 1.0 else f"{x:.4g} {unit}"


def told(point: Array) -> str:
    """Return a point or a direction in words."""
    return "(" + ", ".join(f"{x + 0.0:.4g}" for x in point) + ")"


def for_page() -> dict[str, object]:
    """Return all of these by the names that a page has for them; the arms of a page are in metres."""
    keys = {"point": POINT, "nothing": NOTHING, "limits": LIMITS, "plane": PLANE, "rest": REST}
    says = {key: SAYS[name].replace("{unit}", "m") for key, name in keys.items()}
    bounds = {"most": MOST, "least": LEAST, "tilted": TILTED, "off": OFF, "turn": TURN, "move": MOVE, "both": BOTH}
    bounds = {key: words.replace("{unit}", "m") for key, words in bounds.items()}
    beyond = {"beyond": BEYOND, "more": MORE, "times": TIMES, "flat": FLAT, "lost": LOST}
    return {"names": keys, "says": says, **bounds, **beyond}
