"""The kernels derived for a chain and a variant, as text, in the order in which they are compiled."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons_lib.pose_ik.lane_rows import rows
from lessons_lib.pose_ik.variant import NEWTON, Variant
from lessons_lib.robots import kinematics
from lessons_lib.robots.kernel_check import check_kernel, reference_products

if TYPE_CHECKING:
    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.robots import Chain


def pose_text(chain: Chain, width: int, in_space: bool = False) -> str:
    """Return the text of the kernel of pose and Jacobian, J_b or J_s, compared with the product of exponentials."""
    # one lane also has a kernel for angles of any size
    from lessons_lib.codegen import lanes, scalar_target

    at = rows(chain.dof)
    kernel, J = chain_kernel(chain, in_space)
    sines = scalar_target.bounded_sine_cosine_text()
    pose_and_jacobian = lanes.function(kernel, {"q": at["Q"]} | at, width)
    check_text(f"{sines}\n\n\n{pose_and_jacobian}", chain, at, width, J, in_space)
    full_range = [lanes.full_range_text(), lanes.full_range(pose_and_jacobian)] if width == 1 else []
    return "\n\n\n".join([sines, pose_and_jacobian, *full_range])


def step_text(chain: Chain, width: int, variant: Variant) -> str:
    """Return the text of the kernels, from error twist to step, that depend on the chain and the variant."""
    key = step_kernels, variant
    kernels: list[Kernel] = chain.prepared.get(key) or step_kernels(chain, variant)
    chain.prepare(key, kernels)
    return _texts(kernels, rows(chain.dof, variant), width)


def common_text(dof: int, variant: Variant, width: int) -> str:
    """Return the text of the kernels that do not depend on the chain: largest angle, error twist, and q + d."""
    from lessons_lib.pose_ik.model_kernels import error_kernel
    from lessons_lib.pose_ik.step_kernels import advance_kernel

    kernels = [error_kernel(), advance_kernel(dof)]
    return f"{largest_angle()}\n\n\n{_texts(kernels, rows(dof, variant), width)}"


def sequential_text(dof: int) -> str:
    """Return the text of the kernels of the sequential search that do not depend on the chain."""
    from lessons_lib.pose_ik.model_kernels import error_kernel
    from lessons_lib.pose_ik.step_kernels import masked_step_kernel

    kernels = [error_kernel(), *(masked_step_kernel(dof, by_rows) for by_rows in (True, False))]
    return f"{largest_angle()}\n\n\n{_texts(kernels, rows(dof, Variant(sequential=True)), 1)}"


def _texts(kernels: list[Kernel], at: dict[str, int], width: int) -> str:
    """Return the texts of kernels that read and write rows of w."""
    from lessons_lib.codegen import lanes

    places = at | {f"NEW_{name}": row for name, row in at.items()}
    places |= {"NEXT_DIAGONAL": at["DIAGONAL"], "DIAGONAL_BEFORE": at["DIAGONAL"]}
    return "\n\n\n".join(lanes.function(kernel, places, width) for kernel in kernels)


def empty_text(names: tuple[str, ...]) -> str:
    """Return the text of empty functions, whose calls cost nothing."""
    return "\n\n\n".join(f'@native(inline=True)\ndef {name}(w):\n    """Do nothing."""' for name in names)


def largest_angle() -> str:
    """Return the definition of the largest angle of the kernels, rad."""
    from lessons_lib.symbolic.sine_cosine import LARGEST_ANGLE

    return f"LARGEST_ANGLE = {LARGEST_ANGLE!r}"


def step_kernels(chain: Chain, variant: Variant) -> list[Kernel]:
    from lessons_lib.pose_ik import model_kernels
    from lessons_lib.pose_ik import step_kernels as steps
    from lessons_lib.pose_ik.model_kernels import newton_kernel
    from lessons_lib.symbolic import constant_angles

    kernel, J = chain_kernel(chain, variant.model == "space")
    varying = len(kernel.outputs["J"])
    products = constant_angles.axis_products(chain.screws) if chain.matrix is None else {}
    coupled = None if variant.formula is None else model_kernels.joint_columns(chain)
    kernels = [model_kernels.split_kernel(variant)] if variant.uses_split_error else []
    if variant.damping == NEWTON:
        kernels.append(newton_kernel(variant, J, varying, chain))
    elif variant.sequential:
        kernels += [make(variant, J, varying) for make in (steps.model_kernel, steps.damping_kernel)]
        if variant.formula is not None:
            kernels += [steps.stated_step_kernel(variant, J, varying, by_rows, coupled) for by_rows in (True, False)]
            kernels += steps.stated_problem_kernels(variant, J, varying, coupled)
        elif not variant.uses_trust_region:
            kernels += [steps.step_kernel(replace(variant, sequential=False), J, varying, products)]
        kernels += [steps.prediction_kernel(chain.dof)] if variant.uses_trust_region else []
    else:
        kernels += [steps.step_kernel(variant, J, varying, products, coupled)]
    return kernels + ([steps.acceptance_kernel(variant, J, varying)] if variant.uses_trust_region else [])


def chain_kernel(chain: Chain, in_space: bool = False) -> tuple[Kernel, Any]:
    """Return the kernel of T_sb without its last row and of the varying entries of the Jacobian, and the Jacobian."""
    # J_b comes from the recursion from the tip to the base, J_s from the product of exponentials
    key = chain_kernel, in_space
    kernel: tuple[Kernel, Any] = chain.prepared.get(key) or _chain_kernel(chain, in_space)
    chain.prepare(key, kernel)
    return kernel


def _chain_kernel(chain: Chain, in_space: bool) -> tuple[Kernel, Any]:
    import sympy as sp

    from lessons_lib.symbolic import coupled_chain, open_chain, tip_to_base

    if in_space:
        (kernel,) = kinematics.space_kernels(chain.screws, chain.home, chain.matrix)
    else:
        kernel = kinematics.tip_kernels(chain.screws, chain.home, chain.prepared, chain.matrix)[-1]
    matrix = kernel.outputs["J_s" if in_space else "J_b"]
    entries = dict.fromkeys(entry for entry in matrix if not entry.is_number)
    symbols = {entry: sp.Symbol(f"J{i}", real=True) for i, entry in enumerate(entries)}
    J = matrix.applyfunc(lambda entry: symbols.get(entry, entry))
    outputs = {"T": kernel.outputs["T"][:3, :], "J": sp.Matrix(list(entries))}
    by: list[object] = [open_chain.derive if in_space else tip_to_base.derive]
    by += [] if chain.matrix is None else [coupled_chain.coupled_jacobian]
    return replace(kernel, name="pose_and_jacobian", outputs=outputs, matrices=(), by=by), J


def check_text(text: str, chain: Chain, at: dict[str, int], width: int, J: Any, in_space: bool = False) -> None:
    """Raise KinematicsError if pose_and_jacobian(w), run as Python, differs from the product of exponentials."""
    # J is J_b or J_s, 6×n, in numbers and in the symbols J0 … of its varying entries; all lanes have the same
    # configuration
    from lessons_lib.codegen.syntax import functions_of

    kernel = functions_of(text)["pose_and_jacobian"]
    for known in reference_products(chain.screws, chain.home, chain.matrix):
        w = np.zeros((at["ROWS"], width))
        w[at["Q"] : at["Q"] + chain.dof] = known.q[:, None]
        kernel(w)
        for lane in range(width):
            T, entries = w[at["T"] : at["T"] + 12, lane].reshape(3, 4), w[at["J"] :, lane]
            values = [float(entries[int(e.name[1:])] if e.is_Symbol else e) for e in J]
            jacobian = {"J_s" if in_space else "J_b": np.array(values).reshape(6, -1)}
            check_kernel(known, T, **jacobian, what="pose_and_jacobian")
