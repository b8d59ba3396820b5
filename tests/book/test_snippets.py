"""Every command and piece of code on a page is run, or exists; tests/test_release.py has more."""

import doctest
import importlib
import inspect
import re
import tomllib
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from nbgrader.apps.nbgraderapp import NbGraderApp
from snippets import PAGES, ROOT, name_of, snippets, without_settings

from lessons_lib import cli

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf8")
PACKAGES = "symbolic claims codegen lie robots collisions certificates all_solutions pose_ik differential_ik".split()
PACKAGES += ["trajectories", "studies", "plots", "viewer"]
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
RUN_HERE = ["CONTRIBUTING.md", "README.md", "book/bring_your_robot.md", "book/conventions.md", "book/reviewer.md"]
RUN_ELSEWHERE = {
    "book/api/viewer.md": ["tests/test_viewer.py"],
    "book/from_here_on.md": ["tests/book/test_from_here_on.py"],
    "book/how_do_i.md": ["tests/book/test_snippets.py"],
    "book/library.md": ["tests/book/test_readme.py"],
    "book/many_machines.md": ["tests/book/test_snippets.py"],
    "book/ros.md": ["tests/book/test_ros_page.py"],
    "book/teach.md": ["tests/exercises/test_week.py"],
    "book/the_clinic.md": ["tests/book/test_snippets.py"],
    "book/which_method.md": ["tests/book/test_from_here_on.py"],
}
"""Pages whose code needs something around it, and the tests that run all of it."""

BASH = [one for page in PAGES for one in snippets(page, "", "bash")]
COMMANDS = {f"{one.place} {command}": (one, command) for one in BASH for command in one.commands()}


def test_the_code_of_every_page_has_a_test_that_runs_it():
    with_code = [name_of(page) for page in PAGES if any(snippets(page, "python"))]
    assert sorted([*RUN_HERE, *RUN_ELSEWHERE]) == sorted(with_code)
    for page, tests in RUN_ELSEWHERE.items():
        assert all(Path(page).name in (ROOT / test).read_text(encoding="utf8") for test in tests), page


@pytest.mark.parametrize("page", RUN_HERE)
def test_the_code_of_a_page_runs(page):
    names = {}
    for one in snippets(ROOT / page, "python"):
        exec(compile(one.code, one.place, "exec"), names)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_exists(command):
    """A make target with its variables, a subcommand with valid arguments, a file of the repository."""
    one, line = COMMANDS[command]
    program, *words = without_settings(line) or ["export"]
    if program == "make":
        assert set(words[:1]) <= TARGETS
        for word in words[1:]:
            assert f"$({word.partition('=')[0]})" in MAKEFILE, f"the Makefile has no variable {word!r}"
    elif program.removeprefix(".venv/bin/") == "lessons":
        assert words == ["--help"] or cli._parser().parse_args(words)
    elif program == "nbgrader":
        assert words[0] in NbGraderApp.subcommands
    elif program == ".venv/bin/python":
        assert words[0] == "-m" or (ROOT / words[0]).is_file()
        assert all((ROOT / word).exists() for word in words if "/" in word)
    else:
        assert program in {"apt-get", "chmod", "du", "export", "pip", "source"}, f"{one.place}: no test knows {line!r}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_commands_within_sentences_are_there(page):
    text = page.read_text(encoding="utf8")
    assert set(re.findall(r"`make ([a-z-]+)", text)) <= TARGETS
    (commands,) = (one for one in cli._parser()._actions if one.dest == "==SUPPRESS==" and one.choices)
    assert set(re.findall(r"`(?:\.venv/bin/)?lessons ([a-z]+)", text)) <= set(commands.choices or ())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    extras = set(re.findall(r"pip install '(?:lessons-lib|\.)\[(\w+)\]'", text))
    assert extras <= project["optional-dependencies"].keys()
    optional = {name for name in re.findall(r"`\[(\w+)\]`", text) if name in project["optional-dependencies"]}
    named = set(re.findall(r"`\[(\w+)\]` extra", text))
    assert optional <= named or page.parent == ROOT, "in the book, snippets.py reads the words `[name]` extra"
    for at in re.finditer("pip install lessons-lib", text):
        assert "it is" in text[at.start() - 60 : at.start()], "it is not published: say that this will be the command"


def test_the_examples_of_docstrings_run():
    files = [path for path in (ROOT / "lessons_lib").rglob("*.py") if ">>> " in path.read_text(encoding="utf8")]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in files]
    results = [doctest.testmod(importlib.import_module(name)) for name in names]
    assert sum(one.attempted for one in results) > 400
    assert sum(one.failed for one in results) == 0


HOW = ROOT / "book" / "how_do_i.md"
NAMES, *ENTRIES = snippets(HOW, "python")


@pytest.fixture(scope="module")
def first_block():
    names = {}
    exec(compile(NAMES.code, NAMES.place, "exec"), names)
    return names


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.title)
def test_an_entry_runs_after_the_first_block_alone(entry, first_block):
    assert sum(1 for line in entry.code.splitlines() if line.strip()) <= 12
    exec(compile(entry.code, entry.place, "exec"), dict(first_block))


@pytest.mark.parametrize(
    "entry", HOW.read_text(encoding="utf8").split("\n### ")[1:], ids=lambda entry: entry.partition("\n")[0]
)
def test_an_entry_links_to_an_explanation(entry):
    pages = re.findall(r"\]\((?:\.\./)?([\w/]+)(?:\.ipynb)?\)", entry)
    assert pages
    for page in pages:
        assert any((ROOT / folder / f"{page}{end}").is_file() for folder in ("", "book") for end in (".ipynb", ".md"))


BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def words_and_numbers(text):
    """Return the words of a text, with numbers replaced by "#", and its numbers; line breaks do not count."""
    plain = text.replace(",", "")
    return NUMBER.sub("#", plain).split(), [float(number) for number in NUMBER.findall(plain)]


@pytest.mark.parametrize("page", ["the_clinic.md", "many_machines.md"])
def test_each_block_prints_the_output_below_it(page):
    names = {}
    blocks = BLOCK.findall((ROOT / "book" / page).read_text(encoding="utf8"))
    assert len(blocks) >= 4
    for code, shown in blocks:
        printed = StringIO()
        with redirect_stdout(printed):
            exec(compile(code, page, "exec"), names)
        words, numbers = words_and_numbers(printed.getvalue())
        expected_words, expected_numbers = words_and_numbers(shown)
        assert words == expected_words, code
        # 2 %: other processors round elsewhere; below 1e-6 a number is rounding
        np.testing.assert_allclose(numbers, expected_numbers, rtol=0.02, atol=1e-6, err_msg=code)


def test_each_public_function_and_each_class_that_one_returns_has_an_example():
    packages = [importlib.import_module(f"lessons_lib.{name}") for name in PACKAGES]
    public = [(package, name) for package in packages for name in package.__all__]
    functions = [getattr(*one) for one in public if inspect.isfunction(getattr(*one))]
    assert len(functions) > 120
    returned = {word for one in functions for word in re.findall(r"\w+", str(inspect.signature(one).return_annotation))}
    results = [getattr(*one) for one in public if one[1] in returned and inspect.isclass(getattr(*one))]
    assert len(results) > 20
    assert [one.__name__ for one in [*functions, *results] if ">>> " not in (one.__doc__ or "")] == []
