"""Resolve the book's labels: equation numbers, authors and years of sources, anchors of glossary words.

Numbering follows the book: by lesson, each followed by its exercise, in page order.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pybtex.database import Entry, parse_file
from pybtex.plugin import find_plugin

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY, BIBLIOGRAPHY = "book/glossary", "book/bibliography"
LABEL = re.compile(r"\$\$ *\((eq-[\w-]+)\)|^:label: *((?:eq|thm)-[\w-]+)$", re.MULTILINE)
WORD = re.compile(r"^(?P<term>\S.*)\n(?P<text>(?:(?:  .*)?\n)+)", re.MULTILINE)
KINDS = {
    "eq": ("equation-{label}", "({number})"),
    "fig": ("{label}", "Fig. {number}"),
    "thm": ("{label}", "Theorem {number}"),
}
"""Prefix of a label to its anchor in the page and the words of a link to it."""


@dataclass(frozen=True)
class Place:
    """Target of a reference.

    Attributes:
        page: Page that contains it, "notebooks/08_newton".
        anchor: Its anchor in that page.
        shown: Words of a link to it, "(8.3)".
    """

    page: str
    anchor: str
    shown: str


@dataclass(frozen=True)
class Source:
    """An entry of the bibliography.

    Attributes:
        authors: "Lynch and Park".
        year: "2017".
        text: The entry as printed on the page, Markdown.
    """

    authors: str
    year: str
    text: str


@dataclass(frozen=True)
class Names:
    """All targets that the prose of the course refers to.

    Attributes:
        labels: Equations, figures and theorems by label.
        sources: Sources by citation key.
        words: MyST definitions by glossary word.
    """

    labels: dict[str, Place]
    sources: dict[str, Source]
    words: dict[str, str]

    def word(self, term: str) -> str:
        """Return a word in the glossary's spelling.

        Raises:
            KeyError: The glossary has no such word.
        """
        same = {word.lower(): word for word in self.words}
        return term if term in self.words else same[term.lower()]


def pages(root: Path = ROOT) -> list[str]:
    """Return the notebook pages: each lesson, followed by its exercise."""
    paths = [*root.glob("notebooks/*.ipynb"), *root.glob("exercises/*/*.ipynb")]
    names = [path.relative_to(root).with_suffix("").as_posix() for path in paths]
    return sorted(names, key=lambda page: (page.split("/")[-1], page.startswith("exercises/")))


def source_of(cell: dict[str, Any]) -> str:
    """Return the source of a cell, which is stored as one text or as a list of lines."""
    return "".join(cell["source"])


def labels_of(notebook: dict[str, Any]) -> Iterator[str]:
    """Yield the labels that a notebook defines, in order."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            for match in LABEL.finditer(source_of(cell)):
                yield match[1] or match[2]
        elif "figure" in cell["metadata"].get("mystnb", {}):
            yield cell["metadata"]["mystnb"]["figure"]["name"]


def labels() -> dict[str, Place]:
    """Return the targets of all labels in the notebooks."""
    counts: Counter[tuple[str, str]] = Counter()
    by_label = {}
    for page in pages():
        for label in labels_of(json.loads((ROOT / f"{page}.ipynb").read_text("utf-8"))):
            lesson = str(int(page.split("/")[-1][:2]))
            kind = label.split("-")[0]
            counts[lesson, kind] += 1
            anchor, shown = KINDS[kind]
            number = f"{lesson}.{counts[lesson, kind]}"
            by_label[label] = Place(page, anchor.format(label=label), shown.format(number=number))
    return by_label


@cache
def plain_text() -> Any:
    """Return pybtex's plain-text backend; pybtex finds it by a search of all packages."""
    return find_plugin("pybtex.backends", "text")()


def authors_of(entry: Entry) -> str:
    """Return the last names of one or two authors, or the first author and "and others"."""
    text = plain_text()
    parts = (person.rich_prelast_names + person.rich_last_names for person in entry.persons["author"])
    last = [" ".join(part.render(text) for part in names) for names in parts]
    return f"{last[0]} et al." if len(last) > 2 else " and ".join(last)


def sources(path: Path) -> dict[str, Source]:
    """Return the entries of the bibliography in the page's order."""
    data = parse_file(str(path))
    style, backend = find_plugin("pybtex.style.formatting", "plain")(), find_plugin("pybtex.backends", "markdown")()
    by_key = {}
    for formatted in style.format_bibliography(data):
        entry = data.entries[formatted.key]
        by_key[formatted.key] = Source(authors_of(entry), entry.fields["year"], formatted.text.render(backend))
    return by_key


def words(glossary: str) -> dict[str, str]:
    """Return the glossary's words and definitions."""
    listing = re.search(r"^:::\{glossary\}\n(.*?)^:::$", glossary, re.MULTILINE | re.DOTALL)
    assert listing is not None, "the glossary holds no list of words"
    return {entry["term"]: re.sub(r"\s+", " ", entry["text"]).strip() for entry in WORD.finditer(listing[1] + "\n")}


def word_anchor(word: str) -> str:
    """Return the anchor of a word on the glossary page."""
    return "term-" + re.sub(r"[^A-Za-z0-9._]+", "-", word).strip("-")


def source_anchor(key: str) -> str:
    """Return the anchor of an entry on the bibliography page."""
    return f"cite-{re.sub('[^a-z0-9]+', '-', key.lower())}"


@cache
def names() -> Names:
    """Return all targets that the prose of the course refers to."""
    glossary = (ROOT / f"{GLOSSARY}.md").read_text("utf-8")
    return Names(labels(), sources(ROOT / "book" / "references.bib"), words(glossary))
