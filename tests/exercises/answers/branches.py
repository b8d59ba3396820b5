import cmath
import math

import numpy as np


def by_complex_numbers(arm, p, shoulders=(1, -1), ahead=lambda r: r, reach=lambda w, _: w):
    """The plane of the links is that of complex numbers; turns are factors."""
    (a, d, L_1, L_2), (x, y, z) = arm, p
    square = x * x + y * y - d * d
    found = []
    for r in [side * math.sqrt(square) for side in shoulders] if square >= 0 else ():
        w = complex(r - a, z)
        c = (abs(w) ** 2 - L_1**2 - L_2**2) / (2 * L_1 * L_2)
        for s in (math.sqrt(1 - c * c), -math.sqrt(1 - c * c)) if abs(c) <= 1 else ():
            q_1 = cmath.phase(complex(x, y) / complex(ahead(r), d))
            found.append([q_1, cmath.phase(reach(w, a) / (L_1 + L_2 * complex(c, s))), math.atan2(s, c)])
    return found


def by_keys(arm, p, listed, right):
    """Each solution as six numbers that tell it, and the rows that reach the point by complex numbers."""

    def place(q):
        (a, d, L_1, L_2), (q_1, q_2, q_3) = arm, q
        w = a + L_1 * cmath.exp(1j * q_2) + L_2 * cmath.exp(1j * (q_2 + q_3))
        flat = complex(w.real, d) * cmath.exp(1j * q_1)
        return np.array([flat.real, flat.imag, w.imag])

    def key(q):
        return tuple(np.round(np.exp(1j * np.asarray(q)), 5))

    keys = [key(q) for q in listed if np.linalg.norm(place(q) - p) <= 1e-3]
    missing = {key(q) for q in right} - set(keys)
    return np.array([len(listed) - len(keys), len(keys) - len(set(keys)), len(missing)])


def by_arcsine(arm, p):
    """An arcsine instead of arctan2, for the angle that is subtracted in q_2."""
    sums = [(q, cmath.phase(arm[2] + arm[3] * cmath.exp(1j * q[2]))) for q in by_complex_numbers(arm, p)]
    return [[q_1, q_2 + lever - math.asin(math.sin(lever)), q_3] for (q_1, q_2, q_3), lever in sums]


def four_solutions(arm, p, listed, right):
    """The missing ones of four solutions, although a point may have two."""
    counts = by_keys(arm, p, listed, right)
    return counts + [0, 0, 4 - len(right)]


def by_distance(wrapped):
    """Each pair of configurations compared, with another way to wrap their difference."""

    def audit(arm, p, listed, right):
        rows = [q for q in listed if not by_keys(arm, p, [q], right)[0]]
        twice = sum(any(wrapped(q - other).max() < 1e-6 for other in rows[:i]) for i, q in enumerate(rows))
        missing = [q for q in right if not any(wrapped(q - other).max() < 1e-6 for other in rows)]
        return [len(listed) - len(rows), twice, len(missing)]

    return audit


RIGHT = {"complex numbers": {"branches": by_complex_numbers}, "keys": {"audit": by_keys}}
SLIPS = {
    "the solutions over the shoulder are missing": {"branches": lambda arm, p: by_complex_numbers(arm, p, (1,))},
    "the solutions with r > 0 are missing": {"branches": lambda arm, p: by_complex_numbers(arm, p, (-1,))},
    "q_1 is the same for both signs": {"branches": lambda *given: by_complex_numbers(*given, ahead=abs)},
    "a is missing in q_2": {"branches": lambda *given: by_complex_numbers(*given, reach=lambda w, a: w + a)},
    "loses the quadrant": {
        "branches": lambda *given: by_complex_numbers(*given, reach=lambda w, _: w if w.real > 0 else -w)
    },
    "q_1 is off by π where r is negative": {
        "branches": lambda *given: [
            *by_complex_numbers(*given, (1,)),
            *([q_1 + math.pi, *rest] for q_1, *rest in by_complex_numbers(*given, (-1,))),
        ]
    },
    "expected at least one configuration; your function returned none": {"branches": lambda arm, p: []},
}
UNNAMED = {
    "one too many": {"audit": lambda *given: by_keys(*given) + [0, 0, 1]},
    "an arcsine": {"branches": by_arcsine},
    "always four solutions": {"audit": four_solutions},
    "one d for all arms": {"branches": lambda arm, p: by_complex_numbers((arm[0], 0.13, *arm[2:]), p)},
    "one a for all arms": {"branches": lambda arm, p: by_complex_numbers((0.18, *arm[1:]), p)},
    "a reach of L_1 + L_2": {
        "branches": lambda arm, p: by_complex_numbers(arm, p) if sum(p**2) < sum(arm[2:]) ** 2 else []
    },
    "a negative d may exceed the distance": {
        "branches": lambda arm, p: by_complex_numbers((arm[0], max(arm[1], -np.hypot(*p[:2])), *arm[2:]), p)
    },
    "the missing ones without wrapping": {"audit": lambda *given: [*by_keys(*given)[:2], by_distance(abs)(*given)[2]]},
    "angles from 0 to 2π": {
        "audit": lambda arm, p, *lists: by_distance(abs)(arm, p, *(np.remainder(one, 2 * np.pi) for one in lists))
    },
    "a tolerance of half a radian": {"audit": by_distance(lambda gap: 2e-6 * abs(np.angle(np.exp(1j * gap))))},
    "no absolute value": {"audit": by_distance(lambda gap: np.angle(np.exp(1j * gap)))},
    "one revolution only": {"audit": by_distance(lambda gap: np.minimum(abs(gap), abs(2 * np.pi - abs(gap))))},
}
