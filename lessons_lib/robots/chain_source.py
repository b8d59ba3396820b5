"""The text of a chain's kernels, to be taken elsewhere: it says at its head what it is and how it is to be read."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

import lessons_lib
from lessons_lib.errors import CodegenError
from lessons_lib.robots import kinematics

if TYPE_CHECKING:
    from collections.abc import Iterator

Target = Literal["numpy", "scalar", "javascript", "c", "array_api"]

_COMMENTS = {"c": ("/*", " *", " */"), "javascript": ("/*", " *", " */")}


def source(chain: Any, target: Target) -> str:
    """Return the text of a chain's kernels, derived by `symbolic` and printed for `target`, below its header.

    Raises:
        CodegenError: Unknown target.
    """
    from lessons_lib.codegen.printers import source as printed

    if not isinstance(target, str):
        raise CodegenError(f"target is {target!r}; it is the name of one")
    text = printed(kinematics.kernels(chain.screws, chain.home), target)
    opening, line, closing = _COMMENTS.get(target, ("", "#", ""))
    head = [f"{line} {words}".rstrip() for words in _header(chain)]
    return "\n".join([*filter(None, [opening]), *head, *filter(None, [closing]), "", text])


def solver(chain: Any, target: Target, **asked: Any) -> str:
    """Return the text of a whole solver for a chain; the package that has the solver is above this one, and asked here.

    Raises:
        CodegenError: Another target than "c" and "javascript".
    """
    text: str = import_module("lessons_lib.pose_ik.printed_solver").source(chain, target, **asked)
    return text


def _header(chain: Any) -> Iterator[str]:
    """Yield what a reader without the library has to know, in lines that end no comment."""
    version = lessons_lib.__version__
    yield f"Kinematics of {plain(chain.name)}, derived and printed by lessons-lib {version}; licence: MIT."
    yield ""
    yield f"q: {chain.dof} joints, in this order:"
    for i, (name, kind, unit) in enumerate(zip(chain.joint_names, chain.joint_types, chain.joint_units, strict=True)):
        lower, upper = (f"{bound:.6g}" for bound in chain.limits[i])
        yield f"   {i}  {plain(name)}, {kind}, {unit}, limits {lower} to {upper}"
    m = chain.unit_in_words
    yield f"T: pose of the tip {{b}} in the base {{s}}, 4x4, row by row, position in {m}."
    yield "J_s, J_b: Jacobians in {s} and in {b}, 6 rows, a column for each joint, row by row;"
    yield f"   rows: angular (x, y, z), then linear (x, y, z) in {m}; both per rad, or per {m} of a prismatic joint."


def plain(name: str) -> str:
    """Return a name that neither ends nor opens a comment, continues its line, nor spells a trigraph of C."""
    shown = "".join(c if c.isprintable() and c != "\\" else "?" for c in name)
    return re.sub(r"(?<=/)(?=\*)|(?<=\*)(?=/)|(?<=\?)(?=\?)", " ", shown)
