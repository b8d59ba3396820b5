"""Data of a robot for a view and for the step in the page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lessons_lib.differential_ik import ConfigurationLimit, VelocityLimit
from lessons_lib.robots import Tree


@dataclass(frozen=True)
class Part:
    """A solid attached to a frame, drawn by `front/src/space/solid_body.ts`.

    Attributes:
        frame: Name of the frame.
        kind: "capsule", "drum" or "block".
        measures: Of a capsule both ends and radii, of a drum centre, axis, radius and length, of a block centre, size
            and bevel, m.
        colour: Name of a colour in the style sheet.
    """

    frame: str
    kind: str
    measures: tuple[Any, ...]
    colour: str


def tree_data(tree: Tree, parts: Sequence[Part]) -> dict[str, Any]:
    """Return the data of a robot for a view and for the step in the page, JSON-compatible."""
    ranges, speeds = ConfigurationLimit(tree), VelocityLimit(tree)
    return {
        "nv": tree.nv,
        "q_of_v": tree.q_of_v.tolist(),
        "rates": [name.replace("_", " ") for name in tree.v_names],
        "ranges": [list(row) for row in zip(*(array.tolist() for array in ranges.range_arrays), strict=True)],
        "speeds": [list(row) for row in zip(speeds.indices.tolist(), speeds.largest.tolist(), strict=True)],
        "gain": ranges.config_limit_gain,
        "parts": [
            {
                "frame": part.frame,
                "kind": part.kind,
                "measures": _plain(part.measures),
                "colour": part.colour,
            }
            for part in parts
        ],
    }


def _plain(measures: Iterable[Any]) -> list[Any]:
    return [float(one) if isinstance(one, (int, float)) else [float(entry) for entry in one] for one in measures]
