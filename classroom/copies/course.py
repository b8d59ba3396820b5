"""All copies of the course: for the folder that `make lab` opens, and for students."""

import json
from collections.abc import Iterable
from pathlib import Path

import yaml

from classroom.copies import notebook
from classroom.copies.addresses import PAGES, Book, Folder, copy_path
from classroom.copies.exercises import released
from classroom.copies.markdown import Page
from classroom.copies.names import BIBLIOGRAPHY, GLOSSARY, ROOT, Names, names, pages, source_anchor, word_anchor


def published(root: Path = ROOT) -> Book:
    """Return the book that its configuration says is published: `baseurl` below `html`."""
    configuration = yaml.safe_load((root / "book" / "_config.yml").read_text("utf-8"))
    return Book(configuration["html"].get("baseurl") or "")


def notebook_copy(page: str, address: Book, root: Path = ROOT) -> str:
    """Return the copy of a lesson, or of an exercise without its solution, as the text of a file."""
    stored = json.loads((root / f"{page}.ipynb").read_text("utf-8"))
    if page.startswith("exercises/"):
        stored = released(stored)
    return json.dumps(notebook.copied(stored, page, names(root), address), indent=1, ensure_ascii=False) + "\n"


def listed(title: str, entries: Iterable[tuple[str, str]]) -> str:
    """Return a page of entries, each an anchor and a text."""
    return f"# {title}\n\n" + "\n\n".join(f'<a id="{anchor}"></a>\n\n{text}' for anchor, text in entries) + "\n"


def glossary_copy(known: Names, address: Book) -> str:
    """Return the glossary, each word with its anchor."""
    page = Page(GLOSSARY, known, address)
    entries = ((word_anchor(word), f"**{word}** — {page.plain(text)}") for word, text in known.words.items())
    return listed("Glossary", entries)


def bibliography_copy(known: Names) -> str:
    """Return the bibliography, each entry with its anchor."""
    return listed("Bibliography", ((source_anchor(key), source.text) for key, source in known.sources.items()))


def folder_copies(book: Book, root: Path = ROOT) -> dict[str, str]:
    """Return what a reader's folder holds, by path: all notebooks, the glossary, the bibliography."""
    address = Folder(book.url)
    found = {str(copy_path(page)): notebook_copy(page, address, root) for page in pages(root)}
    found[PAGES[GLOSSARY]] = glossary_copy(names(root), address)
    found[PAGES[BIBLIOGRAPHY]] = bibliography_copy(names(root))
    return found


def student_copies(book: Book, root: Path = ROOT) -> dict[str, str]:
    """Return the exercises, by path, in the folders that nbgrader hands in."""
    found = [page for page in pages(root) if page.startswith("exercises/")]
    return {f"{page.removeprefix('exercises/')}.ipynb": notebook_copy(page, book, root) for page in found}
