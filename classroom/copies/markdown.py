"""Turn the MyST Markdown of a page into plain Markdown that reads the same wherever notebooks are read.

A role becomes the text that the book shows in its place, with a link; a directive becomes a quotation or a fold. What
is not known here is an error: nothing reaches a reader as it was typed for the book.
"""

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from textwrap import indent

from classroom.copies.addresses import Book
from classroom.copies.names import BIBLIOGRAPHY, GLOSSARY, Names, Place, source_anchor, word_anchor
from classroom.copies.questions import Question, QuestionError, listed

DIRECTIVE = re.compile(
    r"^(?P<fence>:{3,}|`{3,})\{(?P<name>[\w:-]+)\} *(?P<title>.*)\n"
    r"(?P<options>(?::[\w-]+:.*\n)*)(?P<body>(?:.*\n)*?)(?P=fence) *(?:\n+|$)",
    re.MULTILINE,
)
OPTION = re.compile(r"^:([\w-]+): *(.*)$", re.MULTILINE)
INLINE = re.compile(
    r"(?P<block>^(?P<fence>`{3,})(?!\{).*?^(?P=fence)$)"
    r"|\{(?P<role>[\w:]+)\}`(?P<content>[^`]+)`"
    r"|(?P<code>(?P<ticks>`+)[^`].*?(?P=ticks)(?!`))"
    r"|\$\$(?P<display>.+?)\$\$(?: *\((?P<label>[\w-]+)\))?"
    r"|(?P<formula>(?<!\\)\$[^$]+\$)"
    r"|(?<!!)\[(?P<words>[^\[\]]*)\]\((?P<target>[^()\s]+)\)",
    re.MULTILINE | re.DOTALL,
)


class MarkupError(ValueError):
    """A page holds markup that no copy can show: it says which, and where."""


def quoted(text: str) -> str:
    """Return a text as a quotation, its displayed formulas on one line each, as quotations ask for."""
    joined = re.sub(r"\$\$.+?\$\$", lambda found: " ".join(found[0].split()), text.strip(), flags=re.DOTALL)
    return indent(joined, "> ", lambda line: True)


def folded(title: str, text: str) -> str:
    """Return a text behind a title that opens it."""
    return f"<details>\n<summary>{title}</summary>\n\n{text.strip()}\n\n</details>"


def asked(question: Question) -> str:
    """Return a question, the choices that it leaves, and in a fold which of them are right, and why."""
    choices = question.choices
    open_to_all = "\n\n" + "\n".join(f"- {choice.shown}" for choice in choices)
    told = (f"- **{'Right' if one.right else 'Wrong'}: {one.shown}** — {one.reason}" for one in choices)
    asks = f"**Predict first.** {question.asks}{open_to_all if question.kind in ('one', 'several') else ''}"
    return f"{quoted(asks)}\n\n" + folded("Answers and reasons", "\n".join(told))


