"""All solutions beside surfaces where solutions come together: none is missing, none is called complete that is not.

The judges: Newton's method from both sides of the surface and from other places, in 40 digits where doubles leave a
doubt, and Pinocchio's kinematics. The configuration that the pose was made of is listed, or one that it leads to along
configurations that reach the pose to rounding.
"""

import math
from functools import cache
from itertools import pairwise

import mpmath
import numpy as np
import pinocchio
import pytest
from arms import turned_apart as apart
from hypothesis import given, settings
from hypothesis import strategies as st
from many_digits import kinematics, missing, nearest_pose
from six_r_arms import MANSEUR_DOTY, PUMA_560, at_random, from_table, from_the_tip, jaco_2, panda_slice, ur10

from lessons_lib import pose_ik
from tools.benchmarks.models import PinocchioArm

ELSEWHERE, STEPS_THERE = 6, 15
"""So many other starts of Newton's method, in doubles, and steps of each."""

DIGITS, STEPS, LEFT = 40, 60, 1e-36
"""Of Newton's method; it ends where no more is left of the error."""

PATIENCE, LESS = 20, 1e-4
"""After so many steps less than this part of the first error is left: of m answers in one each step leaves a part of
((m − 1) / m)ᵐ, which is below 0.37. Otherwise there is none."""

SAME, SAME_EXACT = 1e-6, 1e-15
"""Two configurations that are nearer are one, rad; and two of many digits: of a double one LEFT tells half of them."""

REGULAR, SURE, BENT = 1e-6, 1e-8, 0.05
"""Of doubles: above this least singular value an answer is known to SURE, rad; and above this bend, the derivative of
that value along what moves nothing, per rad, two answers that come together are where they are expected, to 1e-7."""

FAR = 1e-12
"""The largest entry of an answer's error, rad and m."""

ROUNDED, PARTS, RANK, WELL = 4e-15, 16, 1e-7, 1e-2
"""What a configuration misses a pose by, rad and m, that reaches it to rounding; parts of the way from one to another;
part of the largest singular value that counts as zero on it; and the least one of a regular configuration."""

TRIED = np.linspace(0.0, 3.0, 31)
"""Where the determinant is looked at along a line, rad."""


@cache
def arms():
    """Return the arms, with the joints at whose values (and half a turn on) solutions come together, if known."""
    elbow = -math.atan2(0.4318, 0.0203)
    puma = from_table(PUMA_560, "PUMA 560")
    closed = [(ur10(), {2: 0.0, 4: 0.0}), (puma, {2: elbow, 4: 0.0}), (from_the_tip(puma), {3: elbow, 1: 0.0})]
    closed += [(panda_slice(at), {1: 0.0, 5: 0.0}) for at in (0.0, -1.1)]
    general = [jaco_2(), from_table(MANSEUR_DOTY, "Manseur and Doty"), at_random(1), at_random(2)]
    return [*closed, *((chain, {}) for chain in general)]


judge_of = cache(PinocchioArm)


@pytest.mark.release
@pytest.mark.parametrize("case", range(9))
@settings(max_examples=200)
@given(seed=st.integers(0, 2**32 - 1))
def test_no_solution_beside_a_surface_is_missing(case, seed):
    rng, (chain, surfaces) = np.random.default_rng(seed), arms()[case]
    q = beside_a_surface(chain, surfaces, rng)
    assert faults(chain, q, rng) == [], f"{chain.name} at {q.tolist()}"


def beside_a_surface(chain, surfaces, rng):
    """Return a configuration on a surface or beside it, or one of right angles, where solutions share their angles."""
    q = rng.uniform(-math.pi, math.pi, 6)
    if rng.random() < 0.15:
        return np.asarray(rng.integers(-1, 3, 6) * (0.5 * math.pi))
    if surfaces and rng.random() < 0.6:
        for joint, value in surfaces.items():
            if rng.random() < 0.6:
                q[joint] = value + rng.choice([0.0, math.pi]) + distance(rng)
        return q
    way = rng.normal(size=6)
    way /= np.abs(way).max()
    signs = [determinant(chain, q + t * way) for t in TRIED]
    for (a, at_a), (b, at_b) in pairwise(zip(TRIED, signs, strict=True)):
        if at_a * at_b < 0.0:
            return np.asarray(q + (zero(chain, q, way, a, b) + distance(rng)) * way)
    return q


