"""Names that the linker puts before the checked kernels: the number of coordinates, and the derived kernels."""

from lessons_lib.arrays import Array

DOF: int
"""Number of joints n."""

def pose_kernel(q: Array, T: Array) -> None: ...
def space_kernel(q: Array, T: Array, J_s: Array) -> None: ...
def chain_kernel(q: Array, T: Array, J_b: Array) -> None: ...
