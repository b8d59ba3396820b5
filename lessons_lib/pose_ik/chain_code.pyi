"""What the compiled search finds in front of it: the size of a chain, and the kernels derived for it and for SE(3)."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DOF: int
"""Number of joints n."""

SIZE: int
"""Of the smaller of the two normal systems: min(n, 6)."""

def chain_kernel(q: Array, T: Array, J: Array) -> None: ...
def log_se3_kernel(T: Array, xi: Array) -> None: ...
def between_kernel(T: Array, T_d: Array, T_between: Array) -> None: ...
def adjoint_kernel(T: Array, Ad: Array) -> None: ...
def left_jacobian_inverse_se3_kernel(xi: Array, J: Array) -> None: ...