@dataclass(frozen=True)
class Page:
    """One page on its way into a copy.

    Attributes:
        page: Its name, "notebooks/08_newton".
        names: What its roles refer to.
        address: Where its links lead.
        glued: The values that its cells have stored, by name.
    """

    page: str
    names: Names
    address: Book
    glued: Mapping[str, str] = field(default_factory=dict)

    def plain(self, text: str) -> str:
        """Return MyST Markdown as plain Markdown.

        Raises:
            MarkupError: It holds a role, a directive, a label or a link that is not known.
        """
        return DIRECTIVE.sub(self._directive, INLINE.sub(self._inline, text + "\n")).rstrip("\n")

    def link(self, words: str, page: str, anchor: str = "") -> str:
        """Return a link, or its words alone where it has nowhere to lead."""
        target = self.address.of(page, anchor, self.page)
        return words if target is None else f"[{words}]({target})"

    def anchored(self, label: str, text: str) -> str:
        """Return a block with the anchor of its label before it."""
        return f'<a id="{self._label(label).anchor}"></a>\n\n{text}'

    def _label(self, label: str) -> Place:
        try:
            return self.names.labels[label]
        except KeyError:
            raise MarkupError(f"{self.page}: nothing is labelled {label!r}") from None

    def _numbered(self, label: str, formula: str) -> str:
        number = self._label(label).shown.strip("()")
        return self.anchored(label, f"$${formula.rstrip()} \\tag{{{number}}}\n$$")

    def _directive(self, found: re.Match[str]) -> str:
        options, title, body = dict(OPTION.findall(found["options"])), found["title"].strip(), found["body"]
        return self._shown(found["name"], options, title, body) + "\n\n"

    def _shown(self, name: str, options: Mapping[str, str], title: str, body: str) -> str:
        classes = options.get("class", "").split()
        match name:
            case "math":
                return self._numbered(options["label"], f"\n{body}")
            case "prf:theorem":
                place = self._label(options["label"])
                return self.anchored(options["label"], quoted(f"**{place.shown}** ({title})\n\n{body}"))
            case "admonition" if "predict" in classes:
                return self._asked(options.get("name", title), title, body)
            case "admonition" if "dropdown" in classes:
                return folded(title, body)
            case "admonition":
                return quoted(f"**{title}**\n\n{body}")
        raise MarkupError(f"{self.page}: the copies know no directive {{{name}}}")

    def _asked(self, name: str, title: str, body: str) -> str:
        try:
            return asked(Question.of(name, title, listed(body.splitlines())))
        except QuestionError as error:
            raise MarkupError(f"{self.page}: {error}") from error

    def _inline(self, found: re.Match[str]) -> str:
        if found["role"]:
            return self._role(found["role"], " ".join(found["content"].split()))
        if found["label"]:
            return self._numbered(found["label"], found["display"])
        if found["target"]:
            return self._link(found["words"], found["target"])
        return found[0]

    def _link(self, words: str, target: str) -> str:
        if re.match(r"https?:|#", target):
            return f"[{words}]({target})"
        path, _, anchor = target.partition("#")
        page, suffix = posixpath.splitext(posixpath.normpath(posixpath.join(posixpath.dirname(self.page), path)))
        if suffix not in (".ipynb", ".md"):
            raise MarkupError(f"{self.page}: the link to {target!r} names no page of the book")
        return self.link(words, page, anchor)

    def _role(self, role: str, content: str) -> str:
        roles: dict[str, Callable[[str], str]] = {
            "glue:text": self._value,
            "term": self._term,
            "eq": self._reference,
            "numref": self._reference,
            "prf:ref": self._reference,
            "cite:t": self._cited,
            "cite:p": self._cited_in_brackets,
        }
        if role not in roles:
            raise MarkupError(f"{self.page}: the copies know no role {{{role}}}")
        return roles[role](content)

    def _value(self, name: str) -> str:
        if name not in self.glued:
            raise MarkupError(f"{self.page}: no cell has glued {name!r}; run `make notebooks`")
        return self.glued[name]

    def _term(self, content: str) -> str:
        titled = re.fullmatch(r"(?P<words>.+?) *<(?P<term>.+)>", content)
        words, term = (titled["words"], titled["term"]) if titled else (content, content)
        try:
            return self.link(words, GLOSSARY, word_anchor(self.names.word(term)))
        except KeyError:
            raise MarkupError(f"{self.page}: the glossary has no {term!r}") from None

    def _reference(self, label: str) -> str:
        place = self._label(label)
        return self.link(place.shown, place.page, place.anchor)

    def _sources(self, content: str, form: str) -> list[str]:
        links = []
        for key in (key.strip() for key in content.split(",")):
            if key not in self.names.sources:
                raise MarkupError(f"{self.page}: the bibliography has no {key!r}")
            source = self.names.sources[key]
            links.append(self.link(form.format(source=source), BIBLIOGRAPHY, source_anchor(key)))
        return links

    def _cited(self, content: str) -> str:
        return ", ".join(self._sources(content, "{source.authors} ({source.year})"))

    def _cited_in_brackets(self, content: str) -> str:
        return f"({'; '.join(self._sources(content, '{source.authors}, {source.year}'))})"
