"""Each figure's `check.py`: its displayed values, and its draggable handles."""

from collections.abc import Callable

from discovered import checks

_MODULES = checks()
CHECKS: dict[str, Callable[..., None]] = {view: module.check for view, module in _MODULES.items()}
DRAGS: dict[str, tuple[str, tuple[int, int]]] = {view: module.DRAG for view, module in _MODULES.items()}
"""By figure: a handle, and how many pixels it is dragged to the right and down."""

STATES: dict[str, list[tuple[dict[str, float | bool | str], str]]] = {
    view: getattr(module, "STATES", []) for view, module in _MODULES.items()
}
"""By figure: values of some of its controls, and what it says there."""
