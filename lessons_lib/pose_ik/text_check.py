"""The text over lanes, checked before it is compiled; see robots/kernel_check.py for why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lessons_lib.robots.kernel_check import check, products

if TYPE_CHECKING:
    from lessons_lib.robots import Chain


def check_text(text: str, chain: Chain, at: dict[str, int], width: int, J: Any, in_space: bool = False) -> None:
    """Run the text of pose_and_jacobian(w) as plain Python, the same configuration in every lane.

    Args:
        text: With sine_cosine_near.
        chain: Whose kernel.
        at: The rows of w.
        width: Lanes side by side.
        J: J_b, or J_s, 6×n, in the symbols J0 … of the entries that vary, and in numbers.
        in_space: Whether it is J_s.

    Raises:
        KinematicsError: It is not the product of exponentials.
    """
    from lessons_lib.codegen.plain_python import functions_of

    kernel = functions_of(text)["pose_and_jacobian"]
    for known in products(chain.screws, chain.home):
        w = np.zeros((at["ROWS"], width))
        w[at["Q"] : at["Q"] + chain.dof] = known.q[:, None]
        kernel(w)
        for lane in range(width):
            T, entries = w[at["T"] : at["T"] + 12, lane].reshape(3, 4), w[at["J"] :, lane]
            values = [float(entries[int(e.name[1:])] if e.is_Symbol else e) for e in J]
            found = {"J_s" if in_space else "J_b": np.array(values).reshape(6, -1)}
            check(known, T, **found, what="pose_and_jacobian")
