"""What decides `converged`, checked before it decides anything: the text over lanes, and what was compiled of it.

A search that starts at q, towards the pose that the product of exponentials gives at q, has nothing to do: no step, and
errors that rounding explains. See robots/kernel_check.py for why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lessons_lib.errors import KinematicsError
from lessons_lib.pose_ik import layout
from lessons_lib.pose_ik.arguments import check_problem, check_target
from lessons_lib.pose_ik.methods import Method
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.robots import Chain
from lessons_lib.robots.exponentials import places, product
from lessons_lib.robots.kernel_check import check, products

Array = NDArray[np.float64]
LONGEST = 1e140
"""m; the square of a longer arm's rounding overflows, and nothing can be said of it."""

Search = Callable[[Problem, Array, Array], Array]

FARTHEST = 1e4
"""A tenth of the angle, rad (or length, m), up to which the lanes know their sines; beyond, nothing is checked."""


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
        kernel(w.reshape(-1))
        for lane in range(width):
            T, entries = w[at["T"] : at["T"] + 12, lane].reshape(3, 4), w[at["J"] :, lane]
            values = [float(entries[int(e.name[1:])] if e.is_Symbol else e) for e in J]
            found = {"J_s" if in_space else "J_b": np.array(values).reshape(6, -1)}
            check(known, T, **found, what="pose_and_jacobian")


def check_search(search: Search, chain: Chain, what: str, method: Method | None = None) -> None:
    """Let a compiled search start where it should end.

    Args:
        search: Returns the report of a search for a problem, a target and a first start.
        chain: Whose search.
        what: Its name.
        method: What the search is compiled for; the default one when left out.

    Raises:
        KinematicsError: It takes a step, ends elsewhere, or finds errors that rounding does not explain.
    """
    starts = np.clip(places(*chain.sampling_limits.T), *chain.limits.T)
    known = [product(chain.screws, chain.home, q) for q in starts if np.abs(q).max() < FARTHEST]
    known = [there for there in known if there.distance < LONGEST]
    targets = [check_target(there.T) for there in known]
    rounded = max((float(np.abs(T - there.T).max()) for T, there in zip(targets, known, strict=True)), default=0.0)
    stop = Stop(
        max((there.angle for there in known), default=1.0) + 4.0 * rounded,  # M may have been typed with few digits
        max((there.distance for there in known), default=1.0) * (1.0 + 4.0 * rounded),
        max_iterations=1,
        restarts=0,
    )
    problem = check_problem(chain, method, stop, None)
    for target, there in zip(targets, known, strict=True):
        _refuse_unless_there(search(problem, target, there.q), there.q, stop, what)


def _refuse_unless_there(report: Array, q: Array, stop: Stop, what: str) -> None:
    solved = report[layout.STATUS] == layout.CONVERGED and report[layout.ITERATIONS] == 0.0
    if not (solved and np.array_equal(report[layout.JOINTS : layout.JOINTS + len(q)], q)):
        raise KinematicsError(
            f"{what} does not find the tip where the product of exponentials puts it, to {stop.orientation:.2g} rad "
            f"and {stop.position:.2g} m. The chain is not solved: its derived kinematics are wrong. "
            f"q = {np.round(q, 6).tolist()}"
        )
