"""Convert the MyST Markdown of a page to plain Markdown that looks the same in every notebook viewer.

A role becomes its text in the book, with a link; a directive becomes a quotation or a fold. Unknown markup is an error.
"""

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from textwrap import indent

from classroom.copies.addresses import Book
from classroom.copies.names import BIBLIOGRAPHY, GLOSSARY, Names, Place, source_anchor, word_anchor
from classroom.copies.questions import Question, QuestionError, list_items

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
    """A page contains markup that a copy cannot show; the message says which and where."""


def block_quote(text: str) -> str:
    """Return a text as a block quotation, with each displayed formula on one line."""
    joined = re.sub(r"\$\$.+?\$\$", lambda match: " ".join(match[0].split()), text.strip(), flags=re.DOTALL)
    return indent(joined, "> ", lambda line: True)


def format_fold(title: str, text: str) -> str:
    """Return a text as a collapsed block with a title."""
    return f"<details>\n<summary>{title}</summary>\n\n{text.strip()}\n\n</details>"


def format_question(question: Question) -> str:
    """Return a question with its choices, and the solution with its reasons in a collapsed block."""
    choices = question.choices
    open_to_all = "\n\n" + "\n".join(f"- {choice.shown}" for choice in choices)
    lines = (f"- **{'Right' if one.right else 'Wrong'}: {one.shown}** — {one.reason}" for one in choices)
    asks = f"**Predict first.** {question.asks}{open_to_all if question.kind in ('one', 'several') else ''}"
    return f"{block_quote(asks)}\n\n" + format_fold("Answers and reasons", "\n".join(lines))


@dataclass(frozen=True)
class Page:
    """A page that is being converted to a copy.

    Attributes:
        page: Its name, "notebooks/08_newton".
        names: Targets of its roles.
        address: Resolves its links.
        glued: Values that its cells have stored, by name.
    """

    page: str
    names: Names
    address: Book
    glued: Mapping[str, str] = field(default_factory=dict)

    def plain(self, text: str) -> str:
        """Convert MyST Markdown to plain Markdown.

        Raises:
            MarkupError: An unknown role, directive, label or link.
        """
        return DIRECTIVE.sub(self._directive, INLINE.sub(self._inline, text + "\n")).rstrip("\n")

    def link(self, words: str, page: str, anchor: str = "") -> str:
        """Return a link, or its words only if the target does not exist."""
        target = self.address.of(page, anchor, self.page)
        return words if target is None else f"[{words}]({target})"

    def add_anchor(self, label: str, text: str) -> str:
        """Return a block preceded by the anchor of its label."""
        return f'<a id="{self._label(label).anchor}"></a>\n\n{text}'

    def _label(self, label: str) -> Place:
        try:
            return self.names.labels[label]
        except KeyError:
            raise MarkupError(f"{self.page}: no equation, figure or theorem has the label {label!r}") from None

    def _format_equation(self, label: str, formula: str) -> str:
        number = self._label(label).shown.strip("()")
        return self.add_anchor(label, f"$${formula.rstrip()} \\tag{{{number}}}\n$$")

    def _directive(self, match: re.Match[str]) -> str:
        options, title, body = dict(OPTION.findall(match["options"])), match["title"].strip(), match["body"]
        return self._format_directive(match["name"], options, title, body) + "\n\n"

    def _format_directive(self, name: str, options: Mapping[str, str], title: str, body: str) -> str:
        classes = options.get("class", "").split()
        match name:
            case "math":
                return self._format_equation(options["label"], f"\n{body}")
            case "prf:theorem":
                place = self._label(options["label"])
                return self.add_anchor(options["label"], block_quote(f"**{place.shown}** ({title})\n\n{body}"))
            case "admonition" if "predict" in classes:
                return self._format_question(options.get("name", title), title, body)
            case "admonition" if "dropdown" in classes:
                return format_fold(title, body)
            case "admonition":
                return block_quote(f"**{title}**\n\n{body}")
        raise MarkupError(f"{self.page}: unknown directive {{{name}}}")

    def _format_question(self, name: str, title: str, body: str) -> str:
        try:
            return format_question(Question.of(name, title, list_items(body.splitlines())))
        except QuestionError as error:
            raise MarkupError(f"{self.page}: {error}") from error

    def _inline(self, match: re.Match[str]) -> str:
        if match["role"]:
            return self._role(match["role"], " ".join(match["content"].split()))
        if match["label"]:
            return self._format_equation(match["label"], match["display"])
        if match["target"]:
            return self._link(match["words"], match["target"])
        return match[0]

    def _link(self, words: str, target: str) -> str:
        if re.match(r"https?:|#", target):
            return f"[{words}]({target})"
        path, _, anchor = target.partition("#")
        page, suffix = posixpath.splitext(posixpath.normpath(posixpath.join(posixpath.dirname(self.page), path)))
        if suffix not in (".ipynb", ".md"):
            raise MarkupError(f"{self.page}: the link target {target!r} is not a page of the book")
        return self.link(words, page, anchor)

    def _role(self, role: str, content: str) -> str:
        roles: dict[str, Callable[[str], str]] = {
            "glue:text": self._value,
            "term": self._term,
            "eq": self._reference,
            "numref": self._reference,
            "prf:ref": self._reference,
            "cite:t": self._cite,
            "cite:p": self._cite_in_brackets,
        }
        if role not in roles:
            raise MarkupError(f"{self.page}: unknown role {{{role}}}")
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

    def _cite(self, content: str) -> str:
        return ", ".join(self._sources(content, "{source.authors} ({source.year})"))

    def _cite_in_brackets(self, content: str) -> str:
        return f"({'; '.join(self._sources(content, '{source.authors}, {source.year}'))})"
