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


def twice(lengths, q, joint):
    return [*by_tangent(lengths, q, joint), *by_tangent(lengths, q, joint)]


RIGHT = {
    "phase": {"singular_angles": by_phase},
}


def with_change(change):
    return {"singular_angles": lambda lengths, q, joint: [change(x, q, joint) for x in by_phase(lengths, q, joint)]}


SLIPS = {
    "the angle is in degrees": with_change(lambda x, q, joint: np.degrees(x)),
    "has the wrong sign": with_change(lambda x, q, joint: -x),
    "and none of your angles": {"singular_angles": lambda *a: by_tangent(*a)[1:] if a[2] == 2 else by_tangent(*a)},
    "is in your list twice": {"singular_angles": twice},
}


def tip_jacobian(lengths, q):
    """The planar arm of joints 2 and 3, turned about the vertical."""
    (L_1, L_2), (q_1, q_2, q_3) = lengths, q
    out, high = (L_1 * f(q_2) + L_2 * f(q_2 + q_3) for f in (np.cos, np.sin))
    turn = np.array([[np.cos(q_1), -np.sin(q_1), 0], [np.sin(q_1), np.cos(q_1), 0], [0, 0, 1]])
    return turn @ [[0, -high, -L_2 * np.sin(q_2 + q_3)], [out, 0, 0], [0, out, L_2 * np.cos(q_2 + q_3)]]


def lost(change):
    """An answer to the second one, made of the Jacobian's singular vectors."""
    return {"lost_direction": lambda lengths, q: change(*np.linalg.svd(tip_jacobian(lengths, q)))}


def by_eigenvector(lengths, q):
    J = tip_jacobian(lengths, q)
    return np.linalg.eigh(J @ J.T)[1][:, 0]


RIGHT |= {
    "smallest eigenvector": {"lost_direction": by_eigenvector},
}
SLIPS |= {
    "expected length one": lost(lambda U, s, V: 2 * U[:, -1]),
}
