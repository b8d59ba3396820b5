"""The directive `{api} pose_ik`: the public names of a room, with signatures and docstrings as the library holds them.

Each line of its content is a heading and, behind a colon, what stands below it: modules of the room (or folders of it,
or single names), in the order a reader wants. What the room hands out and no line names is a warning, which fails the
build; so is what a line names and nobody hands out. With `:brief:` a docstring's first line is enough.
"""

import inspect
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from api_signatures import LIBRARY, signature
from api_text import arguments, as_rst, docstring, link, plain_lines
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

LOG = logging.getLogger(__name__)


def public(room: ModuleType) -> list[str]:
    """Return what a room hands out; for one without `__all__`, the classes and functions that it defines."""
    own = (name for name, thing in vars(room).items() if getattr(thing, "__module__", "") == room.__name__)
    return list(getattr(room, "__all__", None) or (name for name in own if not name.startswith("_")))


@cache
def homes(room: str) -> dict[str, str]:
    """Return in which module each public name of a room is written: `lessons_lib.pose_ik.one_pose` of `solve`."""
    package = import_module(f"{LIBRARY}.{room}")
    return {name: _home(name, getattr(package, name), package) for name in public(package)}


def _home(name: str, thing: object, room: ModuleType) -> str:
    if inspect.ismodule(thing):
        return thing.__name__
    if callable(thing):
        return thing.__module__
    stated = re.compile(rf"^(?:\w+, )*{name}\b.*=", re.MULTILINE)  # a constant does not know where it was made
    if not hasattr(room, "__path__") or stated.search(Path(str(room.__file__)).read_text("utf-8")):
        return room.__name__
    files = (path for path in sorted(Path(room.__path__[0]).glob("*.py")))
    return f"{room.__name__}.{next(path.stem for path in files if stated.search(path.read_text('utf-8')))}"


def chosen(words: list[str], room: str) -> list[str]:
    """Return the names that the words of one line stand for, in order; the room's own name stands for all of them.

    Raises:
        KeyError: A word is neither a name nor a module that hands one out.
    """
    found: list[str] = []
    home = homes(room)
    for word in words:
        below = f"{LIBRARY}.{room}." if word == room else f"{LIBRARY}.{room}.{word}."
        inside = [word] if word in home else [name for name, at in home.items() if f"{at}.".startswith(below)]
        if not inside:
            raise KeyError(word)
        found += [name for name in sorted(inside, key=str.swapcase) if name not in found]
    return found


def entry(room: str, name: str, thing: Any, brief: bool = False) -> str:
    """Return the directives that print one public name, with all that its docstring says or with its first line."""
    path, home = f"{LIBRARY}.{room}.{name}", homes(room)[name]
    if not f"{home}.".startswith(f"{LIBRARY}.{room}."):
        return f"``{name}`` is :py:obj:`{thing.__name__} <{home}.{thing.__name__}>`.\n"
    if brief:
        kind, (given, back) = "class" if inspect.isclass(thing) else "function", signature(thing) or ("", "")
        line = f".. py:{kind}:: {name}{given}" + (f" -> {back}" if back else "")
        return f"{line}\n\n   {as_rst((thing.__doc__ or '').partition(chr(10))[0])}\n"
    if inspect.isclass(thing):
        kind = "exception" if issubclass(thing, BaseException) else "class"
        return f".. auto{kind}:: {path}\n   :members:\n"
    if callable(thing):
        return f".. autofunction:: {path}\n"
    said = ModuleAnalyzer.for_module(home).find_attr_docs().get(("", name), [])
    return "\n   ".join([f".. py:data:: {name}", "", *map(as_rst, said)])


def module_entries(module: ModuleType) -> str:
    """Return the directives for a module that a room hands out whole: its words, and its functions in brief."""
    words = "\n".join(map(as_rst, (module.__doc__ or "").splitlines()))
    head = f".. py:module:: {module.__name__}\n\n{words}\n"
    room = module.__name__.removeprefix(f"{LIBRARY}.")
    return "\n".join([head, *(entry(room, name, getattr(module, name), brief=True) for name in public(module))])


class Api(SphinxDirective):
    """Prints a room."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {"brief": directives.flag}

    def run(self) -> list[nodes.Node]:
        """Return a section a heading, each with its names."""
        room = self.arguments[0]
        package = import_module(f"{LIBRARY}.{room}")
        home = homes(room)
        sections, printed = [], set()
        for line in self.content:
            heading, _, words = line.partition(":")
            try:
                names = chosen(words.split(), room)
            except KeyError as unknown:
                raise self.error(f"{room} has neither a module nor a name {unknown}") from None
            sections.append(self.section(room, heading, names, package))
            printed |= set(names)
        for name in sorted(set(home) - printed):
            LOG.warning("no line says where %s.%s stands", room, name, location=self.get_location())
        return sections

    def section(self, room: str, heading: str, names: list[str], package: ModuleType) -> nodes.Node:
        """Return the section of some names."""
        brief = "brief" in self.options
        things = {name: getattr(package, name) for name in names}
        links = " · ".join(f":py:obj:`{name} <{package.__name__}.{name}>`" for name in names)
        parts = (module_entries(t) if inspect.ismodule(t) else entry(room, n, t, brief) for n, t in things.items())
        lines = [f".. currentmodule:: {package.__name__}", links, *parts]
        section = nodes.section(ids=[nodes.make_id(f"{room}-{heading}")])
        section += nodes.title("", heading)
        text = ["```{eval-rst}", *"\n\n".join(lines).splitlines(), "```"]
        self.state.nested_parse(StringList(text, self.env.docname), 0, section)
        next(section.findall(nodes.paragraph))["classes"].append("api-names")
        return section


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive, and what makes docstrings and signatures of this library readable for Sphinx."""
    for needed in ("sphinx.ext.autodoc", "sphinx.ext.napoleon"):
        app.setup_extension(needed)
    app.add_directive("api", Api)
    app.connect("autodoc-process-docstring", docstring, priority=100)
    app.connect("autodoc-process-signature", arguments)
    app.connect("missing-reference", link)
    app.connect("html-page-context", plain_lines)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
