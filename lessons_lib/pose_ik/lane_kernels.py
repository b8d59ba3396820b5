"""The kernels of a search, derived for one chain and a variant, as text over lanes: which there are, in which order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lessons_lib.pose_ik.lane_rows import DEFAULT, rows
from lessons_lib.pose_ik.text_check import check_text
from lessons_lib.pose_ik.variant import Variant
from lessons_lib.robots import kinematics

if TYPE_CHECKING:
    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.robots import Chain


def source(chain: Chain, width: int, variant: Variant = DEFAULT) -> str:
    """Return the text of the kernels that are derived, each a function of w.

    Args:
        chain: Whose kernels.
        width: Lanes side by side.
        variant: What they are derived for.

    Raises:
        KinematicsError: The kernel of pose and Jacobian is not the product of exponentials.
    """
    from lessons_lib.codegen import lanes

    at = rows(chain.dof, variant, width)
    kernel, J = chain_kernel(chain, variant)
    sines, pose_and_jacobian = lanes.sine_and_cosine(), lanes.function(kernel, {"q": at["Q"]} | at, width)
    check_text(f"{sines}\n\n\n{pose_and_jacobian}", chain, at, width, J, variant.model == "space")
    key = step_kernels, variant
    others: list[Kernel] = chain.prepared.get(key) or step_kernels(chain, variant)
    chain.prepare(key, others)
    texts = [sines, pose_and_jacobian, _texts(others, at, width)]
    if variant.one_by_one:
        texts += [error_text(chain.dof, variant, width), lanes.anywhere_text(), lanes.anywhere(pose_and_jacobian)]
    return "\n\n\n".join(texts)


def error_text(dof: int, variant: Variant, width: int) -> str:
    """Return the text of the error twist, which hangs on no chain."""
    from lessons_lib.pose_ik.error_kernel import error_kernel

    return _texts([error_kernel()], rows(dof, variant, width), width)


def around_text(dof: int, variant: Variant, width: int) -> str:
    """Return the text of what hangs on no chain over lanes: how far the kernels know angles, error, and q + d."""
    from lessons_lib.codegen import lanes
    from lessons_lib.pose_ik.taking_kernels import advance_kernel

    advance = _texts([advance_kernel(dof)], rows(dof, variant, width), width)
    return "\n\n\n".join([f"LARGEST_ANGLE = {lanes.LARGEST_ANGLE!r}", error_text(dof, variant, width), advance])


def _texts(kernels: list[Kernel], at: dict[str, int], width: int) -> str:
    """Return the texts of kernels, which find what they are given and write what comes of it in rows of w."""
    from lessons_lib.codegen import lanes

    places = at | {f"NEW_{name}": row for name, row in at.items()}
    places |= {"NEXT_DIAGONAL": at["DIAGONAL"], "DIAGONAL_BEFORE": at["DIAGONAL"]}
    return "\n\n\n".join(lanes.function(kernel, places, width) for kernel in kernels)


def largest_angle() -> str:
    """Return the text of the largest angle that the kernels take, rad."""
    from lessons_lib.codegen import lanes

    return f"LARGEST_ANGLE = {lanes.LARGEST_ANGLE!r}"


def step_kernels(chain: Chain, variant: Variant) -> list[Kernel]:
    """Return the kernels that turn the error twist and the Jacobian into a step."""
    from lessons_lib.pose_ik import model_kernels, taking_kernels
    from lessons_lib.symbolic import constant_angles

    kernel, J = chain_kernel(chain, variant)
    varying = len(kernel.outputs["J"])
    kernels = [model_kernels.split_kernel(variant)] if variant.splits else []
    if variant.one_by_one:
        kernels += [make(variant, J, varying) for make in (model_kernels.model_kernel, model_kernels.damping_kernel)]
        kernels += [_general_step(chain, variant, J, varying, by_rows) for by_rows in (True, False)]
        kernels += [taking_kernels.promise_kernel(chain.dof)] if variant.adapts else []
    else:
        kernels += [model_kernels.step_kernel(variant, J, varying, constant_angles.axis_products(chain.screws))]
    return kernels + ([taking_kernels.acceptance_kernel(variant, J, varying)] if variant.adapts else [])


def _general_step(chain: Chain, variant: Variant, J: Any, varying: int, by_rows: bool) -> Kernel:
    """Return the step of any A and e, derived once for all methods of a chain that state no formula of their own."""
    from lessons_lib.pose_ik.model_kernels import general_step_kernel

    if variant.formula is not None:
        return general_step_kernel(variant, J, varying, by_rows)
    key = general_step_kernel, by_rows
    found: Kernel = chain.prepared.get(key) or general_step_kernel(variant, J, varying, by_rows)
    chain.prepare(key, found)
    return found


def chain_kernel(chain: Chain, variant: Variant = DEFAULT) -> tuple[Kernel, Any]:
    """Return T_sb, without its last row, with the entries of the Jacobian that vary, and it itself, 6×n, in these.

    J_b comes out of the recursion from the tip to the base, J_s out of the product of exponentials. They are derived
    once for all methods in a frame.
    """
    key = chain_kernel, variant.model == "space"
    found: tuple[Kernel, Any] = chain.prepared.get(key) or _chain_kernel(chain, variant)
    chain.prepare(key, found)
    return found


def _chain_kernel(chain: Chain, variant: Variant) -> tuple[Kernel, Any]:
    import sympy as sp

    from lessons_lib.symbolic import open_chain, tip_to_base

    if variant.model == "space":
        (kernel,) = kinematics.space_kernels(chain.screws, chain.home)
    else:
        kernel = kinematics.tip_kernels(chain.screws, chain.home, chain.prepared)[-1]
    matrix = kernel.outputs["J_s" if variant.model == "space" else "J_b"]
    entries = dict.fromkeys(entry for entry in matrix if not entry.is_number)
    symbols = {entry: sp.Symbol(f"J{i}", real=True) for i, entry in enumerate(entries)}
    J = matrix.applyfunc(lambda entry: symbols.get(entry, entry))
    outputs = {"T": kernel.outputs["T"][:3, :], "J": sp.Matrix(list(entries))}
    by = [open_chain.derive if variant.model == "space" else tip_to_base.derive]
    return replace(kernel, name="pose_and_jacobian", outputs=outputs, matrices=(), by=by), J
