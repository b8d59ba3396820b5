"""how_do_i.md: each entry has at most eight lines of code, a link to a lesson, and runs after the first block alone."""

import re
from typing import Any

import pytest
from snippets import ROOT, Snippet, snippets

PAGE = ROOT / "book" / "how_do_i.md"
TEXT = PAGE.read_text(encoding="utf8")
NAMES, *ENTRIES = snippets(PAGE, "python")


@pytest.fixture(scope="module")
def first_block() -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(NAMES.code, NAMES.place, "exec"), names)
    return names


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.title)
def test_an_entry_runs_after_the_first_block_alone(entry: Snippet, first_block: dict[str, Any]) -> None:
    assert sum(1 for line in entry.code.splitlines() if line.strip()) <= 8
    exec(compile(entry.code, entry.place, "exec"), dict(first_block))


@pytest.mark.parametrize("entry", TEXT.split("\n### ")[1:], ids=lambda entry: entry.partition("\n")[0])
def test_an_entry_links_to_an_explanation(entry: str) -> None:
    pages = re.findall(r"\]\((?:\.\./)?([\w/]+)(?:\.ipynb)?\)", entry)
    assert pages
    for page in pages:
        assert any((ROOT / folder / f"{page}{end}").is_file() for folder in ("", "book") for end in (".ipynb", ".md"))
