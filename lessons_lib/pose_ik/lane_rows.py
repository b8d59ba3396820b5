"""The rows of w: where the kernels of a variant read and write. NAME is the first row of a quantity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.pose_ik.layout import JOINT_RANGES, MOST_PROBLEMS
from lessons_lib.pose_ik.variant import NEWTON, Variant

if TYPE_CHECKING:
    from lessons_lib.arrays import Integers

DEFAULT = Variant()
STATE_SIZE = 6
"""Size of the state of an interrupted solve_pose."""


def rows(dof: int, variant: Variant = DEFAULT) -> dict[str, int]:
    """Return the first row of each quantity, and the number of rows under "ROWS"."""
    # Matrices are stored row by row, twists as (ω, v). A search initializes the rows before "NEXT", the next q of a
    # lane. BEST is the lowest squared error, with its start and its step. ERROR is compared with the tolerances: V, or
    # the split error. BOUNDS are the squared tolerances, and the numbers of iterations and starts; LANE_MASK is 1 for
    # each active component, else 0. PARAMETERS are the roots of the weights, the damping parameters, and axes. A trust
    # region restores BACKUP_… when it rejects a step. Rows before SPLIT depend on the joints alone, rows before
    # PARAMETERS also on whether the error is split, so that methods share compiled code.
    sizes = {"Q": dof, "START": dof, "ATTEMPT": 1, "COUNT": 1, "NO_PROGRESS": 1, "BREAKDOWN": 1, "EVENT": 1}
    sizes |= {"WRAPPED": 1, "RESET": 1, "IDLE": 1, "IS_FIRST": 1, "BEST": 3}
    sizes |= {"NEXT": dof, "TARGET": 12, "T": 12, "J": 6 * dof, "V": 6, "STEP": dof, "DIAGONAL": 1}
    sizes |= {"MARGINS": max(dof, 6) if variant.sequential else min(dof, 6), "ANGULAR": 1, "LINEAR": 1}
    sizes |= {"ROW": 1, "GENERATOR": 2}
    if variant.sequential:
        sizes |= {"MODEL": 6 * dof, "RESIDUAL": 6, "ACTIVE": dof, "OBJECTIVE": 1}
    sizes |= {"SPLIT": 6} if variant.uses_split_error else {}
    sizes |= {} if variant.sequential else {"BOUNDS": 4, "LANE_MASK": 6}
    sizes["PARAMETERS"] = variant.numbers
    sizes |= {"ACCEPTED": 1} if variant.sequential else {}
    sizes |= (
        {"SOLVED": MOST_PROBLEMS * dof, "REMAINING": 1} if variant.sequential and variant.formula is not None else {}
    )
    sizes |= {"HESSIAN": dof * dof, "FACTOR": dof * dof} if variant.damping == NEWTON else {}
    if variant.uses_trust_region:
        sizes |= {"GROWTH": 1, "PREDICTED": 1, "ACCEPTED": 1, "BACKUP_OBJECTIVE": 1}
        sizes |= {f"BACKUP_{name}": size for name, size in backup_sizes(dof, variant).items()}
    places, end = {}, 0
    for name, size in sizes.items():
        places[name] = end
        end += size
    return places | {"ERROR": places["SPLIT" if variant.uses_split_error else "V"], "ROWS": end}


def backup_sizes(dof: int, variant: Variant) -> dict[str, int]:
    """Return the quantities that a trust region restores, with their sizes."""
    if variant.sequential:
        return {"Q": dof, "ERROR": 6, "MODEL": 6 * dof, "RESIDUAL": 6}
    sizes = {"Q": dof, "J": 6 * dof, "V": 6}
    if variant.model != "body" and variant.model != "exact":
        sizes["T"] = 12
    return sizes | ({"ERROR": 6} if variant.uses_split_error else {})


def places(dof: int, variant: Variant) -> Integers:
    """Return the offsets of the sequential search's rows; see AT_… in layout.py."""
    at = rows(dof, variant)
    lean = 0 if variant.uses_trust_region or variant.formula is not None else 1 if variant.model == "space" else 2
    names = "Q TARGET ERROR MODEL RESIDUAL ACTIVE STEP MARGINS DIAGONAL PARAMETERS IS_FIRST ACCEPTED ROWS".split()
    return np.array(
        [*(at[name] for name in names), dof, lean, *(at.get(name, -1) for name in ("SOLVED", "REMAINING", "HESSIAN"))]
    )


def parameters_begin(dof: int) -> int:
    """Return the first place after the joint ranges: of BOUNDS, or of the initial rows of solve_pose."""
    return JOINT_RANGES + 5 * dof


def constants(dof: int, variant: Variant, width: int) -> dict[str, int]:
    """Return the constants that the SIMD search is compiled with: rows, sizes, and places in its settings."""
    at = rows(dof, variant)
    values = {name: row for name, row in at.items() if row <= at["PARAMETERS"]} | {"ERROR": at["ERROR"]}
    values |= {"LANES": width, "DOF": dof, "BOUNDS_AT": parameters_begin(dof)}
    return values | {"INITIAL_ROWS": parameters_begin(dof), "STATE": parameters_begin(dof) + width * at["NEXT"]}