def distance(rng):
    """Return how far from a surface, rad: nothing, or 1e-15 to 1e-4 to either side."""
    return 0.0 if rng.random() < 0.1 else float(rng.choice([-1, 1]) * 10.0 ** rng.uniform(-15, -4))


def determinant(chain, q):
    """Return the determinant of the Jacobian."""
    return float(np.linalg.det(chain.body_jacobian(q)))


def zero(chain, q, way, low, high):
    """Return where the determinant is zero along a line, by halving, to the last digit."""
    left = determinant(chain, q + low * way)
    while low < (middle := 0.5 * (low + high)) < high:
        at_middle = determinant(chain, q + middle * way)
        low, high, left = (middle, high, at_middle) if left * at_middle > 0.0 else (low, middle, left)
    return middle


def faults(chain, q, rng):
    """Return what is wrong with the answers to the pose of a configuration."""
    target, judge = chain.forward_kinematics(q), judge_of(chain)
    solutions = pose_ik.all_solutions(chain, target)
    found, answers = [], list(solutions.q)
    for i, one in enumerate(answers):
        if not np.isfinite(one).all():
            found.append("an answer that is not finite")
        if any(apart(one, other) < 1e-9 for other in answers[:i]):
            found.append("one answer twice")
    residual = max((float(np.abs(judge.forward_kinematics(one) - target).max()) for one in answers), default=0.0)
    if not residual < FAR:
        found.append(f"an answer that is off by {residual:.1e}")
    if not is_listed(judge, target, q, solutions) and np.linalg.svd(jacobian(judge, q))[1][-2] >= REGULAR:
        # where two motions are lost, a way may be too bent to follow
        found.append(f"its own configuration is missing, complete: {solutions.complete}")
    starts = [*elsewhere(judge, target, answers, rng)]
    if not is_clear(judge, target, q, (other := twin(chain, q)), answers, solutions.complete):
        starts = [q, other, *starts]
    exact = [there for start in starts if (there := refined(chain, solutions.target, start)) is not None]
    for i, one in enumerate(exact):
        near = np.array([float(x) for x in one])
        curves = [family.nearest(near) for family in solutions.families]
        told = sum(apart(answer, near) < SAME for answer in [*answers, *curves])
        here = 1 + sum(SAME_EXACT < apart_exactly(one, other) < 0.5 * SAME for other in exact[:i])
        if told >= here or (told and not solutions.complete):
            continue
        if solutions.complete or sure(solutions):
            found.append(f"{near.tolist()} is missing, complete: {solutions.complete}")
    return found


def is_listed(judge, target, q, solutions):
    """Return whether a configuration of the pose is listed, or leads to one that is; or may be lost.

    It may be, of an arm without a closed form, where it is singular.
    """
    if "sixteen" in solutions.form and np.linalg.svd(jacobian(judge, q))[1][-1] < WELL:
        return True
    listed = [*solutions.q, *(family.nearest(q) for family in solutions.families)]
    return any(apart(one, q) < SAME for one in listed) or any(leads_to(judge, target, q, one) for one in listed)


def leads_to(judge, target, q, end):
    """Return whether a way leads from one configuration to another on which all reach the pose to rounding."""
    wanted, part = pinocchio.SE3(target), (np.remainder(end - q + math.pi, 2 * math.pi) - math.pi) / PARTS
    for _ in range(PARTS):
        q = there = q + part
        for _ in range(STEPS_THERE):
            J = jacobian(judge, q)
            error = pinocchio.log6(judge.data.oMf[judge.tip].actInv(wanted)).vector
            if np.abs(error).max() <= ROUNDED:
                break
            q = q + np.linalg.lstsq(J, error, rcond=RANK)[0]
        if np.abs(error).max() > ROUNDED or np.abs(q - there).max() > np.abs(part).max():
            return False
    return apart(q, end) <= max(SAME, float(np.abs(part).max()))


def sure(solutions):
    """Return whether no answer may be lost: those of a closed form that does not say that rounding decides."""
    return "sixteen" not in solutions.form and not solutions.reason.startswith("to rounding")


def twin(chain, q):
    """Return a place near the answer on the other side of the surface: along what moves nothing, as far again."""
    along, step = np.linalg.svd(chain.body_jacobian(q))[2][-1], 1e-4
    ahead, behind = determinant(chain, q + step * along), determinant(chain, q - step * along)
    slope = (ahead - behind) / (2.0 * step)
    far = -2.0 * determinant(chain, q) / slope if slope else 0.0
    return np.asarray(q + np.clip(far, -0.1, 0.1) * along)


