"""Roles and directives of every page are known by name and whole, long before the book is built."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("exercises/*/*.ipynb"), *ROOT.glob("book/*.md")])
OF_OURS = {
    name
    for path in ROOT.glob("book/_ext/*.py")
    for name in re.findall(r'\.add_(?:role|directive)\("([\w-]+)"', path.read_text("utf8"))
}
ROLES = {"cite:p", "cite:t", "eq", "glue:text", "numref", "prf:ref", "term"} | OF_OURS
DIRECTIVES = {"admonition", "bibliography", "container", "glossary", "math", "prf:theorem"} | OF_OURS
ROLE = re.compile(r"\{([\w:-]+)\}`[^`]+`")
DIRECTIVE = re.compile(r"^ *(?:`{3,}|:{3,})\{([\w:-]+)\}", re.MULTILINE)
VERBATIM = re.compile(
    r"^(`{3,})(?!\{).*?^\1$|(`+)[^`].*?(?<!`)\2(?!`)|\$\$.+?\$\$(?: \([\w-]+\))?|\$[^$]+\$|^:\w+: .*?$",
    re.MULTILINE | re.DOTALL,
)
BROKEN = re.compile(r"\{[\w:-]{2,}\}|(?<![\w(#/-])(?:eq|fig|predict)-\d\d-\w+")
"""A name in braces with no text behind it, and a label that stands alone; {s} and {b} are frames."""


def faults(text: str) -> list[str]:
    """Return what the book would not understand, or show as it was typed."""
    text = re.sub(r"``(?!`).+?``(?!`)", "", text)  # code that shows markup
    unknown = [found[0] for found in ROLE.finditer(text) if found[1] not in ROLES]
    unknown += [found[0] for found in DIRECTIVE.finditer(text) if found[1] not in DIRECTIVES]
    return unknown + BROKEN.findall(VERBATIM.sub("", DIRECTIVE.sub("", ROLE.sub("", text))))


@pytest.mark.parametrize(
    "text",
    [
        "{prf:reff}`claim-8-1`",
        "{eq} `eq-08-residual`",
        "{eq}eq-08-residual",
        "see eq-08-residual",
        "[eq]`x` and {numref} fig",
        ":::{admonitoin} Why?",
        "```{maths}",
    ],
)
def test_a_slip_is_found(text: str) -> None:
    assert faults(f"Frames {{s}} and {{b}}.\n\n{text}\n\n$$x$$ (eq-08-x)\n") != []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_holds_no_slip(path: Path) -> None:
    text = path.read_text("utf8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    assert faults(text) == []
