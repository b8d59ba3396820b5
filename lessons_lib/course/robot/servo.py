"""A velocity loop with dead time: the speed of each cycle is proportional to an error some cycles old."""
# With g the gain times the cycle time and d the delay in cycles, e_{k+1} = e_k − g e_{k−d} for a constant command. It
# decays for g below a bound, at which it oscillates with a period of 2(2d + 1) cycles (proven in lesson 23).

import sympy as sp

from lessons_lib.symbolic.formulas import formula


@formula
def largest_gain(delay: sp.Expr) -> sp.Expr:
    """Return the stability bound of the gain times the cycle time, 2 sin(π/(2(2d + 1))), for a delay of d cycles."""
    return 2 * sp.sin(sp.pi / (2 * (2 * delay + 1)))
