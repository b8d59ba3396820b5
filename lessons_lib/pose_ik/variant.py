"""The variant of a method: everything about it, except its numbers, that the kernels are derived for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lessons_lib.pose_ik.rule import Rule

LINE, TRUST_REGION, NEWTON = "a + b E", "trust region", "Newton"
"""Dampings without a formula of their own: affine in the objective, with a memory, and that of `descent`."""


@dataclass(frozen=True)
class Variant:
    """Everything about a method, except its numbers, that the kernels of a search are derived for."""

    model: str = "body"  # or space, exact, split body, split space, split target, split axes, split intervals
    weighted: bool = False  # whether the six weights are among the parameters
    masked: bool = False  # whether some components of the error do not count
    damping: str = LINE  # or TRUST_REGION, NEWTON, or a rule's formula as text
    parameters: int = 2  # number of damping parameters
    rule: Rule | None = field(default=None, compare=False)  # the rule with that formula, if it is not LINE
    sequential: bool = False  # whether for the sequential search, which keeps the model and may hold joints
    formula: Callable[..., Any] | None = None  # that of the step, if it is more than one linear problem

    def recipe(self, dof: int) -> str:
        """Return a text that identifies the variant, for an arm of `dof` joints."""
        numbers = f"{self.model}, {self.weighted}, {self.masked}, {self.damping}, {self.parameters}, {self.sequential}"
        if self.formula is None:
            return numbers
        from lessons_lib.pose_ik.stated_step import key_of

        return f"{numbers}, {key_of(self.formula, dof)}"

    @property
    def splits(self) -> bool:
        """Whether the error is the split error."""
        return self.model.startswith("split")

    @property
    def numbers(self) -> int:
        """Number of kernel parameters: roots of the weights, damping parameters, axes or intervals."""
        return 6 + self.parameters + {"split axes": 9, "split intervals": 12}.get(self.model, 0)

    @property
    def adapts(self) -> bool:
        """Whether the damping is a trust region, so that steps may be rejected."""
        return self.damping == TRUST_REGION
