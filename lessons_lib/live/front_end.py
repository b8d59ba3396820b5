"""Where the built front end lies: what `front/build.py` makes of `front/src`, and what a wheel carries."""

from pathlib import Path

FOLDER = Path(__file__).with_name("built")
"""Written by `front/build.py`, never committed."""

NOT_BUILT = """export default {
  render({ el }) {
    el.textContent = "The front end of the live figures is not built: run `make front`, then this cell again.";
  },
};
"""


def module(name: str) -> str:
    """Return the text of a bundle as a module, or of one that says how to build it."""
    path = FOLDER / f"{name}.js"
    return path.read_text("utf-8") if path.exists() else NOT_BUILT
