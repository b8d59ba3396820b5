import numpy as np


def by_phase(lengths, q, joint, least=1e-7):
    """Each factor as one cosine with a phase."""
    (L_1, L_2), (_, q_2, q_3) = lengths, q
    if joint == 1:
        return np.array([])
    if joint == 2:  # a cos + b sin = 0
        a, b = L_1 + L_2 * np.cos(q_3), -L_2 * np.sin(q_3)
        return np.array([np.arctan2(-a, b), np.arctan2(a, -b)])
    # L_1 cos q_2 + L_2 cos q_2 cos q_3 − L_2 sin q_2 sin q_3 = 0
    a, b, c = L_2 * np.cos(q_2), -L_2 * np.sin(q_2), L_1 * np.cos(q_2)
    r, phase = np.hypot(a, b), np.arctan2(b, a)
    turn = np.arccos(-c / r) if abs(c) <= r else 0.0
    angles = [0.0, np.pi, phase + turn, phase - turn][: 4 if abs(c) <= r else 2]
    return np.array([x for i, x in enumerate(angles) if all(abs(np.sin((x - y) / 2)) > least for y in angles[:i])])


def by_eigenvector(lengths, q, size=1.0):
    """Return the lost direction from the Jacobian of joints 2 and 3 in their plane, rotated about the vertical."""
    (L_1, L_2), (q_1, q_2, q_3) = lengths, q
    out, high = (L_1 * f(q_2) + L_2 * f(q_2 + q_3) for f in (np.cos, np.sin))
    turn = np.array([[np.cos(q_1), -np.sin(q_1), 0], [np.sin(q_1), np.cos(q_1), 0], [0, 0, 1]])
    J = turn @ [[0, -high, -L_2 * np.sin(q_2 + q_3)], [out, 0, 0], [0, out, L_2 * np.cos(q_2 + q_3)]]
    return size * np.linalg.eigh(J @ J.T)[1][:, 0]


RIGHT = {"phase": {"singular_angles": by_phase}, "smallest eigenvector": {"lost_direction": by_eigenvector}}
WRONG = {
    "the absolute value of q_2": {
        "singular_angles": lambda links, q, joint: by_phase(links, [q[0], abs(q[1]), q[2]], joint)
    },
    "the direction at the absolute value of q_2": {
        "lost_direction": lambda links, q: by_eigenvector(links, [q[0], abs(q[1]), q[2]])
    },
    "angles 0.02 rad apart are merged": {"singular_angles": lambda *given: by_phase(*given, least=0.01)},
    "a cosine near one is taken to have no angle": {
        "singular_angles": lambda links, q, joint: by_phase(links, q, joint)[
            : 2 if joint == 3 and abs(links[0] * np.cos(q[1])) > 0.9 * links[1] else None
        ]
    },
    "the tip is on axis 1 only where |cos q_2| is at most L_2": {
        "singular_angles": lambda links, q, joint: by_phase(links, q, joint)[
            : 2 if joint == 3 and abs(np.cos(q[1])) > links[1] else None
        ]
    },
    "a long arm has its tip on axis 1 only where the upper arm leans back": {
        "singular_angles": lambda links, q, joint: by_phase(links, q, joint)[
            : 2 if joint == 3 and links[0] > links[1] and abs(q[1]) < 1.5 else None
        ]
    },
    "a short arm has its tip on axis 1 only where the upper arm leans forward": {
        "singular_angles": lambda links, q, joint: by_phase(links, q, joint)[
            : 2 if joint == 3 and links[0] < links[1] and abs(q[1]) > 1.6 else None
        ]
    },
    "one angle of the shoulder where the elbow is at -45°": {
        "singular_angles": lambda links, q, joint: by_phase(links, q, joint)[
            : 1 if joint == 2 and np.sin(q[2]) < 0 < np.cos(q[2]) else None
        ]
    },
    "the outstretched direction at the absolute value of q_2": {
        "lost_direction": lambda links, q: by_eigenvector(links, [q[0], q[1] if q[2] else abs(q[1]), q[2]])
    },
    "the direction at the absolute value of q_1 where the tip is on axis 1": {
        "lost_direction": lambda links, q: by_eigenvector(
            links, [q[0] if abs(np.sin(q[2])) < 1e-9 else abs(q[0]), *q[1:]]
        )
    },
    "folded only at +π": {
        "lost_direction": lambda links, q: (
            by_eigenvector(links, q) if q[2] != -np.pi else np.array([-np.sin(q[0]), np.cos(q[0]), 0.0])
        )
    },
}
SLIPS = {
    "the angle is in degrees": {"singular_angles": lambda *given: np.degrees(by_phase(*given))},
    "has the wrong sign": {"singular_angles": lambda *given: -by_phase(*given)},
    "and none of your angles": {"singular_angles": lambda *given: by_phase(*given)[1 if given[2] == 2 else 0 :]},
    "is in your list twice": {"singular_angles": lambda *given: [*by_phase(*given), *by_phase(*given)]},
    "expected length one": {"lost_direction": lambda *given: by_eigenvector(*given, size=2.0)},
}
