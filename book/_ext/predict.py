"""Questions that a reader answers before reading on: a form with its answers in a fold behind it.

A lesson holds them as `classroom/copies/questions.py` says. Without scripts, and on paper, the fold answers;
`predict.js` judges what was chosen or typed, and says the reason.
"""

import json
import re
import sys
from collections.abc import Sequence
from html import escape
from math import isfinite
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

sys.path.append(str(Path(__file__).resolve().parents[2]))  # classroom/ is in no package
from classroom.copies.questions import DASH, Choice, Place, Question, QuestionError  # noqa: E402

INVITES = {
    "one": "Predict first",
    "several": "Predict first: more than one holds",
    "number": "Predict first",
    "place": "Predict first, in the figure",
}
BUTTONS = {
    "place": '<button type="button" class="predict-bring" hidden>Answer in the figure</button>'
    '<button type="submit" hidden>This is my answer</button>'
    '<button type="button" class="predict-back" hidden>Put the figure back</button>'
}
BUTTON = '<button type="submit" hidden>Answer</button>'
FIGURE = (
    '<p class="predict-how" hidden>By mouse or finger, or by arrow keys and Enter. What the figure tells is hidden '
    'until you have answered.</p><div class="predict-figure"></div>'
)
"""Where the figure comes to, outside the form, which would take a number that is typed for the answer."""


def html(text: str) -> nodes.raw:
    """Return a piece of HTML, which other builders leave out."""
    return nodes.raw("", text, format="html")


def source(line: nodes.Node) -> str:
    """Return the words of a line, code between its backticks."""
    pieces = [(child.astext(), "`" * isinstance(child, nodes.literal)) for child in line.children]
    return "".join(f"{tick}{text}{tick}" for text, tick in pieces)


def parts(line: nodes.Element, choice: Choice) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Return what the page shows of a choice's words, and of its reason, from the paragraph that holds both."""
    words: list[nodes.Node] = []
    reason: list[nodes.Node] = []
    into = words
    for child in line.children:
        text = str(child) if isinstance(child, nodes.Text) else ""
        if into is words and DASH in text:
            before, _, after = text.partition(DASH)
            words.append(nodes.Text(before))
            reason.append(nodes.Text(after))
            into = reason
        else:
            into.append(child)
    words[0] = nodes.Text(str(words[0])[len("[x] ") :])
    if choice.region.ends:  # readers are told in words where it is
        code = max(i for i, node in enumerate(words) if isinstance(node, nodes.literal))
        words[code - 1 :] = [nodes.Text(words[code - 1].astext().rstrip())]
    if choice.number is not None:
        words = [nodes.Text(choice.shown)]
    return words, reason


def copies(found: Sequence[nodes.Node]) -> list[nodes.Node]:
    """Return the same nodes once more, for a second place."""
    return [node.deepcopy() for node in found]


def as_words(formula: str) -> str:
    """Return LaTeX without what only sets it, for a name that is heard."""
    plain = re.sub(r"\\math\w+|[{}]", "", formula)
    return re.sub(r"\\([a-zA-Z]+|.)", lambda command: f" {command[1]} " if command[1].isalpha() else " ", plain)


def spoken(words: Sequence[nodes.Node]) -> str:
    """Return the name of a field beside a formula, which is drawn and has no text; other words name it themselves."""
    if not any(isinstance(node, nodes.math) for node in words):
        return ""
    said = "".join(as_words(node.astext()) if isinstance(node, nodes.math) else node.astext() for node in words)
    return f' aria-label="{escape(" ".join(said.split()))}"'


def fields(question: Question, words: Sequence[Sequence[nodes.Node]]) -> list[nodes.Node]:
    """Return what a reader chooses from, or types into."""
    name = escape(question.name)
    if question.place:
        return []
    if question.kind == "number":
        field = f'<input type="text" name="{name}" autocomplete="off" spellcheck="false">'
        unit = escape(question.numbers[0].unit)
        return [html(f'<label class="predict-number"><span>Your number</span> {field} <span>{unit}</span></label>')]
    box = "radio" if question.kind == "one" else "checkbox"
    shown: list[nodes.Node] = []
    for place, choice in enumerate(words):
        field = f'<input type="{box}" name="{name}" value="{place}"{spoken(choice)}>'
        shown += [html(f"<label>{field}"), nodes.inline("", "", *copies(choice)), html("</label>")]
    return shown


