"""The notebook of a page as a download: the copy in plain Markdown, an exercise's without its solution.

The theme's button links to sources that this book does not contain. On a notebook's page it links to the copy; on other
pages it is removed. The page of an exercise also links the copy in its text.
"""

import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from lesson_pages import is_exercise
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))  # classroom/ is not in a package
from classroom.copies.addresses import Book, copy_path  # noqa: E402
from classroom.copies.course import notebook_copy  # noqa: E402
from classroom.copies.markdown import MarkupError  # noqa: E402
from classroom.copies.names import pages  # noqa: E402

FOLDER = "downloads"
INVITATION = (
    '<p class="exercise-download d-print-none"><a href="{address}" download>Download this exercise</a>'
    " as a notebook, without its solution.</p>"
)


def address_of(page: str) -> str:
    """Return the address of a page's copy relative to the page."""
    return f"{'../' * page.count('/')}{FOLDER}/{copy_path(page)}"


def invite(app: Sphinx, doctree: nodes.document) -> None:
    """Link the copy below the title of an exercise."""
    page = app.env.docname
    if is_exercise(page):
        (title,) = list(doctree.findall(nodes.title))[:1]
        place = title.parent.index(title) + 1
        title.parent.insert(place, nodes.raw("", INVITATION.format(address=address_of(page)), format="html"))


def mend_button(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Make the button of a notebook download the copy, and remove it from other pages."""
    for group in context.get("header_buttons", []):
        if group.get("label") == "download-buttons":
            kept = [button for button in group["buttons"] if button["label"] != "download-source-button"]
            if page in pages(Path(app.srcdir)):
                # the theme writes the quoted address, and has no `download` attribute
                url = f'{address_of(page)}" download="{page.rsplit("/", 1)[-1]}.ipynb'
                notebook = {"type": "link", "url": url, "text": ".ipynb", "icon": "fas fa-file"}
                kept.insert(0, notebook | {"tooltip": "Download the notebook", "label": "download-notebook-button"})
            group["buttons"] = kept


def write_copies(app: Sphinx, error: Exception | None) -> None:
    """Write the copies beside the built pages, with links to the published book.

    Raises:
        ExtensionError: A page contains markup that a copy cannot show.
    """
    if error is not None or app.builder.format != "html":
        return
    for page in pages(Path(app.srcdir)):
        path = Path(app.outdir) / FOLDER / str(copy_path(page))
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.write_text(notebook_copy(page, Book(app.config.html_baseurl)), encoding="utf-8")
        except MarkupError as refused:
            raise ExtensionError(str(refused)) from refused


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handlers, after the theme's."""
    app.connect("doctree-read", invite)
    app.connect("html-page-context", mend_button, priority=900)
    app.connect("build-finished", write_copies)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
