"""Compiled modules: closed forms, general 6R arms, their number of solutions, affine arithmetic."""

from collections.abc import Callable
from functools import lru_cache
from types import ModuleType

from lessons_lib.all_solutions import angle
from lessons_lib.all_solutions.decisions import FIRST_SOLUTION, FREE_BITS
from lessons_lib.certificates import module as certificates
from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import Constants, Derived, Imported, Plain, Recipe
from lessons_lib.lie.checks import pose_module
from lessons_lib.lie.kernels import module as lie_module

_HERE = "lessons_lib.all_solutions"


def _plain(*names: str) -> tuple[Plain, ...]:
    return tuple(Plain(f"{_HERE}.{name}") for name in names)


_CLOSED_FORM: tuple[Derived | Plain, ...] = (
    *(Derived(angle.text), Plain("lessons_lib.robots.vec3"), Plain("lessons_lib.robots.revolutions")),
    *_plain("subproblems", "decisions", "closed_form"),
)
_GENERAL_6R = _plain("elimination", "trig_polynomial", "newton", "general_6r")
_SINES = "SINE_COSINE_ERROR", "INFLATION", "U", "sine_cosine_bounded"


def _pose() -> Imported:
    return Imported(pose_module(), "is_pose")


@lru_cache(maxsize=1)
def module() -> ModuleType:
    rest = Plain(f"{_HERE}.recognition", marked=True), *_plain("branch_margins", "interval_search")
    return linker.load(Recipe("closed_form", (_pose(), *_CLOSED_FORM, *rest)))


@lru_cache(maxsize=1)
def double_double_solver() -> Callable[..., int] | None:
    """Return `solve_extended` compiled for double-doubles; None without LLVM."""
    code = linker.load(Recipe("extended_form", (_pose(), *_CLOSED_FORM, *_plain("extended_form"))))
    overload = code.solve_extended.compile(("d2", "d2", "i", "b", "d2", "d1", "d2", "d2", "i1"))
    return None if overload is None else overload.function


@lru_cache(maxsize=1)
def to_rounding_module() -> ModuleType:
    linked = Plain("lessons_lib.robots.pseudoinverse"), Plain("lessons_lib.robots.revolutions")
    bits = Constants({"FIRST_SOLUTION": FIRST_SOLUTION, "FREE_BITS": FREE_BITS})
    parts = Imported(lie_module(), "log_se3_kernel"), *linked, bits, Plain(f"{_HERE}.to_rounding", marked=True)
    return linker.load(Recipe("to_rounding", parts))


@lru_cache(maxsize=1)
def printed_module() -> ModuleType:
    """Return the functions that are printed, which are those of `module` behind a check of the pose."""
    parts = Imported(pose_module(), "is_pose", "pose_deviation", "orthonormalize", "ORTHONORMALIZE_TOLERANCE")
    recognition = Plain(f"{_HERE}.recognition", marked=True)
    printed = _plain("branch_margins", "printed_entry")
    return linker.load(Recipe("printed_solutions", (parts, *_CLOSED_FORM, recognition, *printed)))


@lru_cache(maxsize=1)
def general_6r_module() -> ModuleType:
    imported = Imported(certificates.module(), *_SINES, "factor", "back_substitute")
    return linker.load(Recipe("general_6r", (_pose(), imported, *_CLOSED_FORM, *_GENERAL_6R)))


@lru_cache(maxsize=1)
def solution_count_module() -> ModuleType:
    parts = Imported(general_6r_module(), "*"), Imported(certificates.module(), "UNDERFLOW", "distance_to_rotation")
    return linker.load(Recipe("solution_count", (*parts, *_plain("solution_count"))))


@lru_cache(maxsize=1)
def affine_module() -> ModuleType:
    imported = Imported(certificates.module(), *_SINES, "UNDERFLOW")
    return linker.load(Recipe("slices", (imported, *_plain("affine_arithmetic"))))
