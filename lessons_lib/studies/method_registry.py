"""Methods by name and parameter, for the command line, the live figures and the studies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import suggest_arguments

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
        kind: Its class in `pose_ik`, or the class of its damping.
        default: Default of its parameter, λ, w or τ; None for a method without damping.
        frame: Frame of an undamped method, if it has a choice.
        in_figures: Whether the live figures offer the method. They need a TrustRegion, or a rule D = a + b E with one
            parameter.
    """

    name: str
    label: str
    kind: str
    default: float | None = None
    frame: str = ""
    in_figures: bool = True

    @property
    def damped(self) -> bool:
        """Whether the method has a damping."""
        return self.default is not None

    def build(self, damping: float | None = None) -> Any:
        """Return the method with this damping, or its default; an undamped method ignores it."""
        from lessons_lib import pose_ik  # here, so that the command line lists the methods without it

        kind = getattr(pose_ik, self.kind)
        if self.damped:
            return pose_ik.LevenbergMarquardt(kind(self.default if damping is None else damping))
        return kind(self.frame) if self.frame else kind()


METHODS: dict[str, Choice] = {
    choice.name: choice
    for choice in (
        Choice("newton", "Newton-Raphson, body", "NewtonRaphson", frame="body"),
        Choice("newton-space", "Newton-Raphson, space", "NewtonRaphson", frame="space"),
        Choice("gauss-newton", "Gauss-Newton", "GaussNewton"),
        Choice("constant", "LM constant, D = λ²", "Constant", 0.125),
        Choice("wampler", "LM Wampler, D = λ", "Wampler", 1e-4),
        Choice("chan", "LM Chan, D = λE", "Chan", 0.1),
        Choice("sugihara", "LM Sugihara, D = E + w", "Sugihara", 1e-3),
        Choice("trust-region", "LM trust region, D learns", "TrustRegion", 1e-3),
    )
}
"""The methods, in the order of lesson 11."""


@suggest_arguments
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
    return choice.build(damping)
