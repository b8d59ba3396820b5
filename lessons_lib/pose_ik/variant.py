"""What the kernels of a search are derived for: all of a method that is not a number.

Everything else about a method may change without anything being compiled again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lessons_lib.pose_ik.rule import Rule

LINE, TRUST_REGION = "a + b E", "trust region"
"""Dampings that need no formula of their own: a straight line in the objective, and the one with a memory."""


@dataclass(frozen=True)
class Variant:
    """What the kernels of a search are derived for.

    Attributes:
        model: The error and its derivative: "body", "space", "exact", "split body", "split space", "split target", or
            "split axes", for axes that are among the numbers.
        weighted: Whether the six weights are among the numbers.
        masked: Whether there are components of the error that do not count.
        damping: LINE, TRUST_REGION, or a rule's formula as text.
        parameters: How many numbers that takes.
        rule: The rule with that formula, where it is not LINE.
        one_by_one: Whether for the search of one start after the other, which keeps the model and may hold joints.
        formula: That of the step, where it is more than one linear problem; see `Method`.
    """

    model: str = "body"
    weighted: bool = False
    masked: bool = False
    damping: str = LINE
    parameters: int = 2
    rule: Rule | None = field(default=None, compare=False)
    one_by_one: bool = False
    formula: Callable[..., Any] | None = None

    def recipe(self, dof: int) -> str:
        """Return all of it as text, for an arm of so many joints."""
        numbers = f"{self.model}, {self.weighted}, {self.masked}, {self.damping}, {self.parameters}, {self.one_by_one}"
        if self.formula is None:
            return numbers
        from lessons_lib.pose_ik.stated_step import key_of

        return f"{numbers}, {key_of(self.formula, dof)}"

    @property
    def splits(self) -> bool:
        """Whether the error is the split one."""
        return self.model.startswith("split")

    @property
    def numbers(self) -> int:
        """How many numbers the kernels are given: roots of weights, those of the damping, then a rotation's."""
        return 6 + self.parameters + (9 if self.model == "split axes" else 0)

    @property
    def adapts(self) -> bool:
        """Whether the damping has a memory, and steps may be refused."""
        return self.damping == TRUST_REGION
