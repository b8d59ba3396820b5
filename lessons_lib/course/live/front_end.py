"""Locate the built front end, which `front/build.py` writes from `front/src` and a wheel contains."""

from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).with_name("built")
"""Written by `front/build.py`, never committed."""

SHAPES = Path(__file__).with_name("shapes")
"""The published shapes of arms and their licences, written by `front/shapes.py` and committed."""

NOT_BUILT = """export default {
  render({ el }) {
    el.textContent = "The front end of the live figures is not built: run `make front`, then this cell again.";
  },
};
"""


def module(name: str, shapes: Iterable[str] = ()) -> str:
    """Return the JavaScript module of a bundle with its shapes, or one that explains how to build it."""
    paths = [*map(shape_script, shapes), FOLDER / f"{name}.js"]
    return "".join(path.read_text("utf-8") for path in paths) if all(path.exists() for path in paths) else NOT_BUILT


def shape_script(name: str) -> Path:
    """Return the path of the script with the shape of an arm."""
    return SHAPES / f"shape_{name}.js"