def values(place: Place | None) -> str:
    """Return what the form tells of the figure: the values that it holds, and those that are moved."""
    told = {"held": place.held, "moved": place.moved} if place else {}
    return "".join(f' data-{name}="{escape(json.dumps(found))}"' for name, found in told.items())


def answer(choice: Choice, words: Sequence[nodes.Node], reason: Sequence[nodes.Node]) -> list[nodes.Node]:
    """Return one of the answers, as the fold shows it."""
    number = choice.number
    told = f' data-value="{number.value}" data-within="{number.within}"' if number else ""
    if choice.region.ends:
        ends = {name: [end if isfinite(end) else None for end in pair] for name, pair in choice.region.ends.items()}
        told = f' data-where="{escape(json.dumps(ends))}"'
    verdict = "right" if choice.right else "wrong"
    opening = html(f'<div class="predict-answer predict-{verdict}"{told}>')
    said = nodes.strong("", f"{verdict.capitalize()}: ", *words)
    because = nodes.inline("", "", *reason, classes=["predict-reason"])
    return [opening, nodes.paragraph("", "", said, nodes.Text(DASH), because), html("</div>")]


def form(box: nodes.admonition) -> nodes.container:
    """Return the form that takes the place of a box.

    Raises:
        QuestionError: The box holds no list of choices, or what it asks has no right answer, or a choice no reason.
    """
    name = box["ids"][0] if box["ids"] else ""
    title, *rest = box.children
    if not name or len(rest) != 1 or not isinstance(rest[0], nodes.bullet_list):
        raise QuestionError(f"{name or title.astext()!r} is not a name and one list of choices")
    lines = [item.children[0] for item in rest[0].children if isinstance(item, nodes.Element)]
    question = Question.of(name, title.astext(), [source(line) for line in lines])
    choices = question.choices
    pairs = zip(lines[question.place is not None :], choices, strict=True)
    told = [parts(line, choice) for line, choice in pairs if isinstance(line, nodes.Element)]
    asks = nodes.paragraph("", "", *title.children, classes=["predict-asks"], ids=[f"{name}-asks"])
    container = nodes.container(classes=["predict"], ids=box["ids"], names=box["names"])
    container += nodes.paragraph("", INVITES[question.kind], classes=["predict-head"])
    container += asks
    container += [html(FIGURE)] if question.place else []
    begins = f'<form method="dialog" data-kind="{question.kind}"{values(question.place)}>'
    container += html(f'{begins}<fieldset aria-labelledby="{name}-asks">')
    container += fields(question, [words for words, _ in told])
    button = BUTTONS.get(question.kind, BUTTON)
    heard = '<div class="predict-said" role="status" aria-live="polite"></div>'
    container += html(f"</fieldset>{button}{heard}</form><details><summary>Answers and reasons</summary>")
    for choice, (words, reason) in zip(choices, told, strict=True):
        container += answer(choice, words, reason)
    container += html("</details>")
    return container


def ask(app: Sphinx, doctree: nodes.document) -> None:
    """Put a form in the place of every question of a page.

    Raises:
        ExtensionError: One of them cannot be asked.
    """
    for box in list(doctree.findall(nodes.admonition)):
        if "predict" in box["classes"]:
            try:
                box.replace_self(form(box))
            except QuestionError as error:
                raise ExtensionError(f"{app.env.docname}: {error}") from error


def add_script(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Load the script and the style on a page that asks."""
    if doctree is not None and any("predict" in box["classes"] for box in doctree.findall(nodes.container)):
        app.add_js_file("predict.js", loading_method="defer")
        app.add_css_file("predict.css")


def setup(app: Sphinx) -> dict[str, Any]:
    """Look for questions in every page."""
    app.connect("doctree-read", ask)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
