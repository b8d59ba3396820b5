"""An extension of Jupyter Server: a notebook that is saved keeps the still picture of its figures.

JupyterLab saves a live view, which is the name of something in the kernel, beside the still picture, and prefers it;
once the kernel has ended it shows "model not found". Here that name is left out of what is written, so that the picture
is shown until the cell is run again. The page that saves keeps its live figure.
"""

from typing import Any

__all__ = ["keep_stills"]

REFERENCE = "application/vnd.lessons-lib.live+json"
"""MIME type of a figure's reference, {"figure": its class, "arguments": what makes it again}."""

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def keep_stills(model: dict[str, Any], **kwargs: Any) -> None:
    """Leave the live view of every figure out of a notebook that is about to be written.

    Args:
        model: What is to be written, as Jupyter Server describes it; changed in place.
        kwargs: The path and the contents manager, which do not matter here.
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
