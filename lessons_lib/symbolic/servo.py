r"""A velocity loop with dead time, in symbols: each cycle a speed in proportion to an error that is some cycles old.

With g the gain times the cycle and d the delay in cycles, the error of a joint whose command rests is

    e_{k+1} = e_k − g e_{k−d}.

It fades while g is below a bound, and at the bound it swings with 2(2d + 1) cycles a period.

Lesson 23 proves it.
"""

import sympy as sp

from lessons_lib.symbolic.formulas import formula


@formula
def largest_gain(delay: sp.Expr) -> sp.Expr:
    """Return the gain times the cycle at which an error swings without end: 2 sin(π/(2(2d + 1))).

    Args:
        delay: d, cycles.
    """
    return 2 * sp.sin(sp.pi / (2 * (2 * delay + 1)))
