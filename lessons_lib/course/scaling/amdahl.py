"""Amdahl's law: the speed-up by several cores if a share of the work is serial."""

import sympy as sp


def time(serial: sp.Expr, cores: sp.Expr) -> sp.Expr:
    """Return the time on p cores relative to one core, s + (1 − s)/p, for the serial share s from 0 to 1."""
    # Source: Amdahl, AFIPS Spring Joint Computer Conference (1967).
    return serial + (1 - serial) / cores


def speed_up(serial: sp.Expr, cores: sp.Expr) -> sp.Expr:
    """Return the speed-up S = 1/(s + (1 − s)/p).

    Args:
        serial: s, as in `time`.
        cores: p.
    """
    return 1 / time(serial, cores)


def serial_share(gained: sp.Expr, cores: sp.Expr) -> sp.Expr:
    """Return the serial share s that explains a measured speed-up on p > 1 cores, solved from S(s, p) = S."""
    # Source: Karp & Flatt, Measuring parallel processor performance, Communications of the ACM 33 (1990).
    share = sp.Dummy("s")
    (solution,) = sp.solve(sp.Eq(time(share, cores), 1 / gained), share)
    return sp.simplify(solution)


def scaled_speed_up(serial: sp.Expr, cores: sp.Expr) -> sp.Expr:
    """Return the speed-up s + (1 − s)p if the work grows with p; s is the serial share of the time on p cores."""
    # Source: Gustafson, Reevaluating Amdahl's law, Communications of the ACM 31 (1988).
    return serial + (1 - serial) * cores
