"""Every error this library raises on purpose.

Each message names the value that was wrong and says what would have been valid.
"""


class LessonsError(Exception):
    """Root of all errors of this library: ``except LessonsError`` catches every one of them."""


class ArgumentError(LessonsError, ValueError):
    """A caller passed something that can never be right."""


class ConfigurationError(ArgumentError):
    """A joint configuration q has the wrong shape, is not finite, or lies outside its limits."""


class TransformError(ArgumentError):
    """A matrix or vector is not the rotation, pose or twist that was asked for."""


class ScrewError(ArgumentError):
    """A screw axis is neither a normalised rotation nor a unit translation."""


class LimitsError(ArgumentError):
    """Joint limits have the wrong shape, are NaN, or have a lower bound above the upper one."""


class ConventionError(ArgumentError):
    """A Denavit-Hartenberg table was given with a convention or rows that do not exist."""


class ParameterError(ArgumentError):
    """A damping, weight, tolerance, count or name has no meaning where it was used."""


class ClaimError(LessonsError):
    """A claim of a lesson is false, or could not be proven."""


class CodegenError(LessonsError):
    """An expression could not be turned into source code, or the source could not be loaded."""
