"""Jupyter Server extension: keep the still picture of each figure in a saved notebook."""
# JupyterLab saves a live view, which names an object in the kernel, beside the still picture, and prefers it; without
# the kernel it shows "model not found". This extension removes that name, so that the picture is shown until the cell
# runs again. The page that saves keeps its live figure.

from typing import Any

__all__ = ["keep_stills"]

REFERENCE = "application/vnd.lessons-lib.live+json"
"""The MIME type of a figure reference, {"figure": its class, "arguments": those that recreate it}."""

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def keep_stills(model: dict[str, Any], **kwargs: Any) -> None:
    """Remove the live view of every figure from a notebook that is about to be written.

    Args:
        model: Notebook model of Jupyter Server; changed in place.
        kwargs: Path and contents manager, unused.
    """
    if model["type"] != "notebook":
        return
    for cell in model["content"]["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if REFERENCE in data:
                data.pop(WIDGET_VIEW, None)


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "lessons_lib.course.live.saved"}]


def _load_jupyter_server_extension(server: Any) -> None:
    server.contents_manager.register_pre_save_hook(keep_stills)
