"""Prediction questions: a form before the text, with the answers in a fold behind it.

The syntax is that of `classroom/copies/questions.py`. Without scripts, and in print, the fold contains the answers;
`predict.js` judges the chosen or typed answer and gives the reason.
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

sys.path.append(str(Path(__file__).resolve().parents[2]))  # classroom/ is not in a package
from classroom.copies.questions import DASH, Choice, Place, Question, QuestionError  # noqa: E402

INVITES = {
    "one": "Predict first",
    "several": "Predict first (more than one answer is right)",
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
    '<p class="predict-how" hidden>Use the mouse, a finger, or the arrow keys and Enter. The figure hides its '
    'numbers until you have answered.</p><div class="predict-figure"></div>'
)
"""Place of the figure, outside the form, which would take a typed number for the answer."""


def html(text: str) -> nodes.raw:
    """Return raw HTML, which other builders omit."""
    return nodes.raw("", text, format="html")


def source(line: nodes.Node) -> str:
    """Return the text of a line with its code in backticks."""
    pieces = [(child.astext(), "`" * isinstance(child, nodes.literal)) for child in line.children]
    return "".join(f"{tick}{text}{tick}" for text, tick in pieces)


def parts(line: nodes.Element, choice: Choice) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Return the nodes of a choice's words, and of its reason, from their common paragraph."""
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
    if choice.region.ends:  # readers get the words instead
        code = max(i for i, node in enumerate(words) if isinstance(node, nodes.literal))
        words[code - 1 :] = [nodes.Text(words[code - 1].astext().rstrip())]
    if choice.number is not None:
        words = [nodes.Text(choice.shown)]
    return words, reason


def copies(originals: Sequence[nodes.Node]) -> list[nodes.Node]:
    """Return copies of the nodes for a second place."""
    return [node.deepcopy() for node in originals]


def as_words(formula: str) -> str:
    """Return LaTeX without typesetting commands, for a name that is read aloud."""
    plain = re.sub(r"\\math\w+|[{}]", "", formula)
    return re.sub(r"\\([a-zA-Z]+|.)", lambda command: f" {command[1]} " if command[1].isalpha() else " ", plain)


def spoken(words: Sequence[nodes.Node]) -> str:
    """Return the accessible name of a field with a formula, which has no text; empty if the words suffice."""
    if not any(isinstance(node, nodes.math) for node in words):
        return ""
    spoken_text = "".join(as_words(node.astext()) if isinstance(node, nodes.math) else node.astext() for node in words)
    return f' aria-label="{escape(" ".join(spoken_text.split()))}"'


def fields(question: Question, words: Sequence[Sequence[nodes.Node]]) -> list[nodes.Node]:
    """Return the input fields of a question."""
    name = escape(question.name)
    if question.place:
        return []
    if question.kind == "number":
        field = f'<input type="text" name="{name}" autocomplete="off" spellcheck="false">'
        unit = escape(question.numbers[0].unit)
        return [html(f'<label class="predict-number"><span>Your number</span> {field} <span>{unit}</span></label>')]
    box = "radio" if question.kind == "one" else "checkbox"
    boxes: list[nodes.Node] = []
    for place, choice in enumerate(words):
        field = f'<input type="{box}" name="{name}" value="{place}"{spoken(choice)}>'
        boxes += [html(f"<label>{field}"), nodes.inline("", "", *copies(choice)), html("</label>")]
    return boxes


def values(place: Place | None) -> str:
    """Return the figure's data for the form: initial values, and the controls to move."""
    values_told = {"held": place.held, "moved": place.moved} if place else {}
    return "".join(f' data-{name}="{escape(json.dumps(value))}"' for name, value in values_told.items())


def answer(choice: Choice, words: Sequence[nodes.Node], reason: Sequence[nodes.Node]) -> list[nodes.Node]:
    """Return one of the answers for the fold."""
    number = choice.number
    values_told = f' data-value="{number.value}" data-within="{number.within}"' if number else ""
    if choice.region.ends:
        ends = {name: [end if isfinite(end) else None for end in pair] for name, pair in choice.region.ends.items()}
        values_told = f' data-where="{escape(json.dumps(ends))}"'
    verdict = "right" if choice.right else "wrong"
    opening = html(f'<div class="predict-answer predict-{verdict}"{values_told}>')
    spoken_text = nodes.strong("", f"{verdict.capitalize()}: ", *words)
    because = nodes.inline("", "", *reason, classes=["predict-reason"])
    return [opening, nodes.paragraph("", "", spoken_text, nodes.Text(DASH), because), html("</div>")]


def form(box: nodes.admonition) -> nodes.container:
    """Return the form that replaces a box.

    Raises:
        QuestionError: The box has no list of choices, the question no right answer, or a choice no reason.
    """
    name = box["ids"][0] if box["ids"] else ""
    title, *rest = box.children
    if not name or len(rest) != 1 or not isinstance(rest[0], nodes.bullet_list):
        raise QuestionError(f"{name or title.astext()!r} must have a name and one list of choices")
    lines = [item.children[0] for item in rest[0].children if isinstance(item, nodes.Element)]
    question = Question.of(name, title.astext(), [source(line) for line in lines])
    choices = question.choices
    pairs = zip(lines[question.place is not None :], choices, strict=True)
    values_told = [parts(line, choice) for line, choice in pairs if isinstance(line, nodes.Element)]
    asks = nodes.paragraph("", "", *title.children, classes=["predict-asks"], ids=[f"{name}-asks"])
    container = nodes.container(classes=["predict"], ids=box["ids"], names=box["names"])
    container += nodes.paragraph("", INVITES[question.kind], classes=["predict-head"])
    container += asks
    container += [html(FIGURE)] if question.place else []
    begins = f'<form method="dialog" data-kind="{question.kind}"{values(question.place)}>'
    container += html(f'{begins}<fieldset aria-labelledby="{name}-asks">')
    container += fields(question, [words for words, _ in values_told])
    button = BUTTONS.get(question.kind, BUTTON)
    heard = '<div class="predict-said" role="status" aria-live="polite"></div>'
    container += html(f"</fieldset>{button}{heard}</form><details><summary>Answers and reasons</summary>")
    for choice, (words, reason) in zip(choices, values_told, strict=True):
        container += answer(choice, words, reason)
    container += html("</details>")
    return container


def ask(app: Sphinx, doctree: nodes.document) -> None:
    """Replace every question of a page by a form.

    Raises:
        ExtensionError: A question is malformed.
    """
    for box in list(doctree.findall(nodes.admonition)):
        if "predict" in box["classes"]:
            try:
                box.replace_self(form(box))
            except QuestionError as error:
                raise ExtensionError(f"{app.env.docname}: {error}") from error


def add_script(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Load script and style on a page with questions."""
    if doctree is not None and any("predict" in box["classes"] for box in doctree.findall(nodes.container)):
        app.add_js_file("predict.js", loading_method="defer")
        app.add_css_file("answers.css")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handlers."""
    app.connect("doctree-read", ask)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
