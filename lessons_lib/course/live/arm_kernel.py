"""One kernel with everything that a drawing of a chain needs: pose, screws, tip velocities, corners."""

import sympy as sp

from lessons_lib.arrays import Array
from lessons_lib.codegen import Kernel
from lessons_lib.course.live.link_shapes import shape_of, skeleton_of
from lessons_lib.robots import Chain
from lessons_lib.robots.kinematics import exact
from lessons_lib.symbolic import open_chain, se3


def arm_kernel(chain: Chain, name: str = "arm_kernel", like: Chain | None = None) -> Kernel:
    """Return the kernel with input q that draws a chain; outputs in {s}, rad and m."""
    # T, the pose of {b}, 4×4; J_s, 6×n; J_p, the velocities of {b}'s origin per unit rate of each joint, 3×n; points,
    # the corners of the drawn body, m×3, as in `skeleton_of`; for an arm with a published shape also links, 3(n+1)×4:
    # three rows for each link, its displacement since q = 0
    body = skeleton_of(chain, like)
    derived = open_chain.derive(exact(chain.screws), exact(chain.home))
    columns = [se3.position(se3.hat(derived.J_s[:, i]) * derived.T) for i in range(chain.dof)]
    points = [
        (derived.prefixes[carrier] * sp.Matrix([*_plain(corner), 1]))[:3, :].T
        for corner, carrier in zip(body.corners, body.carriers, strict=True)
    ]
    outputs = {
        "T": derived.T,
        "J_s": derived.J_s,
        "J_p": sp.Matrix.hstack(*columns),
        "points": sp.Matrix.vstack(*points),
    }
    if shape_of(chain):
        outputs["links"] = sp.Matrix.vstack(*(moved[:3, :] for moved in derived.prefixes))
    return Kernel(
        name,
        {"q": sp.Matrix(derived.q)},
        outputs,
        derived.steps,
        "Pose, carried screws, tip velocities, body corners.",
        matrices=["J_s", "J_p"],
    )


def _plain(corner: Array) -> list[sp.Expr]:
    return list(exact(corner[:, None]))
