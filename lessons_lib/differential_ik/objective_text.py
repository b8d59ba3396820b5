"""The objective of tasks as compiled code: what `Task.compute_qp_objective` says in NumPy, added onto H and c in place.

kernels.py joins this text to the kernels of a tree and of SE(3), so that the compiler sees one module; it is compiled
once for all robots. tests/differential_ik/test_two_objectives.py holds it and the readable form together.
"""

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

if TYPE_CHECKING:  # from robots.tree_kernels, lie.kernels and lie.jacobian_kernels

    def frame_jacobian(carrier: int, offset: Any, joints: Any, poses: Any, twists: Any, J: Any) -> None: ...  # noqa: D103
    def difference(q_of_v: Any, turns: Any, q_0: Any, q_1: Any, v: Any) -> None: ...  # noqa: D103
    def between_kernel(T: Any, T_d: Any, T_between: Any) -> None: ...  # noqa: D103
    def log_se3_kernel(T: Any, xi: Any) -> None: ...  # noqa: D103
    def adjoint_kernel(T: Any, Ad: Any) -> None: ...  # noqa: D103
    def left_jacobian_inverse_se3_kernel(xi: Any, J: Any) -> None: ...  # noqa: D103


@numba.njit(cache=True, nogil=True, error_model="numpy")
def add_objective(J: Any, e: Any, costs: Any, gain: float, lm_damping: float, H: Any, c: Any) -> None:
    """Add JᵀW²J + μI onto H and α JᵀW²e onto c, with μ = μ₀‖αWe‖²; columns of zeros are passed over."""
    (rows, nv), step = J.shape, 0 if costs.size == 1 else 1  # one cost for all coordinates, or one for each
    A, moving = np.empty((nv, rows)), np.empty(nv, dtype=np.int64)
    mu = 0.0
    for k in range(rows):
        weighted = costs[step * k] * gain * e[k]
        mu += weighted * weighted
    mu *= lm_damping
    count = 0
    for i in range(nv):
        total, moves = 0.0, False
        for k in range(rows):
            cost = costs[step * k]
            A[i, k] = cost * J[k, i]
            total += A[i, k] * cost * gain * e[k]
            moves = moves or A[i, k] != 0.0
        H[i, i] += mu
        c[i] += total
        if moves:
            moving[count] = i
            count += 1
    for a in range(count):
        i = moving[a]
        for b in range(a + 1):
            j = moving[b]
            entry = 0.0
            for k in range(rows):
                entry += A[i, k] * A[j, k]
            H[i, j] += entry
            if i != j:
                H[j, i] += entry


@numba.njit(cache=True, nogil=True, error_model="numpy")
def add_joint_objective(first: int, e: Any, costs: Any, gain: float, lm_damping: float, H: Any, c: Any) -> None:
    """Do what add_objective does where J is the identity from column `first` on."""
    mu, step = 0.0, 0 if costs.size == 1 else 1
    for k in range(e.size):
        weighted = costs[step * k] * gain * e[k]
        mu += weighted * weighted
    mu *= lm_damping
    for i in range(first):
        H[i, i] += mu
    for k in range(e.size):
        squared = costs[step * k] ** 2
        H[first + k, first + k] += squared + mu
        c[first + k] += squared * gain * e[k]


@numba.njit(cache=True, nogil=True, error_model="numpy")
def add_posture_objective(
    first: int,
    q_of_v: Any,
    turns: Any,
    target: Any,
    q: Any,
    costs: Any,
    gain: float,
    lm_damping: float,
    H: Any,
    c: Any,
) -> None:
    """Add the objective of a posture: e = q ⊖ q* behind the floating base."""
    e = np.empty(q_of_v.size)
    difference(q_of_v, turns, target, q, e)
    add_joint_objective(first, e[first:], costs, gain, lm_damping, H, c)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def product(A: Any, B: Any, C: Any) -> None:
    """Write A B into C for a 6×6 A; columns of zeros are passed over."""
    for j in range(B.shape[1]):
        for i in range(6):
            C[i, j] = 0.0
        for k in range(6):
            if B[k, j] != 0.0:
                for i in range(6):
                    C[i, j] += A[i, k] * B[k, j]


@numba.njit(cache=True, nogil=True, error_model="numpy")
def add_frame_objective(
    carrier: int,
    offset: Any,
    joints: Any,
    poses: Any,
    twists: Any,
    target: Any,
    costs: Any,
    gain: float,
    lm_damping: float,
    H: Any,
    c: Any,
) -> None:
    """Add the objective of a frame's pose: e = log(T_sb⁻¹ T_sd) and J = −J_l⁻¹(e) J_b."""
    nv = H.shape[0]
    between, e, inverse = np.empty((4, 4)), np.empty(6), np.empty((6, 6))
    J_b, J = np.empty((6, nv)), np.empty((6, nv))
    frame_jacobian(carrier, offset, joints, poses, twists, J_b)
    between_kernel(poses[-1], target, between)  # the frame's pose is left there
    log_se3_kernel(between, e)
    left_jacobian_inverse_se3_kernel(e, inverse)
    product(-inverse, J_b, J)
    add_objective(J, e, costs, gain, lm_damping, H, c)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def add_relative_objective(
    carrier: int,
    offset: Any,
    root_carrier: int,
    root_offset: Any,
    joints: Any,
    poses: Any,
    twists: Any,
    target: Any,
    costs: Any,
    gain: float,
    lm_damping: float,
    H: Any,
    c: Any,
) -> None:
    """Add the objective of a pose in a moving frame: e = log(T_rd⁻¹ T_rb) and J = J_r⁻¹(e) (J_b − Ad(T_br) J_r)."""
    nv = H.shape[0]
    relative, between, e, six = np.empty((4, 4)), np.empty((4, 4)), np.empty(6), np.empty((6, 6))
    J_b, J_root, J = np.empty((6, nv)), np.empty((6, nv)), np.empty((6, nv))
    frame_jacobian(carrier, offset, joints, poses, twists, J_b)
    T = poses[-1].copy()  # the frame's pose is left there, until the next one is
    frame_jacobian(root_carrier, root_offset, joints, poses, twists, J_root)
    T_root = poses[-1]
    between_kernel(T, T_root, relative)  # T_br
    adjoint_kernel(relative, six)
    product(six, J_root, J)
    for i in range(6):
        for j in range(nv):
            J_b[i, j] -= J[i, j]
    between_kernel(T_root, T, relative)  # T_rb
    between_kernel(target, relative, between)
    log_se3_kernel(between, e)
    left_jacobian_inverse_se3_kernel(-e, six)
    product(six, J_b, J)
    add_objective(J, e, costs, gain, lm_damping, H, c)