def is_clear(judge, target, q, other, answers, complete):
    """Return whether doubles leave no doubt that an answer, and its other beyond the surface, are told.

    Where both are regular each is known well. Where they are nearer than doubles tell apart, and come together as two
    answers do, both are within SAME of q: two that are told there are enough, and one where no proof is told.
    """
    _, least, along = np.linalg.svd(jacobian(judge, q))
    told = [sum(apart(answer, one) < 0.5 * SAME for answer in answers) for one in (q, other)]
    needed = 2 if complete else 1
    if least[-1] < REGULAR:
        step = 1e-4 * along[-1]
        ahead, behind = (np.linalg.det(jacobian(judge, q + side * step)) for side in (1.0, -1.0))
        bend = abs(ahead - behind) / 2e-4 / float(np.prod(least[:-1]))
        return bool(bend > BENT and apart(q, other) < 0.1 * SAME and min(told) >= needed)
    ends = [end for one in (q, other) if (end := newton(judge, target, one, 1.0)) is not None and apart(end, one) < 0.1]
    for end in ends:
        if np.linalg.svd(jacobian(judge, end))[1][-1] < REGULAR:
            return False
        if min((apart(answer, end) for answer in answers), default=math.inf) > SURE:
            return False
    if len(ends) == 2:
        return not SURE < apart(*ends) < SAME or min(told) >= needed
    return len(ends) == 1


def newton(judge, target, q, most=math.inf):
    """Return where Newton's method leads by Pinocchio, or None: at no answer, or farther in one step than is let."""
    wanted, data = pinocchio.SE3(target), judge.data
    for _ in range(STEPS_THERE):
        J = jacobian(judge, q)
        error = pinocchio.log6(data.oMf[judge.tip].actInv(wanted)).vector
        if np.abs(error).max() < 1e-9:
            return np.asarray(q + np.linalg.lstsq(J, error, rcond=None)[0])
        step = np.linalg.lstsq(J, error, rcond=None)[0]
        if np.linalg.norm(step) > most:
            return None
        q = q + step * min(1.0, 1.0 / float(np.abs(step).max()))
    return None


def jacobian(judge, q):
    """Return Pinocchio's Jacobian in the frame of the tip, which it places there."""
    judge.forward_kinematics(q)
    return pinocchio.computeFrameJacobian(judge.model, judge.data, q, judge.tip, pinocchio.ReferenceFrame.LOCAL)


def elsewhere(judge, target, answers, rng):
    """Return where Newton's method leads from other places, if not to an answer that is known."""
    ends = [newton(judge, target, q) for q in rng.uniform(-math.pi, math.pi, (ELSEWHERE, 6))]
    return [q for q in ends if q is not None and min((apart(q, one) for one in answers), default=math.inf) > 1e-3]


def apart_exactly(a, b):
    """Return the same of configurations of many digits that are near each other."""
    with mpmath.workdps(DIGITS):
        turn = 2 * mpmath.pi
        return float(max(abs(x - y - turn * mpmath.nint((x - y) / turn)) for x, y in zip(a, b, strict=True)))


def refined(chain, target, q):
    """Return the exact answer beside a configuration, or None where Newton's method finds none there."""
    with mpmath.workdps(DIGITS):
        wanted, (home, _), at = nearest_pose(target), nearest_pose(chain.home), [mpmath.mpf(float(x)) for x in q]
        first = 0.0
        for k in range(STEPS):
            R, p, columns = kinematics(chain, home, at)
            error = missing(R, p, wanted)
            size = max(abs(e) for e in error)
            if size < LEFT:
                return at if apart(np.array([float(x) for x in at]), q) < 0.1 else None
            first = max(first, size) if k < 2 else first
            if k >= PATIENCE and size > LESS * first:
                return None
            try:
                step = mpmath.lu_solve(mpmath.matrix(columns).T, mpmath.matrix(error))
            except (ZeroDivisionError, TypeError):  # where a column is zero, mpmath has no pivot, and raises the other
                return None
            if mpmath.norm(step) > 1:
                return None
            at = [x + d for x, d in zip(at, step, strict=True)]
    return None
