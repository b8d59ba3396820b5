"""Build all copies of the course: the folder that `make lab` opens, and the exercises for students."""

import json
from collections.abc import Iterable

import yaml

from classroom.copies import notebook
from classroom.copies.addresses import PAGES, Book, Folder, copy_path
from classroom.copies.exercises import strip_solutions
from classroom.copies.markdown import Page
from classroom.copies.names import BIBLIOGRAPHY, GLOSSARY, ROOT, Names, names, pages, source_anchor, word_anchor


def read_book_url() -> Book:
    """Return the address of the book from its configuration: `baseurl` below `html`."""
    configuration = yaml.safe_load((ROOT / "book" / "_config.yml").read_text("utf-8"))
    return Book(configuration["html"].get("baseurl") or "")


def notebook_copy(page: str, address: Book) -> str:
    """Return the text of a lesson's copy, or of an exercise's copy without its solution."""
    stored = json.loads((ROOT / f"{page}.ipynb").read_text("utf-8"))
    if page.startswith("exercises/"):
        stored = strip_solutions(stored)
    return json.dumps(notebook.copy_notebook(stored, page, names(), address), indent=1, ensure_ascii=False) + "\n"


def format_list(title: str, entries: Iterable[tuple[str, str]]) -> str:
    """Return a page with a list of entries, each an anchor and a text."""
    return f"# {title}\n\n" + "\n\n".join(f'<a id="{anchor}"></a>\n\n{text}' for anchor, text in entries) + "\n"


def glossary_copy(known: Names, address: Book) -> str:
    """Return the glossary with an anchor for each word."""
    page = Page(GLOSSARY, known, address)
    entries = ((word_anchor(word), f"**{word}** — {page.plain(text)}") for word, text in known.words.items())
    return format_list("Glossary", entries)


def bibliography_copy(known: Names) -> str:
    """Return the bibliography with an anchor for each entry."""
    return format_list("Bibliography", ((source_anchor(key), source.text) for key, source in known.sources.items()))


def folder_copies(book: Book) -> dict[str, str]:
    """Return the files of a reader's folder by path: all notebooks, the glossary and the bibliography."""
    address = Folder(book.url)
    copies = {str(copy_path(page)): notebook_copy(page, address) for page in pages()}
    copies[PAGES[GLOSSARY]] = glossary_copy(names(), address)
    copies[PAGES[BIBLIOGRAPHY]] = bibliography_copy(names())
    return copies


def student_copies(book: Book) -> dict[str, str]:
    """Return the exercises by path, in the folder layout that nbgrader expects."""
    exercises = [page for page in pages() if page.startswith("exercises/")]
    return {f"{page.removeprefix('exercises/')}.ipynb": notebook_copy(page, book) for page in exercises}
