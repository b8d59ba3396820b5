"""Read the questions of the lessons, each a box of a few lines of Markdown, and refuse one that is not complete.

    :::{admonition} One step has taken the error from 10 mm to 0.1 mm. What does the next one leave, about?
    :class: dropdown predict
    :name: predict-08-quadratic

    - [ ] 1 µm — Again a hundredth: that would be linear convergence.
    - [x] 10 nm — The next error is about the square of this one.
    :::

The first line asks. Each line of the list is a choice, right where its brackets hold an x, and what follows the first
dash between two spaces is the reason. Where all choices are numbers with a tolerance, `= 0.5 ± 0.01 mm`, readers type
theirs; the wrong ones are the usual slips.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MARK = ":class: dropdown predict"
DASH = " — "
CHOICE = re.compile(rf"\[(?P<mark>[ x])\] (?P<words>.+?){DASH}(?P<reason>.*\S)", re.DOTALL)
NUMBER = re.compile(r"= (?P<value>[-−]?\d+(?:\.\d+)?) ± (?P<within>\d+(?:\.\d+)?)(?: (?P<unit>.+))?")


class QuestionError(ValueError):
    """A question that cannot be asked: it says which, and what it lacks."""


@dataclass(frozen=True)
class Number:
    """A number and how far from it another may lie to count as the same, both in the unit."""

    value: float
    within: float
    unit: str

    def meets(self, other: "Number") -> bool:
        """Return whether one typed number would count as both."""
        return abs(self.value - other.value) <= self.within + other.within


@dataclass(frozen=True)
class Choice:
    """A choice, or a number that may be typed, and the reason why it is right or wrong."""

    right: bool
    words: str
    reason: str

    @classmethod
    def read(cls, line: str) -> "Choice":
        """Return the choice that a line of the list says, `[x] words — reason`."""
        found = CHOICE.fullmatch(line.strip())
        if found is None:
            raise QuestionError(f"{line!r} is not `[ ] a choice — its reason`, with an x where it is right")
        return cls(found["mark"] == "x", found["words"], found["reason"])

    @property
    def number(self) -> Number | None:
        """What is to be typed, where the choice is `= value ± tolerance unit`."""
        found = NUMBER.fullmatch(self.words)
        return found and Number(float(found["value"].replace("−", "-")), float(found["within"]), found["unit"] or "")


@dataclass(frozen=True)
class Question:
    """What is asked, by its name in the book, and all that may be answered."""

    name: str
    asks: str
    choices: tuple[Choice, ...]

    def __post_init__(self) -> None:
        """Refuse a question without a right or a wrong answer, or with numbers that cannot be told apart."""
        right = sum(choice.right for choice in self.choices)
        if right == 0 or right == len(self.choices):
            raise QuestionError(f"{self.name}: of {len(self.choices)} choices {right} are right; both kinds are needed")
        numbers = self.numbers
        if not numbers:
            if any(choice.words.startswith("= ") for choice in self.choices):
                raise QuestionError(f"{self.name}: all choices are `= value ± tolerance unit`, or none")
            return
        if right > 1 or len({number.unit for number in numbers}) > 1:
            raise QuestionError(f"{self.name}: a question for a number has one right answer, and one unit")
        pairs = ((a, b) for i, a in enumerate(numbers) for b in numbers[:i])
        if any(a.meets(b) for a, b in pairs):
            raise QuestionError(f"{self.name}: one number would fit two of the answers")

    @property
    def numbers(self) -> tuple[Number, ...]:
        """The number of each choice; none where readers choose between words."""
        found = tuple(number for choice in self.choices if (number := choice.number) is not None)
        return found if len(found) == len(self.choices) else ()

    @property
    def kind(self) -> str:
        """How it is answered: `number`, `one` of the choices, or `several`."""
        if self.numbers:
            return "number"
        return "one" if sum(choice.right for choice in self.choices) == 1 else "several"


def read(markdown: str) -> Iterator[Question]:
    """Yield the questions of a text."""
    lines = iter(markdown.splitlines())
    for line in lines:
        if line.startswith(":::{admonition} ") and next(lines, "") == MARK:
            asks, name = line.removeprefix(":::{admonition} "), next(lines, "").removeprefix(":name: ")
            choices = []
            while (line := next(lines, ":::")) != ":::":
                choices += [Choice.read(line.removeprefix("- "))] if line else []
            yield Question(name, asks, tuple(choices))
