"""Link the first use of every glossary word on a page, and list in the glossary the first lesson that uses a word.

Authors need no markup; an explicit {term} stays a link if it is the page's first.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, cast

from docutils import nodes
from glossary_words import Words
from lesson_pages import is_exercise, lesson_number
from prose import is_prose, join_texts, replace_text
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.domains.std import StandardDomain
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode
from syllabus import WHOLE_COURSE

FRONT = "book/index"


def terms(env: BuildEnvironment) -> dict[str, tuple[str, str]]:
    """Return page and anchor of every word of the glossary."""
    std = cast(StandardDomain, env.get_domain("std"))
    return {name: place for (kind, name), place in std.objects.items() if kind == "term"}


def is_slogan(paragraph: nodes.paragraph) -> bool:
    """Return whether a paragraph consists only of italics."""
    return all(isinstance(child, nodes.emphasis) for child in paragraph.children if child.astext().strip())


def prose_of(document: nodes.document) -> Iterator[nodes.Node]:
    """Yield the contents of a page's paragraphs in order, without tables and the slogan."""
    for paragraph in list(document.findall(nodes.paragraph)):
        in_table = isinstance(paragraph.parent, nodes.entry)
        if not in_table and not is_slogan(paragraph):
            yield from list(paragraph.findall())


def linked_term(node: nodes.Node, known: dict[str, tuple[str, str]]) -> str | None:
    """Return the word that a node links to the glossary; None for any other node."""
    if isinstance(node, pending_xref) and node.get("reftype") == "term":
        target = node["reftarget"].lower()
        return next((term for term in known if term.lower() == target), None)
    if isinstance(node, nodes.reference):
        anchor = node.get("refuri", "").rpartition("#")[2]
        return next((term for term, place in known.items() if place[1] == anchor), None)
    return None


def first_uses(
    document: nodes.document, words: Words, known: dict[str, tuple[str, str]], link: Callable[[str, str], nodes.Node]
) -> set[str]:
    """Link the first use of each glossary word, unlink later ones, and return the words that the page uses."""
    join_texts(document)
    linked: set[str] = set()
    for node in prose_of(document):
        term = linked_term(node, known)
        if term is not None and term not in linked:
            linked.add(term)
        elif term is not None:
            node.parent.replace(node, nodes.Text(node.astext()))
        elif isinstance(node, nodes.Text) and is_prose(node):
            links = []
            for word, start, end in words.find(str(node)):
                if word not in linked:
                    linked.add(word)
                    links.append((start, end, link(word, str(node)[start:end])))
            if links:
                replace_text(node, links)
    return linked


def definitions(env: BuildEnvironment, page: str) -> dict[str, str]:
    """Return the definitions of the glossary for tooltips, except those with a formula."""
    meaning = {}
    for item in env.get_doctree(page).findall(nodes.definition_list_item):
        term, definition = item.children[0], item.children[-1]
        if not any(definition.findall(nodes.math)):
            meaning[term.children[0].astext()] = " ".join(definition.astext().split())
    return meaning


def as_it_stands(term: str, meaning: str) -> nodes.Node:
    """Return a word without a link."""
    return nodes.Text(meaning)


class Glossary:
    """The glossary, used when pages are written."""

    def __init__(self, env: BuildEnvironment) -> None:
        """Read the glossary and every lesson."""
        self.known = terms(env)
        self.words = Words(self.known)
        pages = {page for page, _ in self.known.values()}
        self.tooltips = {term: text for page in pages for term, text in definitions(env, page).items()}
        self.first: dict[str, str] = {}
        taught = [name for name in env.found_docs if lesson_number(name) not in (None, WHOLE_COURSE)]
        for docname in sorted(taught):  # lesson 0 uses words before the lessons that teach them
            used = first_uses(env.get_doctree(docname), self.words, self.known, as_it_stands)
            for term in used:
                self.first.setdefault(term, docname)


def write_links(app: Sphinx, document: nodes.document, docname: str, glossary: Glossary) -> None:
    """Link the first uses on one page."""

    def link(term: str, meaning: str) -> nodes.Node:
        page, anchor = glossary.known[term]
        content = nodes.inline("", meaning, classes=["xref", "std", "std-term"])
        return make_refnode(app.builder, docname, page, anchor, content, glossary.tooltips.get(term))

    first_uses(document, glossary.words, glossary.known, link)


def write_lessons(app: Sphinx, document: nodes.document, docname: str, glossary: Glossary) -> None:
    """Add to each word of the glossary the first lesson that uses it."""
    anchors = {anchor: term for term, (page, anchor) in glossary.known.items() if page == docname}
    for item in document.findall(nodes.definition_list_item):
        ids = [name for term in item.findall(nodes.term) for name in term["ids"]]
        word = next((anchors[name] for name in ids if name in anchors), None)
        lesson = glossary.first.get(word or "")
        if lesson is not None:
            words = nodes.Text(f"lesson {lesson_number(lesson)}")
            link = make_refnode(app.builder, docname, lesson, "", words)
            item.children[-1].append(nodes.paragraph("", "", nodes.Text("First in "), link, classes=["first-lesson"]))


@lru_cache(maxsize=1)
def glossary_of(env: BuildEnvironment) -> Glossary:
    """Return the glossary, read once per build."""
    return Glossary(env)


def resolve(app: Sphinx, document: nodes.document, docname: str) -> None:
    """Link the glossary words of one page."""
    glossary = glossary_of(app.env)
    if docname == FRONT or lesson_number(docname) is not None or is_exercise(docname):
        write_links(app, document, docname, glossary)
    elif docname in {page for page, _ in glossary.known.values()}:
        write_lessons(app, document, docname, glossary)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handler, after all other links are resolved."""
    app.connect("doctree-resolved", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
