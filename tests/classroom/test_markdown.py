"""Each role and directive of the book becomes plain Markdown, and an unknown one stops the copy."""

import pytest

from classroom.copies.addresses import Book, Folder
from classroom.copies.markdown import MarkupError, Page
from classroom.copies.names import Names, Place, Source

LESSON, OTHER = "notebooks/08_newton", "notebooks/09_singularities"
NAMES = Names(
    labels={
        "eq-08-step": Place(LESSON, "equation-eq-08-step", "(8.1)"),
        "eq-09-svd": Place(OTHER, "equation-eq-09-svd", "(9.1)"),
        "fig-08-errors": Place(LESSON, "fig-08-errors", "Fig. 8.2"),
        "thm-08-newton": Place(LESSON, "thm-08-newton", "Theorem 8.1"),
    },
    sources={"a2017": Source("Lynch and Park", "2017", ""), "b1944": Source("Levenberg", "1944", "")},
    words={"pose": "Where a frame is.", "body Jacobian": "A matrix."},
)
PROSE = {
    "about {glue:text}`failing` in ten": "about 4 in ten",
    "a {term}`pose`, {term}`Poses <pose>`": "a [pose](glossary.md#term-pose), [Poses](glossary.md#term-pose)",
    "the {term}`Body Jacobian`": "the [Body Jacobian](glossary.md#term-body-Jacobian)",
    "{eq}`eq-08-step`": "[(8.1)](#equation-eq-08-step)",
    "{eq}`eq-09-svd`": "[(9.1)](09_singularities.ipynb#equation-eq-09-svd)",
    "{numref}`fig-08-errors`": "[Fig. 8.2](#fig-08-errors)",
    "{prf:ref}`thm-08-newton`": "[Theorem 8.1](#thm-08-newton)",
    "{cite:t}`a2017`": "[Lynch and Park (2017)](bibliography.md#cite-a2017)",
    "{cite:p}`a2017,b1944`": (
        "([Lynch and Park, 2017](bibliography.md#cite-a2017); [Levenberg, 1944](bibliography.md#cite-b1944))"
    ),
    "[next](09_singularities.ipynb)": "[next](09_singularities.ipynb)",
    "[do](../exercises/08_newton/08_newton.ipynb)": "[do](exercises/08_newton/08_newton.ipynb)",
    "[rows](../book/provenance.md)": "rows",
    "[there](https://example.org)": "[there](https://example.org)",
    "code ``{eq}`x` ``, `[a](b)` and $[V](q)$": "code ``{eq}`x` ``, `[a](b)` and $[V](q)$",
    "```python\nx = [a](b)\n```": "```python\nx = [a](b)\n```",
    "$$\nx = y .\n$$ (eq-08-step)": '<a id="equation-eq-08-step"></a>\n\n$$\nx = y . \\tag{8.1}\n$$',
    "```{math}\n:label: eq-08-step\nx = y\n```": '<a id="equation-eq-08-step"></a>\n\n$$\nx = y \\tag{8.1}\n$$',
    ":::{admonition} Remember\n:class: tip\nOne.\n\n$$\nx\n$$\n:::\nAfter.": (
        "> **Remember**\n> \n> One.\n> \n> $$ x $$\n\nAfter."
    ),
    ":::{admonition} Why?\n:class: dropdown\nSo {eq}`eq-08-step`.\n:::": (
        "<details>\n<summary>Why?</summary>\n\nSo [(8.1)](#equation-eq-08-step).\n\n</details>"
    ),
    ":::{prf:theorem} Newton's\n:label: thm-08-newton\nIt holds.\n:::": (
        '<a id="thm-08-newton"></a>\n\n> **Theorem 8.1** (Newton\'s)\n> \n> It holds.'
    ),
}
REFUSED = {
    "{ref}`x`": "role {ref}",
    ":::{tab-set}\nx\n:::": "directive {tab-set}",
    "{eq}`eq-08-none`": "eq-08-none",
    "$$x$$ (eq-08-none)": "eq-08-none",
    "{term}`pole`": "pole",
    "{cite:t}`c`": "'c'",
    "{glue:text}`none`": "glued 'none'",
    "[x](elsewhere)": "elsewhere",
}


def plain(text, address):
    return Page(LESSON, NAMES, address, {"failing": "4"}).plain(text)


@pytest.mark.parametrize("text", PROSE)
def test_a_role_or_directive_becomes_plain_markdown(text):
    assert plain(text, Folder()) == PROSE[text]


@pytest.mark.parametrize("text", REFUSED)
def test_unknown_markup_is_refused_by_name(text):
    with pytest.raises(MarkupError) as refused:
        plain(text, Folder())
    assert REFUSED[text] in str(refused.value) and LESSON in str(refused.value)


def test_a_question_hides_which_answer_is_right():
    text = ":::{admonition} How much, {eq}`eq-08-step`?\n:class: dropdown predict\n:name: predict-08\n\n"
    words = plain(f"{text}- [x] 10 nm — Squared.\n- [ ] 1 µm — Not linear.\n:::", Folder())
    open_to_all, _, fold = words.partition("<details>")
    asked = "> **Predict first.** How much, [(8.1)](#equation-eq-08-step)?\n> \n> - 10 nm\n> - 1 µm\n\n"
    assert open_to_all == asked
    assert "- **Right: 10 nm** — Squared.\n- **Wrong: 1 µm** — Not linear." in fold
    typed = plain(f"{text}- [x] = 0.5 ± 0.01 mm — Half.\n- [ ] = 5 ± 0.1 mm — Ten times.\n:::", Folder())
    assert "mm" not in typed.partition("<details>")[0] and "**Right: 0.5 mm** — Half." in typed
    where = "- figure: move `x = 1`\n- [x] far `x > 2` — Far.\n- [ ] anywhere else — Near."
    placed = plain(f"{text}{where}\n:::", Folder())
    assert "far" not in placed.partition("<details>")[0] and "**Right: far** — Far." in placed and "x > 2" not in placed


@pytest.mark.parametrize("lines", ["", "No list.\n", "- [x] 10 nm — Squared.\n"])
def test_a_question_that_is_not_complete_stops_the_copy(lines):
    text = f":::{{admonition}} How much?\n:class: dropdown predict\n:name: predict-08\n\n{lines}:::"
    with pytest.raises(MarkupError, match=f"^{LESSON}: .*choice"):
        plain(text, Folder())


def test_a_copy_that_is_handed_out_leads_into_the_published_book():
    text = "{eq}`eq-08-step`, {eq}`eq-09-svd`, a {term}`pose`, [next](09_singularities.ipynb)"
    url = "https://example.org/book"
    assert plain(text, Book(f"{url}/")) == (
        f"[(8.1)](#equation-eq-08-step), [(9.1)]({url}/{OTHER}.html#equation-eq-09-svd), "
        f"a [pose]({url}/book/glossary.html#term-pose), [next]({url}/{OTHER}.html)"
    )
    assert plain(text, Book()) == "[(8.1)](#equation-eq-08-step), (9.1), a pose, next"
