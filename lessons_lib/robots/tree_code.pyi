"""Names that the linker puts before the loops over a tree: the kernels of one joint, and those of SE(3)."""

from lessons_lib.arrays import Array

def revolute_kernel(
    T: Array,
    T_at: int,
    P: Array,
    P_at: int,
    q: Array,
    q_at: int,
    ratio: Array,
    ratio_at: int,
    T_joint: Array,
    T_joint_at: int,
    twist: Array,
    twist_at: int,
) -> None: ...
def prismatic_kernel(
    T: Array,
    T_at: int,
    P: Array,
    P_at: int,
    q: Array,
    q_at: int,
    ratio: Array,
    ratio_at: int,
    T_joint: Array,
    T_joint_at: int,
    twist: Array,
    twist_at: int,
) -> None: ...
def free_kernel(T: Array, P: Array, q: Array, T_joint: Array, twists: Array) -> None: ...
def free_pose_kernel(q: Array, T: Array) -> None: ...
def free_integral_kernel(q: Array, xi: Array, ahead: Array) -> None: ...
def place_kernel(T: Array, P: Array, T_frame: Array) -> None: ...
def into_frame_kernel(T: Array, twist: Array, column: Array) -> None: ...
def point_kernel(T: Array, body: Array, moment: Array) -> None: ...
def centre_column_kernel(twist: Array, below: Array, whole: Array, column: Array) -> None: ...
def between_kernel(T: Array, T_d: Array, T_between: Array) -> None: ...
def log_se3_kernel(T: Array, xi: Array) -> None: ...
