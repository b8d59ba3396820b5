"""The directive `{api} pose_ik`: the public names of a package, with their signatures and docstrings.

Each line of its content is a heading, a colon, and the modules (or folders, or names) below it, in reading order. A
public name that no line contains is a warning, which fails the build; so is a name in a line that is not public. With
`:brief:` only the first line of each docstring is printed.
"""

import inspect
import re
from fnmatch import fnmatchcase
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


def public(package: ModuleType) -> list[str]:
    """Return the public names of a package; without `__all__`, the classes and functions that it defines."""
    own = (name for name, thing in vars(package).items() if getattr(thing, "__module__", "") == package.__name__)
    return list(getattr(package, "__all__", None) or (name for name in own if not name.startswith("_")))


@cache
def homes(package: str) -> dict[str, str]:
    """Return the module that defines each public name of a package: `lessons_lib.pose_ik.one_pose` for `solve`."""
    module = import_module(f"{LIBRARY}.{package}")
    return {name: _home(name, getattr(module, name), module) for name in public(module)}


def _home(name: str, thing: object, package: ModuleType) -> str:
    if inspect.ismodule(thing):
        return thing.__name__
    if callable(thing):
        return thing.__module__
    stated = re.compile(rf"^(?:\w+, )*{name}\b.*=", re.MULTILINE)  # a constant does not know its module
    if not hasattr(package, "__path__") or stated.search(Path(str(package.__file__)).read_text("utf-8")):
        return package.__name__
    folder = Path(package.__path__[0])
    files = sorted([*folder.glob("*.py"), *folder.glob("*/*.py")])
    path = next(path for path in files if stated.search(path.read_text("utf-8")))
    return ".".join((package.__name__, *path.relative_to(folder).with_suffix("").parts))


def chosen(words: list[str], package: str) -> list[str]:
    """Return the names that the words of a line select, in order; the package's own name selects all.

    Raises:
        KeyError: A word is neither a public name nor a module with one.
    """
    names: list[str] = []
    home = homes(package)
    for word in words:
        below = f"{LIBRARY}.{package}." if word == package else f"{LIBRARY}.{package}.{word}."
        inside = [word] if word in home else [name for name, at in home.items() if f"{at}.".startswith(below)]
        inside = inside or [name for name, at in home.items() if fnmatchcase(at, f"{LIBRARY}.{word}")]
        if not inside:
            raise KeyError(word)
        names += [name for name in sorted(inside, key=str.swapcase) if name not in names]
    return names


def entry(package: str, name: str, thing: Any, brief: bool = False) -> str:
    """Return the directives that print one public name, with its docstring or only the first line."""
    path, home = f"{LIBRARY}.{package}.{name}", homes(package)[name]
    if not f"{home}.".startswith((f"{LIBRARY}.{package}.", f"{LIBRARY}.course.")):
        return f"``{name}`` is :py:obj:`{thing.__name__} <{home}.{thing.__name__}>`.\n"
    if brief:
        kind, (parameters, back) = "class" if inspect.isclass(thing) else "function", signature(thing) or ("", "")
        line = f".. py:{kind}:: {name}{parameters}" + (f" -> {back}" if back else "")
        return f"{line}\n\n   {as_rst((thing.__doc__ or '').partition(chr(10))[0])}\n"
    if inspect.isclass(thing):
        kind = "exception" if issubclass(thing, BaseException) else "class"
        return f".. auto{kind}:: {path}\n   :members:\n"
    if callable(thing):
        return f".. autofunction:: {path}\n"
    documentation = ModuleAnalyzer.for_module(home).find_attr_docs().get(("", name), [])
    return "\n   ".join([f".. py:data:: {name}", "", *map(as_rst, documentation)])


def module_entries(module: ModuleType) -> str:
    """Return the directives for a module that is public as a whole: its docstring, and its functions in brief."""
    words = "\n".join(map(as_rst, (module.__doc__ or "").splitlines()))
    head = f".. py:module:: {module.__name__}\n\n{words}\n"
    package = module.__name__.removeprefix(f"{LIBRARY}.")
    return "\n".join([head, *(entry(package, name, getattr(module, name), brief=True) for name in public(module))])


class Api(SphinxDirective):
    """Directive that prints a package."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {"brief": directives.flag}

    def run(self) -> list[nodes.Node]:
        """Return one section per heading, with its names."""
        package = self.arguments[0]
        module = import_module(f"{LIBRARY}.{package}")
        home = homes(package)
        sections, printed = [], set()
        for line in self.content:
            heading, _, words = line.partition(":")
            try:
                names = chosen(words.split(), package)
            except KeyError as unknown:
                raise self.error(f"{package} has neither a module nor a name {unknown}") from None
            sections.append(self.section(package, heading, names, module))
            printed |= set(names)
        for name in sorted(set(home) - printed):
            LOG.warning(
                "no line lists %s.%s: add its name, or its module, to one", package, name, location=self.get_location()
            )
        return sections

    def section(self, package: str, heading: str, names: list[str], module: ModuleType) -> nodes.Node:
        """Return the section of some names."""
        brief = "brief" in self.options
        things = {name: getattr(module, name) for name in names}
        links = " · ".join(f":py:obj:`{name} <{module.__name__}.{name}>`" for name in names)
        parts = (module_entries(t) if inspect.ismodule(t) else entry(package, n, t, brief) for n, t in things.items())
        lines = [f".. currentmodule:: {module.__name__}", links, *parts]
        section = nodes.section(ids=[nodes.make_id(f"{package}-{heading}")])
        section += nodes.title("", heading)
        text = ["```{eval-rst}", *"\n\n".join(lines).splitlines(), "```"]
        self.state.nested_parse(StringList(text, self.env.docname), 0, section)
        next(section.findall(nodes.paragraph))["classes"].append("api-names")
        return section


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive and the conversion of this library's docstrings and signatures."""
    for needed in ("sphinx.ext.autodoc", "sphinx.ext.napoleon"):
        app.setup_extension(needed)
    app.add_directive("api", Api)
    app.connect("autodoc-process-docstring", docstring, priority=100)
    app.connect("autodoc-process-signature", arguments)
    app.connect("missing-reference", link)
    app.connect("html-page-context", plain_lines)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
