"""Parse the questions of the lessons, each an admonition in Markdown; an incomplete question is an error.

    :::{admonition} One step has taken the error from 10 mm to 0.1 mm. What does the next one leave, about?
    :class: dropdown predict
    :name: predict-08-quadratic

    - [ ] 1 µm — Again a hundredth: that would be linear convergence.
    - [x] 10 nm — The next error is about the square of this one.
    :::

The first line is the question. Each list item is a choice, right if its brackets contain an x; the text after the
first dash between two spaces is the reason. If all choices are numbers with a tolerance, `= 0.5 ± 0.01 mm`, readers
type theirs; the wrong ones are common mistakes. If the list begins with a line such as

    - figure: `length_2 = 0.6`; move `x = 1; y = 0.9`
    - [x] the inner edge `inner = 0 ± 0.02` — There the arm is folded.
    - [ ] between the edges `inner > 0; outer > 0` — There are two postures.
    - [ ] anywhere else — There is none.

readers answer in the live figure of the page: it starts with the first values, and readers move the second ones. Their
answer is the first choice whose conditions the figure's `facts` satisfy; ranges include their ends.
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
    """A question is incomplete or malformed; the message says which and why."""


Value = float | str


def parse_number(text: str) -> float:
    """Parse a number as written for readers."""
    try:
        return float(text.replace("−", "-"))
    except ValueError:
        raise QuestionError(f"{text!r} is not a number") from None


@dataclass(frozen=True)
class Place:
    """A live figure in which readers choose a place: its values, and the controls that they move."""

    held: dict[str, Value]
    moved: dict[str, Value]

    @classmethod
    def read(cls, line: str) -> "Place | None":
        """Parse the first line of a list, `figure: `name = value; …`; move `…``; return None for a choice."""
        if not line.startswith("figure:"):
            return None
        match = PLACE.fullmatch(line.strip())
        if match is None:
            raise QuestionError(f"{line!r} is not ``figure: `name = value; …`; move `name = value; …```")
        return cls(_values(match["held"]), _values(match["moved"]))


def _values(text: str | None) -> dict[str, Value]:
    pairs = [pair.partition(" = ") for pair in (text or "").split("; ") if pair]
    if not all(name.isidentifier() and value for name, _, value in pairs):
        raise QuestionError(f"{text!r} is not `name = value; name = value`")
    return {name: parse_number(value) if re.match(r"[-−\d]", value) else value for name, _, value in pairs}


@dataclass(frozen=True)
class Region:
    """Interval of each fact, ends included; without facts, everywhere."""

    ends: dict[str, tuple[float, float]]

    @classmethod
    def read(cls, text: str) -> "Region":
        """Parse the region in which all conditions hold, `name = 0 ± 0.1; other > 0; third < 1`."""
        ends: dict[str, tuple[float, float]] = {}
        for condition in text.split("; "):
            match = CONDITION.fullmatch(condition)
            if match is None:
                raise QuestionError(
                    f"{condition!r} is not `fact = value ± tolerance`, `fact < value` or `fact > value`"
                )
            low, high = ends.get(match["name"], (-math.inf, math.inf))
            if match["side"]:
                end = parse_number(match["end"])
                now = (low, min(high, end)) if match["side"] == "<" else (max(low, end), high)
            else:
                value, within = parse_number(match["value"]), parse_number(match["within"])
                now = max(low, value - within), min(high, value + within)
            ends[match["name"]] = now
        return cls(ends)

    def holds(self, facts: Mapping[str, float]) -> bool:
        """Return whether the facts of a figure lie in the region."""
        return all(low <= facts[name] <= high for name, (low, high) in self.ends.items())


@dataclass(frozen=True)
class Number:
    """A number with its tolerance, in one unit."""

    value: float
    within: float
    unit: str

    def meets(self, other: "Number") -> bool:
        """Return whether one typed number would match both numbers."""
        return abs(self.value - other.value) <= self.within + other.within


@dataclass(frozen=True)
class Choice:
    """A choice, or a number to be typed, with the reason why it is right or wrong."""

    right: bool
    words: str
    reason: str
    region: Region = field(default_factory=lambda: Region({}))

    @classmethod
    def read(cls, line: str, place: Place | None = None) -> "Choice":
        """Parse a choice: `[x] words — reason`, or for a place: [x] words `where` — reason."""
        match = CHOICE.fullmatch(line.strip())
        if match is None:
            raise QuestionError(f"{line!r} is not `[ ] a choice — its reason`, with an x where it is right")
        words, region = match["words"], Region({})
        if place and (where := WHERE.search(words)):
            words, region = words[: where.start()], Region.read(where["conditions"])
        return cls(match["mark"] == "x", words, match["reason"], region)

    @property
    def number(self) -> Number | None:
        """The number to be typed, if the choice is `= value ± tolerance unit`."""
        match = NUMBER.fullmatch(self.words)
        return match and Number(float(match["value"].replace("−", "-")), float(match["within"]), match["unit"] or "")

    @property
    def shown(self) -> str:
        """The words as readers see them; a number without its tolerance."""
        match = NUMBER.fullmatch(self.words)
        return f"{match['value']} {match['unit'] or ''}".rstrip() if match else self.words


@dataclass(frozen=True)
class Question:
    """A question by its name in the book, with all its choices."""

    name: str
    asks: str
    choices: tuple[Choice, ...]
    place: Place | None = None

    @classmethod
    def of(cls, name: str, asks: str, lines: Sequence[str]) -> "Question":
        """Parse the question from the lines of its list."""
        if not lines:
            raise QuestionError(f"{name} has no list of choices")
        place = Place.read(lines[0])
        return cls(name, asks, tuple(Choice.read(line, place) for line in lines[place is not None :]), place)

    def __post_init__(self) -> None:
        """Raise QuestionError for a question without a right or a wrong choice, or with indistinguishable numbers."""
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
        """The number of each choice; empty if readers choose between words."""
        numbers = tuple(number for choice in self.choices if (number := choice.number) is not None)
        return numbers if len(numbers) == len(self.choices) else ()

    @property
    def kind(self) -> str:
        """Kind of question: `place`, `number`, `one` or `several` of the choices."""
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
            yield Question.of(name, asks, list_items(iter(lambda: next(lines, ":::"), ":::")))


def list_items(lines: Iterable[str]) -> list[str]:
    """Return the lines of a list without their dashes."""
    return [line.removeprefix("- ") for line in lines if line]
