"""The API reference contains every public name, and `Args` in docstrings are arguments."""

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest
from api_reference import chosen, homes
from api_text import text_as_rst
from bs4 import BeautifulSoup

import lessons_lib

PAGES = Path(__file__).resolve().parents[2] / "book" / "api"
PACKAGES = [name for name in lessons_lib.__all__ if not name.startswith("_")]
ARGUMENT = re.compile(r"^ {4}(\*{0,2}\w+(?:, \*{0,2}\w+)*): ", re.MULTILINE)


def public(package):
    """Return the public names of a package."""
    module = import_module(f"lessons_lib.{package}")
    own = [name for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__]
    names = getattr(module, "__all__", own)
    return {name: getattr(module, name) for name in names if not name.startswith("_")}


def documented_arguments(thing):
    """Return the names below `Args:` in a docstring."""
    _, _, rest = (inspect.getdoc(thing) or "").partition("Args:\n")
    section = re.split(r"^\S", rest, maxsplit=1, flags=re.MULTILINE)[0]
    return [name.strip("* ") for names in ARGUMENT.findall(section) for name in names.split(",")]


def callables(package):
    """Yield every public function, class and method of a package that is written in the library."""
    for name, thing in public(package).items():
        yield name, thing
        if inspect.isclass(thing):
            members = inspect.getmembers_static(thing, inspect.isfunction)
            yield from ((f"{name}.{word}", one) for word, one in members if word == "__init__" or word[0] != "_")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_documented_argument_is_one(package):
    wrong = {}
    for name, thing in callables(package):
        if named := documented_arguments(thing):
            taken = inspect.signature(thing).parameters
            if strange := [word for word in named if word not in taken]:
                wrong[name] = strange
    assert wrong == {}


@pytest.mark.parametrize("package", [name for name in PACKAGES if name not in ("course", "errors")])
def test_every_public_function_documents_its_arguments(package):
    functions = [thing for thing in public(package).values() if inspect.isfunction(thing)]
    assert [one for one in functions if inspect.signature(one).parameters and not documented_arguments(one)] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_everything_public_has_a_docstring(package):
    ours = [one for one in callables(package) if (getattr(one[1], "__module__", None) or "").startswith("lessons_lib")]
    written = {name: inspect.getdoc(thing) or "" for name, thing in ours}
    assert [name for name, text in written.items() if not text or text.startswith(f"{name}(")] == []  # by @dataclass


def test_examples_in_docstrings_are_not_markup():
    example = [">>> for _ in range(2):", "...     print(2 * 3)", "6", "6"]
    shown = [r"2 \* 3 is :py:obj:`six`.", "", *example, "", r"2 \* 3"]
    assert text_as_rst(["2 * 3 is `six`.", "", *example, "", "2 * 3"]) == shown


def test_the_lines_of_the_pages_list_every_public_name_and_no_other():
    text = "\n".join(path.read_text("utf-8") for path in PAGES.glob("*.md"))
    content = dict(re.findall(r"^```\{api\} (\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert set(PACKAGES) <= set(content), "book/api has no page for these packages"
    missing, unknown = [], []
    for package, lines in content.items():
        listed = set[str]()
        for word in (word for line in lines.splitlines() for word in line.partition(": ")[2].split()):
            try:
                listed.update(chosen([word], package))
            except KeyError:
                unknown.append(f"{package}: {word}")
        missing += [f"{package}.{name}" for name in sorted(set(homes(package)) - listed)]
    assert not missing, "add each name, or its module, to a line of its package in book/api"
    assert not unknown, "these words in book/api are neither public names nor modules"


def test_every_public_name_has_a_page(built_book):
    pages = [BeautifulSoup(path.read_text("utf-8"), "html.parser") for path in (built_book / "book/api").glob("*.html")]
    shown = {str(sign["id"]) for page in pages for sign in page.select("dt.sig[id], span.target[id]")}
    shown |= {str(mark["id"]).removeprefix("module-") for page in pages for mark in page.select("[id^=module-]")}
    borrowed = {p.code.get_text() for page in pages for p in page.select("p") if p.code and " is " in p.text}
    for package in PACKAGES:
        missing = {name for name in public(package) if f"lessons_lib.{package}.{name}" not in shown}
        assert missing <= borrowed, f"book/api has no place for these names of {package}"
