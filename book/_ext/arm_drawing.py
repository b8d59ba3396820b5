"""The two drawings of the front page, as SVG whose colours come from the page's style sheet."""

from collections.abc import Iterable

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.pose_ik import Stop, Trace

WIDTH = 320  # user units; about the width of a phone, so that 12 units of text are legible there
METRE = 112.0  # user units a metre
ORIGIN = (66.0, 188.0)  # user units: where the base of the arm stands
CHART = {"left": 44.0, "right": 268.0, "top": 34.0, "bottom": 142.0}  # user units: the frame of the error chart


def svg(height: int, name: str, description: str, parts: Iterable[str]) -> str:
    """Return a drawing with its text alternative."""
    return (
        f'<svg class="drawing {name}" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{description}">'
        + "".join(parts)
        + "</svg>"
    )


def joints_of(q: Array) -> Array:
    """Return base, elbow and tip of the 2R arm with links of one metre, shape (3, 2), m."""
    directions = np.cumsum(q)
    links = np.stack([np.cos(directions), np.sin(directions)], axis=1)
    return np.vstack([np.zeros(2), np.cumsum(links, axis=0)])


def on_paper(points: Array) -> Array:
    """Return points [m] in user units, y downwards."""
    placed: Array = np.array(ORIGIN) + points * np.array([METRE, -METRE])
    return placed


def draw_arm(q: Array, number: int, last: int) -> str:
    """Return one pose of the arm; earlier iterates are fainter."""
    points = on_paper(joints_of(q))
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    opacity = 0.3 + 0.7 * number / last
    dots = "".join(f'<circle class="joint" cx="{x:.1f}" cy="{y:.1f}" r="4"/>' for x, y in points[:2])
    tip_x, tip_y = points[2]
    kind = "final" if number == last else "iterate"
    return (
        f'<g class="{kind}" style="opacity:{opacity:.2f}"><polyline class="link" points="{path}"/>{dots}'
        f'<circle class="tip" cx="{tip_x:.1f}" cy="{tip_y:.1f}" r="5"/></g>'
    )


def label_iterate(q: Array, number: int, shift: tuple[float, float]) -> str:
    """Return the iterate's number and its joint angles, ending at the given shift [user units] from its tip."""
    x, y = on_paper(joints_of(q))[2] + np.array(shift)
    first, second = np.degrees(q)
    return f'<text text-anchor="end" x="{x:.1f}" y="{y:.1f}">{number}: ({first:.0f}°, {second:.0f}°)</text>'


def draw_arm_iterates(iterates: Array) -> str:
    """Return the arm at every iterate, the first and the last ones labelled.

    Args:
        iterates: Configurations, shape (k + 1, 2), rad.
    """
    last = len(iterates) - 1
    degrees = np.degrees(iterates)
    arms = [draw_arm(q, number, last) for number, q in enumerate(iterates)]
    labels = [label_iterate(iterates[0], 0, (14, -12)), label_iterate(iterates[last], last, (-10, 5))]
    description = (
        f"A planar arm with two links, drawn at {last + 1} iterates: it starts at ({degrees[0, 0]:.0f}, "
        f"{degrees[0, 1]:.0f}) degrees and ends at ({degrees[last, 0]:.0f}, {degrees[last, 1]:.0f}) degrees."
    )
    return svg(206, "arm", description, [*arms, *labels])


def chart_x(number: int, last: int) -> float:
    """Return the horizontal place of an iterate, user units."""
    return CHART["left"] + (CHART["right"] - CHART["left"]) * number / last


def chart_y(error: float, decades: tuple[int, int]) -> float:
    """Return the vertical place of an error on the logarithmic axis, user units."""
    low, high = decades
    share = (np.log10(max(error, 10.0**low)) - low) / (high - low)
    return float(CHART["bottom"] - (CHART["bottom"] - CHART["top"]) * share)


def draw_curve(errors: Array, name: str, tolerance: float, decades: tuple[int, int]) -> str:
    """Return one error over the iterates, with its tolerance as a dashed line."""
    last = len(errors) - 1
    points = [(chart_x(i, last), chart_y(error, decades)) for i, error in enumerate(errors)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>' for x, y in points)
    level = chart_y(tolerance, decades)
    dashes = f'<line x1="{CHART["left"]}" x2="{CHART["right"]}" y1="{level:.1f}" y2="{level:.1f}"/>'
    words = f'<text x="{CHART["right"] + 5}" y="{level + 4:.1f}">{tolerance:g}</text>'
    return f'<g class="{name}">{dashes}<polyline points="{path}"/>{dots}{words}</g>'


def draw_legend(name: str, words: str, x: float) -> str:
    """Return the name of one curve beside a short piece of it, above the chart."""
    y = CHART["top"] - 16
    line = f'<polyline points="{x},{y} {x + 20},{y}"/>'
    return f'<g class="{name}">{line}<text x="{x + 26}" y="{y + 4}">{words}</text></g>'


def draw_axes(last: int, decades: tuple[int, int]) -> str:
    """Return the frame: iterates below, powers of ten at the left."""
    low, high = decades
    numbers = [
        f'<text class="tick" text-anchor="middle" x="{chart_x(i, last):.1f}" y="{CHART["bottom"] + 17}">{i}</text>'
        for i in range(last + 1)
    ]
    powers = [
        f'<text class="tick" text-anchor="end" x="{CHART["left"] - 8}" y="{chart_y(10.0**p, decades) + 4:.1f}">'
        f'10<tspan class="power" dy="-5">{str(p).replace("-", "−")}</tspan></text>'
        for p in range(low, high + 1, 2)
    ]
    frame = f'<path class="frame" d="M{CHART["left"]},{CHART["top"]}V{CHART["bottom"]}H{CHART["right"]}"/>'
    return frame + "".join(numbers) + "".join(powers)


def draw_errors(trace: Trace, stop: Stop) -> str:
    """Return both errors over the iterates on one logarithmic axis."""
    orientation, position = np.asarray(trace.orientation_errors), np.asarray(trace.position_errors)
    smallest = min(orientation.min(), position.min())
    low = int(np.clip(np.floor(np.log10(max(smallest, 1e-12)) / 2) * 2, -12, -2))
    decades, last = (low, 1), len(orientation) - 1
    description = (
        f"Orientation and position error on a logarithmic axis over {last + 1} iterates, from {orientation[0]:.2g} rad "
        f"and {position[0]:.2g} m down to {orientation[-1]:.1g} rad and {position[-1]:.1g} m."
    )
    parts = [
        draw_axes(last, decades),
        draw_curve(position, "position", stop.position, decades),
        draw_curve(orientation, "orientation", stop.orientation, decades),
        draw_legend("orientation", "orientation [rad]", CHART["left"]),
        draw_legend("position", "position [m]", CHART["left"] + 132),
    ]
    return svg(166, "errors", description, parts)
