"""Amdahl's law: what many cores buy when a share of the work cannot be divided among them."""

import sympy as sp


def time(serial: sp.Expr, cores: sp.Expr) -> sp.Expr:
    """Return the time on many cores, in units of the time on one: s + (1 − s)/p.

    Args:
        serial: s, the share of the time on one core that cannot be divided, from 0 to 1.
        cores: p, at least 1.

    Source: Amdahl, Validity of the single processor approach to achieving large scale computing capabilities, AFIPS
    Spring Joint Computer Conference (1967).
    """
    return serial + (1 - serial) / cores


def speed_up(serial: sp.Expr, cores: sp.Expr) -> sp.Expr:
    """Return how many times as fast many cores do the same work: S = 1/(s + (1 − s)/p).

    Args:
        serial: s, as in `time`.
        cores: p.
    """
    return 1 / time(serial, cores)


def serial_share(gained: sp.Expr, cores: sp.Expr) -> sp.Expr:
    """Return the s that a measured speed-up betrays, solved from S(s, p) = S.

    Args:
        gained: S, the speed-up that was measured, positive.
        cores: p, more than 1.

    Source: Karp & Flatt, Measuring parallel processor performance, Communications of the ACM 33 (1990).
    """
    share = sp.Dummy("s")
    (found,) = sp.solve(sp.Eq(time(share, cores), 1 / gained), share)
    return sp.simplify(found)


def scaled_speed_up(serial: sp.Expr, cores: sp.Expr) -> sp.Expr:
    """Return how many times as long one core would take for work that grows with the cores: s + (1 − s)p.

    Args:
        serial: s, the share of the time on the p cores, not on one, that is spent on what they cannot divide.
        cores: p.

    Source: Gustafson, Reevaluating Amdahl's law, Communications of the ACM 31 (1988).
    """
    return serial + (1 - serial) * cores
