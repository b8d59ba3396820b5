"""All singular angles."""

import numpy as np


def apart(a, b):
    return abs(np.remainder(a - b + np.pi, 2 * np.pi) - np.pi)


def once(angles):
    kept = []
    for angle in angles:
        if all(apart(angle, other) > 1e-7 for other in kept):
            kept.append(angle)
    return kept


def by_phase(lengths, q, joint):
    """Each factor as one cosine with a phase."""
    (L_1, L_2), (_, q_2, q_3) = lengths, q
    if joint == 1:
        return ()
    if joint == 2:  # a cos + b sin = 0
        a, b = L_1 + L_2 * np.cos(q_3), -L_2 * np.sin(q_3)
        angles = [np.arctan2(-a, b), np.arctan2(a, -b)]
    else:  # L_1 cos q_2 + L_2 cos q_2 cos q_3 − L_2 sin q_2 sin q_3 = 0
        a, b, c = L_2 * np.cos(q_2), -L_2 * np.sin(q_2), L_1 * np.cos(q_2)
        r, phase = np.hypot(a, b), np.arctan2(b, a)
        angles = [0.0, np.pi]
        if abs(c) <= r:
            turn = np.arccos(-c / r)
            angles += [phase + turn, phase - turn]
    return np.array(once(angles))


def by_tangent(lengths, q, joint):
    (L_1, L_2), (_, q_2, q_3) = lengths, q
    if joint == 1:
        return []
    if joint == 2:
        angle = np.arctan((L_1 + L_2 * np.cos(q_3)) / (L_2 * np.sin(q_3)))
        return [angle - np.pi, angle]
    angles = [np.pi, 2 * np.pi]
    if L_1 * abs(np.cos(q_2)) < L_2:
        turn = np.arcsin(-L_1 * np.cos(q_2) / L_2)
        angles += [np.pi / 2 - turn - q_2, turn - np.pi / 2 - q_2]
    return once(angles)


def elbow_only(lengths, q, joint):
    return [0.0, np.pi] if joint == 3 else by_tangent(lengths, q, joint)


def twice(lengths, q, joint):
    return [*by_tangent(lengths, q, joint), *by_tangent(lengths, q, joint)]


RIGHT = {"phase": {"singular_angles": by_phase}, "tangent": {"singular_angles": by_tangent}}
WRONG = {
    "the elbow's sine alone": {"singular_angles": elbow_only},
    "named twice": {"singular_angles": twice},
    "one of a tangent's two": {
        "singular_angles": lambda *a: by_tangent(*a)[1:] if a[2] == 2 else by_tangent(*a),
    },
}
