"""Convert the library's docstrings to reStructuredText, and link public names.

Text in `backticks` is code, and a link if it is a public name. Docstrings have no other markup.
"""

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from api_signatures import LIBRARY, signature
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

KEPT = re.compile(r"(`[^`]+`|(?<![\w*])\*\w(?:[^*]*\w)?\*(?![\w*]))")
"""Code between backticks, and *emphasis*."""

SIGNS = re.compile(r"(\\|(?<!^)\*|\||_(?!\w))")
"""Characters that reStructuredText would read as markup; the stars of `**options` at the beginning of a line stay."""

NAME = re.compile(r"[A-Za-z_][\w.]*\w(\(\))?")
LINES = re.compile(r"<dl>((?:\s*<dd>.*?</dd>)+\s*)</dl>", re.DOTALL)
FOR_BDSIM = re.compile(r"\s*:blockname:")
"""Docstrings of blocks are written for bdsim's editor, in reStructuredText and with this field."""

SEE_ALSO = re.compile(r"^(\s*):seealso: ")
"""A field of bdsim's editor; Sphinx has a directive for it."""


def as_rst(line: str) -> str:
    """Return a line of a docstring in reStructuredText."""
    indent = line[: len(line) - len(line.lstrip())]
    return indent + "".join(map(_part, KEPT.split(line.strip())))


def text_as_rst(lines: Iterable[str]) -> list[str]:
    """Return the lines of a docstring in reStructuredText; an example stays as it is, from `>>>` to a blank line."""
    converted, in_example = list[str](), False
    for line in lines:
        in_example = line.lstrip().startswith(">>> ") or (in_example and bool(line.strip()))
        converted.append(line if in_example else as_rst(line))
    return converted


def _part(part: str) -> str:
    if part.startswith("`"):
        code = part.strip("`")
        return f":py:obj:`{code}`" if NAME.fullmatch(code) else f"``{code}``"
    return part if KEPT.fullmatch(part) else SIGNS.sub(r"\\\1", part)


def docstring(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Convert a docstring before Napoleon reads it."""
    if what in ("class", "exception") and is_of_the_maker(thing, lines):
        del lines[: lines.index("") + 1]  # drop the first line of `__init__`, which follows the class's docstring
    if any(map(FOR_BDSIM.match, lines)):
        lines[:] = [SEE_ALSO.sub(r"\1.. seealso:: ", line) for line in lines if not FOR_BDSIM.match(line)]
    elif not any(":param" in line for line in lines):
        lines[:] = text_as_rst(lines)
    if what in ("property", "attribute", "data"):
        lines[:0] = ["..", ""]  # an empty comment: otherwise text before a colon of the first line is read as a type


def is_of_the_maker(type_: type, lines: list[str]) -> bool:
    """Return whether lines are the docstring of `__init__`, which Sphinx puts below that of the class."""
    first_text = inspect.getdoc(inspect.getattr_static(type_, "__init__")) or ""
    return lines[:1] == first_text.splitlines()[:1] != (inspect.getdoc(type_) or "").splitlines()[:1]


def arguments(app: Sphinx, what: str, name: str, thing: Any, *_: Any) -> tuple[str, str] | None:
    """Return the signature as its author wrote it."""
    if what not in ("function", "method", "class", "exception"):
        return None
    static = what == "method" and isinstance(thing, staticmethod)
    return signature(thing, method=what == "method" and not static)


def plain_lines(
    app: Sphinx, page: str, template: str, context: dict[str, Any], document: nodes.document | None
) -> None:
    """Replace the definition list that Sphinx writes for a signature's arguments, which confuses screen readers."""
    if "body" in context:
        context["body"] = LINES.sub(_line_by_line, context["body"])


def _line_by_line(match: re.Match[str]) -> str:
    lines = match[1].replace("<dd>", '<span class="sig-line">').replace("</dd>", "</span>")
    return f'<span class="sig-lines">{lines}</span>'


def link(app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.Element) -> nodes.Element | None:
    """Return the link of a short public name, or plain text for a name without a page."""
    if node.get("refdomain") != "py":
        return None
    objects = cast(PythonDomain, env.get_domain("py")).objects
    full = next((name for name in _full(node) if name in objects), None)
    if full is None:
        return text
    return make_refnode(app.builder, node["refdoc"], objects[full].docname, objects[full].node_id, text, full)


def _full(node: pending_xref) -> Iterator[str]:
    """Yield the possible full names of a name, the likeliest first."""
    from lessons_lib import __all__ as packages

    target = node["reftarget"].removesuffix("()")
    yield f"{LIBRARY}.{target}"
    if target[:1].isupper():
        yield from (f"{LIBRARY}.{package}.{target}" for package in packages)
