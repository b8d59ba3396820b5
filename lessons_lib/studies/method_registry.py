"""Methods by name and parameter, for the command line, the live figures and the studies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from lessons_lib.errors import ParameterError

__all__ = [
    "METHODS",
    "Choice",
    "method",
]

First = Literal["random", "middle", "home"]
"""Name of the first start of a solve; see `Strategy`."""


@dataclass(frozen=True)
class Choice:
    """One method of the registry.

    Attributes:
        name: Name on the command line.
        label: Label, with the number on the diagonal of JᵀWJ.
        symbol: Symbol of its parameter; empty for a method without damping.
        default: Default of its parameter.
        kind: Its class in `pose_ik`, or the class of its damping.
        frame: Frame of an undamped method, if it has a choice.
    """

    name: str
    label: str
    symbol: str
    default: float
    kind: str
    frame: str = ""

    @property
    def damped(self) -> bool:
        """Whether the method has a damping."""
        return bool(self.symbol)

    def build(self, damping: float) -> Any:
        """Return the method with this damping, which an undamped method ignores."""
        from lessons_lib import pose_ik  # here, so that the command line lists the methods without it

        kind = getattr(pose_ik, self.kind)
        if self.damped:
            return pose_ik.LevenbergMarquardt(kind(damping))
        return kind(self.frame) if self.frame else kind()


_CHOICES = (
    Choice("newton", "Newton-Raphson, body", "", 0.0, "NewtonRaphson", "body"),
    Choice("newton-space", "Newton-Raphson, space", "", 0.0, "NewtonRaphson", "space"),
    Choice("gauss-newton", "Gauss-Newton", "", 0.0, "GaussNewton"),
    Choice("constant", "LM constant, D = λ²", "λ", 0.125, "Constant"),
    Choice("wampler", "LM Wampler, D = λ", "λ", 1e-4, "Wampler"),
    Choice("chan", "LM Chan, D = λE", "λ", 0.1, "Chan"),
    Choice("sugihara", "LM Sugihara, D = E + w", "w", 1e-3, "Sugihara"),
    Choice("trust-region", "LM trust region, D learns", "τ", 1e-3, "TrustRegion"),
)

METHODS: dict[str, Choice] = {choice.name: choice for choice in _CHOICES}
"""The methods, in the order of lesson 11."""


def method(name: str, damping: float | None = None) -> Any:
    """Return a method by its name.

    >>> from lessons_lib import studies
    >>> studies.method("chan", 0.5)
    <Levenberg-Marquardt, Chan, damping=Chan(damping=0.5)>

    Args:
        name: One of METHODS.
        damping: Its parameter, λ, w or τ; its default if None.

    Raises:
        ParameterError: Unknown name, a damping for an undamped method, or an invalid damping.
    """
    if name not in METHODS:
        raise ParameterError(f"method must be one of {', '.join(METHODS)}, got {name!r}")
    choice = METHODS[name]
    if damping is not None and not choice.damped:
        raise ParameterError(f"damping must be omitted for {choice.label}, got {damping!r}")
    return choice.build(choice.default if damping is None else damping)
