"""Read the questions of the lessons, each a box of a few lines of Markdown, and refuse one that is not complete.

    :::{admonition} One step has taken the error from 10 mm to 0.1 mm. What does the next one leave, about?
    :class: dropdown predict
    :name: predict-08-quadratic

    - [ ] 1 µm — Again a hundredth: that would be linear convergence.
    - [x] 10 nm — The next error is about the square of this one.
    :::

The first line asks. Each line of the list is a choice, right where its brackets hold an x, and what follows the first
dash between two spaces is the reason. Where all choices are numbers with a tolerance, `= 0.5 ± 0.01 mm`, readers type
theirs; the wrong ones are the usual slips. Where the list begins with a line of its own,

    - figure: `length_2 = 0.6`; move `x = 1; y = 0.9`
    - [x] the inner edge `inner = 0 ± 0.02` — There the arm is folded.
    - [ ] between the edges `inner > 0; outer > 0` — There are two postures.
    - [ ] anywhere else — There is none.

readers answer in the live figure of the page: it holds the first values, and the second ones may be moved. The first
choice that holds of its `facts` is what they have chosen; every end of a range counts as within.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

MARK = ":class: dropdown predict"
DASH = " — "
CHOICE = re.compile(rf"\[(?P<mark>[ x])\] (?P<words>.+?){DASH}(?P<reason>.*\S)", re.DOTALL)
PLACE = re.compile(r"figure:(?: `(?P<held>[^`]+)`;)? move `(?P<moved>[^`]+)`")
WHERE = re.compile(r" `(?P<conditions>[^`]+)`$")
CONDITION = re.compile(r"(?P<name>\w+) (?:= (?P<value>\S+) ± (?P<within>\S+)|(?P<side>[<>]) (?P<end>\S+))")
NUMBER = re.compile(r"= (?P<value>[-−]?\d+(?:\.\d+)?) ± (?P<within>\d+(?:\.\d+)?)(?: (?P<unit>.+))?")


class QuestionError(ValueError):
    """A question that cannot be asked: it says which, and what it lacks."""


Value = float | str


def real(text: str) -> float:
    """Return a number as it is written for readers."""
    try:
        return float(text.replace("−", "-"))
    except ValueError:
        raise QuestionError(f"{text!r} is no number") from None


@dataclass(frozen=True)
class Place:
    """A live figure in which a place is asked for: the values that it holds, and those that readers move."""

    held: dict[str, Value]
    moved: dict[str, Value]

    @classmethod
    def read(cls, line: str) -> "Place | None":
        """Return what the first line of a list says, `figure: `name = value; …`; move `…``; None for a choice."""
        if not line.startswith("figure:"):
            return None
        found = PLACE.fullmatch(line.strip())
        if found is None:
            raise QuestionError(f"{line!r} is not ``figure: `name = value; …`; move `name = value; …```")
        return cls(_values(found["held"]), _values(found["moved"]))


def _values(text: str | None) -> dict[str, Value]:
    pairs = [pair.partition(" = ") for pair in (text or "").split("; ") if pair]
    if not all(name.isidentifier() and value for name, _, value in pairs):
        raise QuestionError(f"{text!r} is not `name = value; name = value`")
    return {name: real(value) if re.match(r"[-−\d]", value) else value for name, _, value in pairs}


@dataclass(frozen=True)
class Region:
    """Where each of some facts lies, from its least value to its largest, both within; without facts everywhere."""

    ends: dict[str, tuple[float, float]]

    @classmethod
    def read(cls, text: str) -> "Region":
        """Return the region in which all conditions hold, `name = 0 ± 0.1; other > 0; third < 1`."""
        ends: dict[str, tuple[float, float]] = {}
        for condition in text.split("; "):
            found = CONDITION.fullmatch(condition)
            if found is None:
                raise QuestionError(
                    f"{condition!r} is not `fact = value ± tolerance`, `fact < value` or `fact > value`"
                )
            low, high = ends.get(found["name"], (-math.inf, math.inf))
            if found["side"]:
                end = real(found["end"])
                now = (low, min(high, end)) if found["side"] == "<" else (max(low, end), high)
            else:
                value, within = real(found["value"]), real(found["within"])
                now = max(low, value - within), min(high, value + within)
            ends[found["name"]] = now
        return cls(ends)

    def holds(self, facts: Mapping[str, float]) -> bool:
        """Return whether the facts of a figure lie in it."""
        return all(low <= facts[name] <= high for name, (low, high) in self.ends.items())


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
    region: Region = field(default_factory=lambda: Region({}))

    @classmethod
    def read(cls, line: str, place: Place | None = None) -> "Choice":
        """Return the choice that a line says: `[x] words — reason`, or, of a place, [x] words `where` — reason."""
        found = CHOICE.fullmatch(line.strip())
        if found is None:
            raise QuestionError(f"{line!r} is not `[ ] a choice — its reason`, with an x where it is right")
        words, region = found["words"], Region({})
        if place and (where := WHERE.search(words)):
            words, region = words[: where.start()], Region.read(where["conditions"])
        return cls(found["mark"] == "x", words, found["reason"], region)

    @property
    def number(self) -> Number | None:
        """What is to be typed, where the choice is `= value ± tolerance unit`."""
        found = NUMBER.fullmatch(self.words)
        return found and Number(float(found["value"].replace("−", "-")), float(found["within"]), found["unit"] or "")

    @property
    def shown(self) -> str:
        """The words as readers see them: a number without its tolerance."""
        found = NUMBER.fullmatch(self.words)
        return f"{found['value']} {found['unit'] or ''}".rstrip() if found else self.words


@dataclass(frozen=True)
class Question:
    """What is asked, by its name in the book, and all that may be answered."""

    name: str
    asks: str
    choices: tuple[Choice, ...]
    place: Place | None = None

    @classmethod
    def of(cls, name: str, asks: str, lines: Sequence[str]) -> "Question":
        """Return the question whose list has these lines."""
        if not lines:
            raise QuestionError(f"{name} holds no list of choices")
        place = Place.read(lines[0])
        return cls(name, asks, tuple(Choice.read(line, place) for line in lines[place is not None :]), place)

    def __post_init__(self) -> None:
        """Refuse a question without a right or a wrong answer, or with numbers that cannot be told apart."""
        right = sum(choice.right for choice in self.choices)
        if right == 0 or right == len(self.choices):
            raise QuestionError(f"{self.name}: of {len(self.choices)} choices {right} are right; both kinds are needed")
        if self.place:
            *others, last = self.choices
            if last.region.ends or not all(choice.region.ends for choice in others):
                raise QuestionError(f"{self.name}: every choice of a place but the last says where, `fact > 0`")
            return
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
        """How it is answered: `place`, `number`, `one` of the choices, or `several`."""
        if self.place:
            return "place"
        if self.numbers:
            return "number"
        return "one" if sum(choice.right for choice in self.choices) == 1 else "several"


def read(markdown: str) -> Iterator[Question]:
    """Yield the questions of a text."""
    lines = iter(markdown.splitlines())
    for line in lines:
        if line.startswith(":::{admonition} ") and next(lines, "") == MARK:
            asks, name = line.removeprefix(":::{admonition} "), next(lines, "").removeprefix(":name: ")
            yield Question.of(name, asks, listed(iter(lambda: next(lines, ":::"), ":::")))


def listed(lines: Iterable[str]) -> list[str]:
    """Return the lines of a list without their dashes."""
    return [line.removeprefix("- ") for line in lines if line]
