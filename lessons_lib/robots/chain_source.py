"""Generated kernels of a chain as text for other programs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import lessons_lib
from lessons_lib import hooks
from lessons_lib.errors import CodegenError
from lessons_lib.robots import kinematics

if TYPE_CHECKING:
    from collections.abc import Iterator

Target = Literal["numpy", "scalar", "javascript", "c", "array_api"]

_COMMENTS = {"c": ("/*", " *", " */"), "javascript": ("/*", " *", " */")}


def source(chain: Any, target: Target) -> str:
    """Return a chain's kernels, printed for `target`, below a header."""
    from lessons_lib.codegen.printers import source as printed

    if not isinstance(target, str):
        raise CodegenError(f"target must be a string, got {target!r}")
    text = printed(kinematics.kernels(chain.screws, chain.home, chain.matrix), target)
    opening, line, closing = _COMMENTS.get(target, ("", "#", ""))
    head = [f"{line} {words}".rstrip() for words in _header(chain)]
    return "\n".join([*filter(None, [opening]), *head, *filter(None, [closing]), "", text])


def solver(chain: Any, target: Target, **options: Any) -> str:
    """Return a whole solver for a chain in C or JavaScript, by the hook "printed solver"."""
    (printed,) = hooks.implementations("printed solver")
    text: str = printed(chain, target, **options)
    return text


def all_solutions(chain: Any, target: Target) -> str:
    """Return all solutions of a chain in C or JavaScript, by the hook "printed solutions"."""
    (printed,) = hooks.implementations("printed solutions")
    text: str = printed(chain, target)
    return text


def _header(chain: Any) -> Iterator[str]:
    """Yield the lines of the header: joint names, units and shapes."""
    version = lessons_lib.__version__
    yield f"Kinematics of {comment_text(chain.name)}, derived and printed by lessons-lib {version}; licence: MIT."
    yield ""
    moving = "joints" if chain.coupling is None else f"coordinates, which move {chain.uncoupled.dof} joints"
    yield f"q: {chain.dof} {moving}, in this order:"
    for i, (name, kind, unit) in enumerate(zip(chain.joint_names, chain.joint_types, chain.joint_units, strict=True)):
        lower, upper = (f"{bound:.6g}" for bound in chain.limits[i])
        yield f"   {i}  {comment_text(name)}, {kind}, {unit}, limits {lower} to {upper}"
    m = chain.unit_in_words
    yield f"T: pose of the tip {{b}} in the base {{s}}, 4x4, row by row, position in {m}."
    yield "J_s, J_b: Jacobians in {s} and in {b}, 6 rows, a column for each joint, row by row;"
    yield f"   rows: angular (x, y, z), then linear (x, y, z) in {m}; both per rad, or per {m} of a prismatic joint."


def comment_text(name: str) -> str:
    """Return a name that is safe in a comment: it cannot open or end one, and contains no trigraph of C."""
    printable = "".join(c if c.isprintable() and c != "\\" else "?" for c in name)
    return re.sub(r"(?<=/)(?=\*)|(?<=\*)(?=/)|(?<=\?)(?=\?)", " ", printable)
