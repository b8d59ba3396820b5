"""What a cause says, with places for its numbers: here and on the page that runs the same text."""

from __future__ import annotations

POINT, NOTHING = "the point is out of reach", "no configuration"
LIMITS, PLANE = "joint limits exclude it", "fewer than six directions"
REST = "at rest at a singular configuration"

SAYS = {
    POINT: "by {miss}: it is {away} m from the first axis's point {center}; the links allow {bound}.",
    NOTHING: "the arm's equations have no solution ({form}).",
    LIMITS: "without limits there are {count}; outside of them, one by one: {each}.",
    PLANE: "all axes are parallel to {axis}, so the tip moves in a plane; {parts}.",
    REST: "the smallest singular value is {value}; to first order the tip cannot {lost}.",
}

MOST, LEAST = "at most {most} m", "at least {least} m"

BEYOND, MORE, TIMES = "{joint} by {over} {unit}", " (and {more} more)", " ({k} times)"

TILTED, OFF = "the target is tilted out of it by {tilt}°", "it is {height} off it"

TURN, MOVE = "turn about {axis} of its own axes", "move along {axis} of its own axes"
BOTH = "turn about {axis} while moving {along} m per rad"

FLAT = 1e-6
"""A slope is zero below this, of the error's length times the Jacobian's."""

LOST = 1e-6
"""A direction is lost where its singular value is below this, of the largest."""


def for_page() -> dict[str, object]:
    """Return all of these by the names that a page has for them."""
    keys = {"point": POINT, "nothing": NOTHING, "limits": LIMITS, "plane": PLANE, "rest": REST}
    says = {key: SAYS[name] for key, name in keys.items()}
    bounds = {"most": MOST, "least": LEAST, "tilted": TILTED, "off": OFF, "turn": TURN, "move": MOVE, "both": BOTH}
    beyond = {"beyond": BEYOND, "more": MORE, "times": TIMES, "flat": FLAT, "lost": LOST}
    return {"names": keys, "says": says, **bounds, **beyond}
