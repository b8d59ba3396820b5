import cmath
import math

import numpy as np


def by_complex_numbers(arm, p):
    """The plane of the links is that of complex numbers; turns are factors."""
    (a, d, L_1, L_2), (x, y, z) = arm, p
    square = x * x + y * y - d * d
    found = []
    for r in (math.sqrt(square), -math.sqrt(square)) if square >= 0 else ():
        w = complex(r - a, z)
        c = (abs(w) ** 2 - L_1**2 - L_2**2) / (2 * L_1 * L_2)
        for s in (math.sqrt(1 - c * c), -math.sqrt(1 - c * c)) if abs(c) <= 1 else ():
            q_1 = cmath.phase(complex(x, y) / complex(r, d))
            found.append([q_1, cmath.phase(w / (L_1 + L_2 * complex(c, s))), math.atan2(s, c)])
    return found


def all_of(arm, p, **changed):
    """The answers, with a step of them changed."""
    (a, d, L_1, L_2), (x, y, z) = arm, p
    a, d_r, d_q = changed.get("a", a), changed.get("d", d), changed.get("d", d) * changed.get("sign", 1)
    found = []
    if x * x + y * y < d_r**2:
        return found
    for sign in changed.get("signs", (1, -1)):
        r = sign * math.sqrt(x * x + y * y - d_r**2)
        cosine = ((r - a) ** 2 + z * z - L_1**2 - L_2**2) / (2 * L_1 * L_2)
        for side in changed.get("elbows", (-1, 1)) if abs(cosine) <= 1 else ():
            q_3 = side * math.acos(cosine)
            lever = changed.get("lever", 1) * math.atan2(L_2 * math.sin(q_3), L_1 + L_2 * math.cos(q_3))
            q_2 = math.atan2(z, r - a) - lever
            found.append([math.atan2(y, x) - math.atan2(d_q, r), q_2, q_3 * changed.get("elbow", 1)])
    return found


def with_change(**how):
    return {"branches": lambda arm, p: all_of(arm, p, **how)}


def place(arm, q):
    (a, d, L_1, L_2), (q_1, q_2, q_3) = arm, q
    w = a + L_1 * cmath.exp(1j * q_2) + L_2 * cmath.exp(1j * (q_2 + q_3))
    flat = complex(w.real, d) * cmath.exp(1j * q_1)
    return np.array([flat.real, flat.imag, w.imag])


def groups(arm, p, listed, turns=True):
    """The listed ones that reach the point, each as three numbers that tell it, and how many do not."""
    rows = [q for q in listed if np.linalg.norm(place(arm, q) - p) <= 1e-3]

    def key(q):
        return tuple(np.round(np.exp(1j * np.asarray(q)), 5)) if turns else tuple(np.round(q, 5))

    return [key(q) for q in rows], len(listed) - len(rows), key


def by_keys(arm, p, listed, right):
    keys, wrong, key = groups(arm, p, listed)
    return np.array([wrong, len(keys) - len(set(keys)), len({key(q) for q in right} - set(keys))])


RIGHT = {
    "complex numbers": {"branches": by_complex_numbers},
    "keys": {"audit": by_keys},
}
SLIPS = {
    "the solutions over the shoulder are missing": with_change(signs=(1,)),
    "the solutions with r > 0 are missing": with_change(signs=(-1,)),
    "expected some configurations; your function returned none": {"branches": lambda arm, p: []},
}
UNNAMED = {
    "one too many": {"audit": lambda *given: by_keys(*given) + [0, 0, 1]},
}
