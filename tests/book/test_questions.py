"""The right answer of every question in the lessons is right, and the slips are slips: all are computed here once more.

`TRUTHS` computes what the choices of a question say, in their order: the number of each, or whether each is so. What a
lesson measures is read from the outputs of its cells, which nbval holds. `SAID` names what is a matter of words.
"""

import json
import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import nbformat
import numpy as np
import pytest
import sympy as sp
from scipy.linalg import expm, logm
from scipy.spatial.transform import Rotation

from classroom.copies.questions import Question, read
from lessons_lib import pose_ik, robots
from lessons_lib.course import live
from lessons_lib.pose_ik import Solutions
from lessons_lib.robots import PANDA_DH, PANDA_FLANGE, UR10_DH, exponentials
from lessons_lib.robots.chain import Chain
from lessons_lib.studies import MEASURED, matlab_library

ROOT = Path(__file__).resolve().parents[2]

Truth = Sequence[float | bool]
Matrix = np.ndarray
LESSONS = {path.stem[:2]: path for path in sorted(ROOT.glob("notebooks/*.ipynb"))}
RNG = np.random.default_rng(16)
Z = np.array([0.0, 0.0, 1.0])

TRUTHS: dict[str, Callable[[], Truth]] = {}
SAID = {"11-refused": "what a trust region does is its definition, {eq}`eq-11-gain`"}
"""Questions that no computation decides, and where the lesson says it."""


def truth(name: str) -> Callable[[Callable[[], Truth]], Callable[[], Truth]]:
    """Enter a computation into the table."""

    def enter(computed: Callable[[], Truth]) -> Callable[[], Truth]:
        TRUTHS[name] = computed
        return computed

    return enter


@lru_cache(maxsize=1)
def questions() -> dict[str, Question]:
    """The questions of all lessons, by their names without `predict-`."""
    cells = [cell for path in LESSONS.values() for cell in nbformat.read(path, as_version=4).cells]
    asked = [question for cell in cells if cell.cell_type == "markdown" for question in read(cell.source)]
    found = {question.name.removeprefix("predict-"): question for question in asked}
    assert len(found) == len(asked)
    boxes = sum(len(re.findall(r"^:class:.*\bpredict\b", cell.source, re.MULTILINE)) for cell in cells)
    assert boxes == len(asked), "a box of the class predict has another form than the others"
    return found


def printed(lesson: str, pattern: str) -> list[str]:
    """What the outputs of a lesson say, for each match of a pattern with one group."""
    cells = [cell for cell in nbformat.read(LESSONS[lesson], as_version=4).cells if cell.cell_type == "code"]
    outputs = [output for cell in cells for output in cell.outputs]
    texts = [output.get("text", "") + output.get("data", {}).get("text/markdown", "") for output in outputs]
    found = re.findall(pattern, "\n".join(texts))
    assert found, f"no output of lesson {lesson} matches {pattern}"
    return found


def measured(name: str) -> dict[str, object]:
    """A file of the benchmarks' results."""
    return json.loads((MEASURED / f"{name}.json").read_text(encoding="utf8"))


def among(value: float, *choices: float) -> list[bool]:
    """Which choice lies nearest to a positive value, as factors count."""
    gaps = [abs(math.log(value / choice)) for choice in choices]
    return [gap == min(gaps) for gap in gaps]


def hat(w: Sequence[float]) -> Matrix:
    return np.cross(np.eye(3), w)


def hat6(twist: Sequence[float]) -> Matrix:
    found = np.zeros((4, 4))
    found[:3, :3], found[:3, 3] = hat(twist[:3]), twist[3:]
    return found


def vee6(matrix: Matrix) -> Matrix:
    return np.array([matrix[2, 1], matrix[0, 2], matrix[1, 0], *matrix[:3, 3]])


def pose(rotation: Matrix, position: Sequence[float]) -> Matrix:
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = rotation, position
    return found


def any_pose() -> Matrix:
    return pose(Rotation.random(rng=RNG).as_matrix(), RNG.uniform(-1, 1, 3))


def adjoint(T: Matrix) -> Matrix:
    R, p = T[:3, :3], T[:3, 3]
    return np.block([[R, np.zeros((3, 3))], [hat(p) @ R, R]])


def at(chain: Chain, q: Sequence[float]) -> exponentials.Product:
    return exponentials.product(chain.screws, chain.home, np.asarray(q, dtype=float))


def tip_jacobian(chain: Chain, q: Sequence[float]) -> Matrix:
    """∂(x, y)/∂q of a planar arm."""
    found = at(chain, q)
    return (found.T[:3, :3] @ found.J_b[3:])[:2]


def depends(of: Callable[[Matrix], Matrix], n: int) -> set[int]:
    """Which joints a quantity depends on, counted from one."""
    q = RNG.uniform(0.2, 1.0, n)
    return {i + 1 for i in range(n) if not np.allclose(of(q), of(q + 0.3 * np.eye(n)[i]))}


def damped(J: Matrix, V: Matrix, W: Matrix, damping: float) -> Matrix:
    return np.linalg.solve(J.T @ W @ J + damping * np.eye(J.shape[1]), J.T @ W @ V)


@truth("00-guesses")
def _() -> Truth:
    (factor,) = printed("00", r"the best error falls by a factor of ([\d.]+)")
    return among(float(factor), 100, 10, 2)


@truth("00-origin")
def _() -> Truth:
    speed = np.linalg.norm(robots.planar_2r().space_jacobian([0, 0])[3:, 0])
    return [speed == 0, speed == 1, speed == 2]


@truth("00-jump")
def _() -> Truth:
    arm, home = robots.ur10(), np.zeros(6)
    target = pose(np.eye(3), [0.425, 0.225, 0.125])
    missing = vee6(logm(np.linalg.inv(arm.forward_kinematics(home)) @ target).real)
    longest = np.abs(np.linalg.lstsq(arm.body_jacobian(home), missing, rcond=None)[0]).max()
    return [longest < 0.3, 0.3 < longest < 3, longest > 4 * np.pi]


@truth("00-thirty")
def _() -> Truth:
    (least,) = map(int, printed("00", r"Newton: (\d+) to"))
    (most,) = map(int, printed("00", r"Newton: \d+ to (\d+)"))
    return [most == least, 0 < most - least <= 2, most > 2 * least]


@truth("00-weight")
def _() -> Truth:
    once, weighted = (int(printed("00", rf"(\d+) steps with w = {w}\n")[0]) for w in (1, 100))
    return [weighted > 1.1 * once, abs(weighted / once - 1) <= 0.1, weighted < 0.9 * once]


@truth("01-grid")
def _() -> Truth:
    return among(360**6 / 1e8, 22e-6, 17 * 3600, 252 * 86400)


@truth("01-quadrant")
def _() -> Truth:
    def wrong(x: float, y: float) -> bool:
        return not math.isclose(math.atan(y / x), math.atan2(y, x))

    return [wrong(1, -1), wrong(-1, 1) and wrong(-1, -1), not wrong(-1, 1)]


@truth("01-hole")
def _() -> Truth:
    def reach(q_2: float | Matrix, length: float = 0.6) -> Matrix:
        return np.hypot(1 + length * np.cos(q_2), length * np.sin(q_2))

    elbows = np.linspace(0, np.pi, 1001)
    return [reach(elbows).min(), reach(elbows, 1.0).min(), reach(elbows).max(), reach(np.pi / 2)]


@truth("01-panda")
def _() -> Truth:
    J = at(robots.panda(), [0.3, -0.3, 0.2, -2.2, 0.4, 2.0, 0.1]).J_b
    free = J.shape[1] - np.linalg.matrix_rank(J)
    return [free < 0, free == 0, free == 1]


@truth("02-digits")
def _() -> Truth:
    axes = RNG.normal(size=(100, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)

    def worst(gap: float) -> float:
        R = Rotation.from_rotvec((np.pi - gap) * axes).as_matrix()
        theta = np.arccos((np.trace(R, axis1=1, axis2=2) - 1) / 2)
        skew = (theta / (2 * np.sin(theta)))[:, None, None] * (R - R.transpose(0, 2, 1))
        logs = np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], axis=1)
        return float(np.abs(Rotation.from_rotvec(logs).as_matrix() - R).max())

    lost = math.log10(worst(1e-4) / worst(1e-2)) / 2  # digits a factor of ten
    return among(10**lost, 1, 10, 100)


@truth("02-turn")
def _() -> Truth:
    sets_out = np.cross(Z, [1, 0, 0])
    return [np.allclose(sets_out, way) for way in ([0, 1, 0], [0, -1, 0], [0, 0, 1])]


@truth("02-sum")
def _() -> Truth:
    def holds(a: Matrix, b: Matrix) -> bool:
        return np.allclose(expm(hat(a)) @ expm(hat(b)), expm(hat(a + b)))

    a, b = RNG.normal(size=(2, 3))
    return [holds(a, b), holds(a, 0.7 * a), holds(a, np.cross(a, b))]


@truth("02-opposite")
def _() -> Truth:
    a = RNG.normal(size=3)
    a /= np.linalg.norm(a)
    same = np.allclose(expm(hat(np.pi * a)), expm(hat(-np.pi * a)))
    return [same, not same, not same]


@truth("02-past")
def _() -> Truth:
    turned = Rotation.from_rotvec([0, 0, 200], degrees=True)
    return [np.degrees(np.linalg.norm(turned.as_rotvec())), 200, 200 - 180]


def door() -> Matrix:
    """A quarter turn of lesson 03's door, from its hinge at −0.9 m."""
    return np.pi / 2 * np.array([*Z, *-np.cross(Z, [-0.9, 0, 0])])


@truth("03-handle")
def _() -> Truth:
    return [np.linalg.norm(expm(hat6(door()))[:3, 3]), np.linalg.norm(door()[3:]), 0.9]


@truth("03-wheel")
def _() -> Truth:
    v = np.cross(Z, np.zeros(3) - [2, 0, 0])
    return [np.allclose(v, way) for way in ([0, 0, 0], [0, 2, 0], [0, -2, 0])]


@truth("03-pitch")
def _() -> Truth:
    omega, v = 2 * Z, 0.5 * Z
    pitch = omega @ v / (omega @ omega)
    return [pitch, v[2], omega @ v, 2 * np.pi * pitch]


@truth("03-back")
def _() -> Truth:
    twists = ([*(2 * np.pi * Z), 0, 0, 0], [*(2 * np.pi * Z), 1, 0, 0], [*(2 * np.pi * Z), *Z], [*(np.pi * Z), 1, 0, 0])
    return [np.allclose(expm(hat6(np.array(twist))), np.eye(4)) for twist in twists]


@truth("03-halfway")
def _() -> Truth:
    hinge = np.array([-0.9, 0, 0, 1])
    rests = np.allclose(expm(logm(expm(hat6(door()))) / 2) @ hinge, hinge)
    return [not rests, rests, not rests]


@truth("04-axes")
def _() -> Truth:
    T, V_b = any_pose(), RNG.normal(size=6)
    V_c = adjoint(np.linalg.inv(T)) @ V_b
    omega, v = (np.allclose(V_c[half], T[:3, :3].T @ V_b[half]) for half in (slice(3), slice(3, 6)))
    return [omega and not v, v and not omega, omega and v, not omega and not v]


@truth("04-nose")
def _() -> Truth:
    return [np.cross(0.5 * Z, [2.7, 0, 0])[1], 0, 2.7 * np.degrees(0.5)]


@truth("04-dominoes")
def _() -> Truth:
    T_sb, T_bc = any_pose(), any_pose()
    right = adjoint(T_sb @ T_bc)
    tried = adjoint(T_sb) @ adjoint(T_bc), adjoint(T_bc) @ adjoint(T_sb), adjoint(np.linalg.inv(T_sb @ T_bc))
    return [np.allclose(way, right) for way in tried]


@truth("04-agree")
def _() -> Truth:
    def numbers(V: Matrix) -> tuple[float, ...]:
        omega, v = V[:3], V[3:]
        return np.linalg.norm(omega), np.linalg.norm(v), omega @ v / (omega @ omega), np.linalg.norm(V)

    V = RNG.normal(size=6)
    return [math.isclose(a, b) for a, b in zip(numbers(V), numbers(adjoint(any_pose()) @ V), strict=True)]


@truth("04-halves")
def _() -> Truth:
    J, P = RNG.normal(size=(6, 6)), np.roll(np.eye(6), 3, axis=0)
    return [np.allclose(way, np.vstack([J[3:], J[:3]])) for way in (P @ J, P @ J @ P, J @ P)]


@truth("05-believed")
def _() -> Truth:
    q = RNG.uniform(-1, 1, 6)
    arm, model = at(robots.ur10(), q).T, at(matlab_library.wrong_ur10(), q).T
    return [100 * np.linalg.norm(arm[:3, 3] - model[:3, 3]), 0.001]


@truth("05-exchange")
def _() -> Truth:
    row, column = expm(hat6([0, 0, 0.7, 0, 0, 0.2])), expm(hat6([0.4, 0, 0, 0.3, 0, 0]))
    one, other = row @ column, column @ row
    return [np.allclose(one, other), not np.allclose(one, other), np.allclose(one[:3, :3], other[:3, :3])]


@truth("05-misread")
def _() -> Truth:
    flange = pose(np.eye(3), [0, 0, PANDA_FLANGE])
    arm, misread = robots.panda(), robots.from_dh(PANDA_DH, "standard", flange)
    some = RNG.uniform(-1, 1, (5, 7))
    gaps = [np.linalg.norm(at(arm, q).T[:3, 3] - at(misread, q).T[:3, 3]) for q in some]
    return [max(gaps) < 1e-9, np.ptp(gaps) < 1e-9, not np.allclose(arm.screws, misread.screws)]


@truth("05-measure")
def _() -> Truth:
    rows = np.array(UR10_DH)
    rows[1:3, 0] += [0.1, -0.1]  # another a₂ and a₃ with the same sum
    arm, other = robots.ur10(), robots.from_dh(rows, "standard")
    seen_at_home = not np.allclose(arm.home, other.home)

    def motion(chain: Chain, joint: int) -> Matrix:
        return at(chain, 0.5 * np.eye(6)[joint]).T @ np.linalg.inv(chain.home)

    off = [not np.allclose(motion(arm, joint), motion(other, joint)) for joint in range(6)]
    return [False, seen_at_home, off.index(True) == 2]


@truth("06-step")
def _() -> Truth:
    ur10, q = robots.ur10(), np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
    here = at(ur10, q)

    def error(h: float) -> float:
        ahead = [at(ur10, q + h * one).T for one in np.eye(6)]
        columns = [vee6((T - here.T) / h @ np.linalg.inv(here.T)) for T in ahead]
        return np.abs(np.transpose(columns) - here.J_s).max()

    errors = [error(h) for h in (1e-15, 1e-8, 1e-3)]
    return [e == min(errors) for e in errors]


@truth("06-carried")
def _() -> Truth:
    panda = robots.panda()
    joints = depends(lambda q: at(panda, q).J_s[:, 1], 7)
    return [joints == {1}, joints == {1, 2}, joints == set(range(1, 8))]


@truth("06-slide")
def _() -> Truth:
    screws = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]], dtype=float).T
    column = exponentials.product(screws, np.eye(4), np.array([np.pi / 2, 0.3])).J_s[:, 1]
    return [np.allclose(column, way) for way in ([0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 1, 0, 1, 0])]


@truth("06-felt")
def _() -> Truth:
    arm = robots.planar_2r()
    joints = depends(lambda q: at(arm, q).J_b, 2)
    return [joints == {2}, joints == {1}, joints == {1, 2}]


@truth("06-origin")
def _() -> Truth:
    arm, q = robots.planar_2r(), np.radians([0, 30])
    column = at(arm, q).J_s[:, 0]
    return [np.linalg.norm(column[3:]), np.linalg.norm(tip_jacobian(arm, q)[:, 0]), np.linalg.norm(column[:3])]


@truth("07-share")
def _() -> Truth:
    (before,), (after,) = (printed("07", rf"T and J_b, {how}: +([\d,]+)") for how in ("written out", "after CSE"))
    assert before in questions()["07-share"].asks
    return among(int(before.replace(",", "")) / int(after), 2, 10, 100)


@truth("07-branch")
def _() -> Truth:
    theta = sp.Symbol("theta", positive=True)
    two = [sp.Piecewise((1, theta < 1e-4), (f(theta) / theta, True)) for f in (sp.sin, sp.tan)]
    function = sp.lambdify(theta, two, modules="math", cse=True)
    try:
        value = function(0.0)
    except ZeroDivisionError:
        return [False, True, False]
    return [value == [1, 1], False, value != [1, 1]]


@truth("07-end")
def _() -> Truth:
    ((from_base, from_tip),) = printed("07", r"\| UR10 \| [\d,]+ \| (\d+) \| (\d+) \|")
    return [int(from_base) < int(from_tip), int(from_tip) < int(from_base), from_tip == from_base]


@truth("08-matrices")
def _() -> Truth:
    axis = hat(Z)
    R, R_d = expm(0.4 * axis), expm((0.4 + np.pi) * axis)
    slope = axis @ R
    step = np.sum(slope * (R_d - R)) / np.sum(slope * slope)
    return [math.isclose(step, way, abs_tol=1e-12) for way in (np.pi, 1, 0)]


@truth("08-quadratic")
def _() -> Truth:
    constant = 0.1 / 10**2  # per mm
    return among(1e-3 * constant * 0.1**2, 1e-6, 10e-6, 10e-9)


@truth("08-space-twist")
def _() -> Truth:
    arm, q_d = robots.planar_2r(), np.radians([30, 90])
    T, T_d = at(arm, q_d - [0.1, 0]).T, at(arm, q_d).T
    V_b = vee6(logm(np.linalg.inv(T) @ T_d).real)
    V_s = adjoint(T) @ V_b
    return [np.linalg.norm(V_s[3:]), np.linalg.norm(V_b[3:]), np.linalg.norm(V_s[:3])]


@truth("08-frames")
def _() -> Truth:
    def same(chain: Chain, q: Sequence[float]) -> bool:
        here, V_b = at(chain, q), RNG.normal(size=6)
        steps = np.linalg.pinv(here.J_b) @ V_b, np.linalg.pinv(here.J_s) @ adjoint(here.T) @ V_b
        return np.allclose(*steps)

    six, seven = [0.3, -1.2, 1.5, -0.6, 1.1, 0.4], [0.3, -0.3, 0.2, -2.2, 0.4, 2.0, 0.1]
    return [same(robots.ur10(), six), same(robots.panda(), seven), same(robots.planar_2r(), [0.2, 0.9])]


def steps_inward(bend: float) -> float:
    """Length of Newton's step for a millimetre towards joint 1."""
    q = np.radians([0, bend])
    arm = robots.planar_2r()
    tip = at(arm, q).T[:2, 3]
    return float(np.linalg.norm(np.linalg.solve(tip_jacobian(arm, q), -0.001 * tip / np.linalg.norm(tip))))


@truth("09-factor")
def _() -> Truth:
    factor = steps_inward(0.1) / steps_inward(1)
    return [factor, 1, factor**2]


@truth("09-millimetre")
def _() -> Truth:
    return [0.001 / 0.02, 0.001 * 0.02, 1 / 0.02]


def axes_of_the_2r(q_1: float, q_2: float) -> Matrix:
    return np.linalg.svd(tip_jacobian(robots.planar_2r(), np.radians([q_1, q_2])), compute_uv=False)


@truth("09-area")
def _() -> Truth:
    thin, round_ = axes_of_the_2r(0, 60), axes_of_the_2r(0, 120)
    assert math.isclose(thin.prod(), round_.prod()) and thin[0] > round_[0] > round_[1] > thin[1]
    return [np.allclose(thin, round_), not np.allclose(thin, round_), not np.allclose(thin, axes_of_the_2r(50, 60))]


@truth("09-units")
def _() -> Truth:
    J, to_mm = at(robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]).J_b, np.diag([1, 1, 1, 1e3, 1e3, 1e3])
    singular = J.copy()
    singular[:, 5] = J[:, 4]

    def measures(J: Matrix, singular: Matrix) -> list[Matrix]:
        values, least = np.linalg.svd(J, compute_uv=False), np.linalg.matrix_rank(singular)
        return [values, least, np.linalg.det(J), np.linalg.cond(J[:3])]

    pairs = zip(measures(J, singular), measures(to_mm @ J, to_mm @ singular), strict=True)
    return [not np.allclose(in_m, in_mm) for in_m, in_mm in pairs]


@truth("10-division")
def _() -> Truth:
    return [0.2 / 0.01, 0.2 * 0.01, 0.2 / 1]


@truth("10-worst")
def _() -> Truth:
    sigma = np.geomspace(1e-4, 10, 10_001)
    worst = sigma[np.argmax(sigma / (sigma**2 + 0.1**2))]
    return among(worst, sigma[0], 0.1, sigma[-1])


@truth("10-left")
def _() -> Truth:
    sigma, lam = 0.2, 0.1
    left = 1 - sigma * damped(np.array([[sigma]]), np.ones(1), np.eye(1), lam**2)[0]
    return [left, 0, 1 - left, lam / (sigma + lam)]


@truth("10-units")
def _() -> Truth:
    J, to_mm = at(robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]).J_b, np.diag([1, 1, 1, 1e3, 1e3, 1e3])
    before, after = (np.linalg.svd(scaled @ J, compute_uv=False) for scaled in (np.eye(6), to_mm))
    left = [1 / 64 / (sigmas**2 + 1 / 64) for sigmas in (before, after)]  # what the damping keeps of each part
    return [np.allclose(*left), bool(np.all(left[1] <= left[0] + 1e-12)), bool(np.any(left[1] > left[0] + 1e-12))]


@truth("10-reach")
def _() -> Truth:
    def rests(lam: float, length: float = 1.0, beyond: float = 3.0) -> bool:
        angle = 0.5  # of claim 10.10
        for _ in range(2000):
            last, gain = angle, length / (length**2 + lam**2)
            angle -= gain * (length + beyond) * math.sin(angle)
        return math.isclose(angle, last, abs_tol=1e-6)

    return [rests(0.125), not rests(0.125) and rests(2.0), not rests(2.0)]


@truth("11-target")
def _() -> Truth:
    def left(error: float) -> float:
        return 1 - damped(np.array([[0.3]]), np.ones(1), np.eye(1), 0.1 * error**2 / 2)[0] * 0.3

    falls = left(1e-4) < 1e-3 * left(1e-2)
    return [not falls, falls, left(1e-4) > 0.5]


@truth("11-longest")
def _() -> Truth:
    sigma, error = np.meshgrid(np.geomspace(1e-3, 10, 801), np.geomspace(1e-3, 10, 801))
    longest = (sigma * error / (sigma**2 + 0.1 * error**2 / 2)).max()
    return [longest, 1 / (2 * 0.1), 1 / math.sqrt(0.1)]


@truth("11-starts")
def _() -> Truth:
    solved = {name: int(count) for name, count in printed("11", r"\| (newton|chan 0.1) \| (\d+) \|")}
    return among(solved["newton"] / solved["chan 0.1"], 0.05, 0.5, 1)


@truth("11-bits")
def _() -> Truth:
    ((newton, chan),) = printed("11", r"with another q: newton (more|less) than 20 %, chan (more|less) than 1 %")
    return [newton == chan == "less", (newton, chan) == ("more", "less"), newton == chan == "more"]


@truth("12-throw")
def _() -> Truth:
    q, c = 0.01, 0.0
    return [(math.cos(q) - c) / math.sin(q), math.acos(c) - q, (math.cos(q) - c) * math.sin(q)]


@truth("12-rest")
def _() -> Truth:
    def after(q: float, c: float, lam: float) -> float:
        return q + math.sin(q) * (math.cos(q) - c) / (math.sin(q) ** 2 + lam**2)

    growth = [after(1e-4, c, lam) / 1e-4 for c in (-0.9, 0.0, 0.9) for lam in (0.1, 0.5, 2.0)]
    return [min(growth) < 1, min(growth) > 1, max(growth) == 1]


@truth("12-more")
def _() -> Truth:
    newton, chan = (int(printed("12", rf"{name} +unsolved (\d+) %")[0]) for name in ("Newton-Raphson", "Chan"))
    return [chan < newton, chan == newton == 0, chan > newton]


@truth("12-lots")
def _() -> Truth:
    p, k = 0.05, np.arange(1, 2001)
    mean = np.sum(k * p * (1 - p) ** (k - 1))
    return [mean, np.mean(k[:20]), mean - 1]


@truth("13-six")
def _() -> Truth:
    J, V, W = RNG.normal(size=(6, 6)), RNG.normal(size=6), np.diag([1, 1, 1, 2, 2, 2])
    one, other = (damped(J, V, weights, 0) for weights in (np.eye(6), W))
    left = [np.abs(V - J @ step) for step in (one, other)]
    return [np.allclose(one, other), left[1][3:].max() < left[0][3:].max() - 1e-9, left[1][:3].max() > 1e-9]


@truth("13-compromise")
def _() -> Truth:
    def mean(second: float) -> float:
        return float(damped(np.ones((2, 1)), np.array([0.0, 1.0]), np.diag([1, second]), 0)[0])

    return [mean(4), mean(1e9), mean(math.sqrt(4)), mean(4**2)]


@truth("13-all")
def _() -> Truth:
    J, V, W = RNG.normal(size=(6, 4)), RNG.normal(size=6), np.diag(RNG.uniform(0.5, 2, 6))
    step = damped(J, V, 4 * W, 0.3)
    return [np.allclose(step, damped(J, V, W, damping)) for damping in (0.3, 0.3 / 4, 4 * 0.3)]


@truth("13-degree")
def _() -> Truth:
    return [1e3 * np.radians(1), 1, 1e3, np.degrees(1)]


@truth("14-jump")
def _() -> Truth:
    (hand,), (joints,) = (printed("14", rf"{what} +((?:\d\.\d+ ?)+)") for what in (r"hand +\[m\]", r"joint \[rad\]"))
    moves = np.array(joints.split(), dtype=float)
    assert max(np.array(hand.split(), dtype=float)) < 0.5
    jumps = moves.max() > np.pi
    return [not jumps, not jumps, jumps and bool(np.median(moves) < 0.6)]


@truth("14-point")
def _() -> Truth:
    T_0, T_1, tool = any_pose(), any_pose(), pose(np.eye(3), [0.2, 0, 0])

    def halfway(A: Matrix, B: Matrix, how: str) -> Matrix:
        if how == "screw":
            return A @ expm(logm(np.linalg.inv(A) @ B).real / 2)
        turn = Rotation.from_matrix(A[:3, :3].T @ B[:3, :3]).as_rotvec()
        return pose(A[:3, :3] @ expm(hat(turn / 2)), (A[:3, 3] + B[:3, 3]) / 2)

    def same(how: str) -> bool:
        return np.allclose(halfway(T_0 @ tool, T_1 @ tool, how), halfway(T_0, T_1, how) @ tool)

    screw, decoupled = same("screw"), same("decoupled")
    return [screw and decoupled, screw and not decoupled, decoupled and not screw]


@truth("14-stable")
def _() -> Truth:
    dt = 1 / 100
    return [2 / dt, 1 / dt, 2 * dt]


READY = (0, -0.3, 0, -2.2, 0, 2.0, math.pi / 4)


@truth("15-laps")
def _() -> Truth:
    angles = [float(angle) for angle in printed("15", r"lap +\d+: hand off by .* mm, joint 2 at +(\S+)°")]
    drifts = abs(angles[-1] - angles[0]) > 10
    return [not drifts, not drifts, drifts]


PLANAR = {2: robots.planar_2r(), 3: robots.planar_3r()}


@truth("15-promise")
def _() -> Truth:
    passes = printed("15", r"to the middle: joint \d after (\S+) s")
    return [not passes, bool(passes), not passes]


@truth("15-joint")
def _() -> Truth:
    swung = np.add(READY, (0.3, 0, 0.8, 0, 0.4, 0, 0))  # at READY joint 2 has no part in the elbow's swing
    J, V = at(robots.panda(), swung).J_b, np.array([0, 0, 0, 0.1, 0.1, 0.1])

    def rates(weight: float) -> Matrix:
        inverse = np.diag([1, 1 / weight, 1, 1, 1, 1, 1])
        return inverse @ J.T @ np.linalg.solve(J @ inverse @ J.T, V)

    one, hundred = rates(1), rates(100)
    served, slower = np.allclose(J @ hundred, V), abs(hundred[1]) < 0.5 * abs(one[1])
    longer = np.linalg.norm(hundred) > np.linalg.norm(one)
    return [not served, served and slower and bool(longer), bool(hundred[1] == 0)]


@truth("15-first")
def _() -> Truth:
    J, V, joints = at(robots.panda(), READY).J_b, np.array([0, 0, 0, 0, 0.1, 0]), np.eye(7)[:2]
    plus = np.linalg.pinv(J)
    first = plus @ V
    rates = first + np.linalg.pinv(joints @ (np.eye(7) - plus @ J), rcond=1e-9) @ (-joints @ first)
    served, at_rest = np.allclose(J @ rates, V), np.allclose(joints @ rates, 0)
    best = np.linalg.norm(joints @ rates) <= np.linalg.norm(joints @ first)
    return [not served and not at_rest, served and not at_rest and bool(best), not np.all(np.isfinite(rates))]


@truth("16-clip")
def _() -> Truth:
    J = tip_jacobian(robots.planar_2r(), np.radians([130, 30]))
    asked = np.array([1.0, 0.0])
    moved = J @ np.clip(np.linalg.solve(J, asked), -2, 2)
    along = abs(np.linalg.det([asked, moved])) < 1e-9
    return [along, not along, bool(np.all(np.abs(moved) <= np.abs(asked)))]


@truth("16-sign")
def _() -> Truth:
    H, x_0, g = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([0.3, -0.2]), np.array([1.0, 1.0])
    bound = g @ x_0 + 0.4  # kept with room
    mu = (g @ x_0 - bound) / (g @ np.linalg.solve(H, g))
    on_edge = x_0 - mu * np.linalg.solve(H, g)
    assert math.isclose(g @ on_edge, bound)
    return [bool(mu > 0), bool(mu < 0), bool(mu == 0)]


@truth("16-worth")
def _() -> Truth:
    def least(bound: float) -> float:  # of ½(x − 3)² with x ≤ bound: at 0 the multiplier is 3
        return (bound - 3) ** 2 / 2

    return [(least(0) - least(1e-6)) / 1e-6 * 0.01, 3 * 0.01 / 2, 3]


@truth("16-barrier")
def _() -> Truth:
    part = 150 * 0.01
    return [10 * (1 - part), 10 * math.exp(-part), 10 * (1 - 1)]


@truth("16-brake")
def _() -> Truth:
    t = np.linspace(0, 1, 1001)
    return [np.trapezoid(2 - 2 * t, t), 2 * 1, 0]


@truth("17-waist")
def _() -> Truth:
    ((left, right),) = printed("17", r"the mean +left hand off by +(\d+) mm, right hand by +(\d+) mm")
    off = min(int(left), int(right))
    return [off == 0, 0 < off < 10, off > 100]


@truth("17-cost")
def _() -> Truth:
    return [2**2, 2, math.sqrt(2)]


@truth("17-gain")
def _() -> Truth:
    return [80 * (1 - 0.5) ** 3, 80 * (1 - 3 * 0.5), 80 * (1 - 0.5)]


@truth("17-gives")
def _() -> Truth:
    def place(weight: float) -> float:
        return float(damped(np.ones((2, 1)), np.array([0.0, 101.0]), np.diag([weight, 1]), 0)[0])

    return [place(10**2), place(10), 0]


@truth("17-reach")
def _() -> Truth:
    (said,) = printed("17", r"box at 0\.64 m, gain of the posture 0\.3: (.*)")
    return [said.startswith("broken"), said == "kept", said.startswith("no solution: the robot stops")]


@truth("18-rates")
def _() -> Truth:
    tree = robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True)
    return [tree.nv, tree.nq, tree.nv - 6]


@truth("18-patch")
def _() -> Truth:
    theta = np.linspace(0.01, 3, 100)
    turned = 2 * np.arctan(theta / 2)
    return [np.allclose(turned, theta), bool(np.all(turned > theta)), bool(np.all(turned < theta))]


@truth("18-trunk")
def _() -> Truth:
    (heights,) = printed("18", r"feet after +\[mm\]: \[(.*)\]")
    sunk = np.allclose(np.array(heights.split(), dtype=float), -100)
    return [not sunk, sunk, not sunk]


@truth("18-feet")
def _() -> Truth:
    ((unknown, rank),) = printed("18", r"trunk at 0\.3 m: A is \(12, (\d+)\), its rank (\d+)")
    return [int(unknown) - int(rank), int(unknown) - 4, int(unknown) - 4 * 6]


@truth("18-pull")
def _() -> Truth:
    feet = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.5]])
    centre = np.array([-0.1, 0.5])  # beyond the edge from foot 1 to foot 2
    share = np.linalg.solve(np.vstack([feet, np.ones(3)]), [*centre, 1])[2]
    return [bool(share > 0), bool(share == 0), bool(share < 0)]


@truth("24-share")
def _() -> Truth:
    shares = {row["part"].split(":")[0]: row["share"] for row in measured("parts")["rows"]}
    formulas = 100 - shares["Python"] - shares["door"] - shares["search"]
    return [formulas > 80, 20 < formulas < 50, formulas < 20]


@truth("24-half")
def _() -> Truth:
    def size(part: float) -> float:
        """The size at which a batch of k poses in 300 + k µs runs at a part of its highest rate."""
        return part * 300 / (1 - part)

    return [size(1 / 2), size(1 / 3), size(2 / 3)]


@truth("24-ceiling")
def _() -> Truth:
    def speed_up(cores: float) -> float:
        return 1 / (0.1 + 0.9 / cores)

    return [speed_up(1e12), 1 / (1 - 0.1), (1 - 0.1) / 0.1]


@truth("24-vain")
def _() -> Truth:
    poses = np.array([1.2, 21.0])  # starts of a pose that is reached, and of one that is not
    return [100 * poses[1] / poses.sum(), 100 / poses.size, 100 * poses[1] / poses.sum() / 2]


@truth("24-chunk")
def _() -> Truth:
    poses, workers, overhead, each = 4e6, 4, 1e-2, 1e-6
    sizes = np.geomspace(1e3, 4e6, 100_001)
    times = (poses / (sizes * workers) + 1) * (overhead + sizes * each)
    return [sizes[times.argmin()], overhead / each, poses / workers]


@lru_cache(maxsize=1)
def answers_of_lesson_19() -> Solutions:
    arm = robots.ur10()
    return pose_ik.all_solutions(arm, arm.forward_kinematics([0.3, -1.2, 1.5, -0.6, 1.1, 0.4]))


@truth("19-eight")
def _() -> Truth:
    return [len(robots.planar_2r_solutions(np.array([1.0, 0.5]))), len(answers_of_lesson_19()), 2**6]


@truth("19-plane")
def _() -> Truth:
    angles = np.linspace(0, 2 * np.pi, 100_001)
    return [(3 * np.cos(angles) + 4 * np.sin(angles)).max(), 3 + 4, 3**2 + 4**2]


@truth("19-near")
def _() -> Truth:
    answers, starts = answers_of_lesson_19(), np.random.default_rng(3).uniform(-np.pi, np.pi, (500, 6))
    targets, asked = np.tile(answers.target, (500, 1, 1)), {"starts": pose_ik.Restarts(0)}
    chan = pose_ik.LevenbergMarquardt(pose_ik.Chan())
    ends = pose_ik.solve_batch(answers.arm, targets, starts, method=chan, **asked)

    def nearest(rows: Matrix) -> Matrix:
        apart = np.remainder(rows[:, None] - answers.q + np.pi, 2 * np.pi) - np.pi
        return np.linalg.norm(apart, axis=2).argmin(axis=1)

    share = np.mean(nearest(ends.q) == nearest(starts))
    return [share > 0.9, 0.5 < share < 0.75, share < 0.2]


@truth("19-families")
def _() -> Truth:
    arm = robots.ur10()
    locked = pose_ik.all_solutions(arm, arm.forward_kinematics([0.3, -1.2, 1.5, -0.6, 0.0, 0.4]))
    assert len(locked.families) == 2
    return [0, len(locked), len(answers_of_lesson_19())]


@truth("19-edge")
def _() -> Truth:
    gap = 2 * math.sqrt(1 - (1 - 1e-10) ** 2)  # cos θ = C, the height 1e-10 below the radius
    return [gap < 1e-9, 1e-6 < gap < 1e-4, gap < 1e-15]


@truth("20-digits")
def _() -> Truth:
    error, least = 1e-6, 5e-4
    return [error, error / least, error * least]


@truth("20-half")
def _() -> Truth:
    eta, h = 1.0, 0.5
    smaller = np.roots([h / 2, -1, eta]).real.min()
    return [eta, smaller, eta / 2]


@truth("20-square")
def _() -> Truth:
    arm = robots.ur10()

    def most(q_5: float) -> float:
        """The largest residual for which h is at most ½."""
        least = np.linalg.svd(arm.body_jacobian([0.3, -1.2, 1.5, -0.6, q_5, 0.4]), compute_uv=False)[-1]
        return float(least**2)

    share = most(1e-4) / most(1e-2)
    return [0.005 < share < 0.02, 0.5e-4 < share < 2e-4, share > 0.5]


@truth("20-clinic")
def _() -> Truth:
    (solved,) = {tuple(map(int, line.split(", "))) for line in printed("20", r"with all steps: (.+)")}
    return [solved == (1, 2, 3), solved == (4, 5, 6), solved == (7, 8)]


@truth("22-top")
def _() -> Truth:
    tau = np.linspace(0, 1, 100_001)
    quintic, cubic = 10 * tau**3 - 15 * tau**4 + 6 * tau**5, 3 * tau**2 - 2 * tau**3
    slopes = [np.gradient(scaling, tau).max() for scaling in (quintic, cubic)]
    return [slopes[0] / 2, 1 / 2, slopes[0], slopes[1] / 2]


@truth("22-samples")
def _() -> Truth:
    (fastest,) = {float(rate) for rate in printed("22", r"looked at in between: joint 1 at (\S+) rad/s")}
    over = fastest / 2 - 1
    return [over <= 0, 0 < over < 0.03, 0.2 < over < 0.3]


@truth("22-double")
def _() -> Truth:
    def duration(a: float, power: float) -> float:
        """From rest to rest over 1 m, if an acceleration went with this power of the tempo."""
        return 2 * (1 / a) ** (1 / power)

    return [duration(2, power) / duration(1, power) for power in (2, 1, 1 / 2)]


@truth("21-samples")
def _() -> Truth:
    (deep,) = {float(depth) for depth in printed("21", r"deepest: (-?\d+) mm")}
    return [deep > 0, -10 < deep <= 0, deep < -40]


@truth("21-motion")
def _() -> Truth:
    turn, lever, room = 0.1, 0.8, 60
    return [1000 * turn / 2 * lever, 1000 * turn * lever, room]


@truth("21-answers")
def _() -> Truth:
    figure = live.ObstacleFigure(px=-0.5, py=-0.1, height=0.25)
    return [figure.facts["count"], figure.facts["free"], 0]


@truth("23-step")
def _() -> Truth:
    step, cycle = 1e-5, 1e-3
    return [step / cycle**2, step / cycle, step]


@truth("23-late")
def _() -> Truth:
    def border(delay: int) -> float:
        """The least gain at which a root of the characteristic polynomial lies on the unit circle or outside."""
        gains = np.linspace(0.3, 2.5, 22_001)
        for g in gains:
            polynomial = np.zeros(delay + 2)
            polynomial[0], polynomial[1] = 1, -1
            polynomial[-1] += g
            if np.abs(np.roots(polynomial)).max() >= 1:
                return float(g)
        raise AssertionError("no border")

    return [border(1), border(0), math.sqrt(border(0))]


@truth("23-encoder")
def _() -> Truth:
    step = 2 * np.pi / 2**17
    return [step / 1e-3, step, step / 2 / 1e-3]


@truth("23-masses")
def _() -> Truth:
    soft, stiff = 25, 100
    return [(soft / stiff) ** 2, soft / stiff, 1]


def test_every_lesson_asks_three_to_five_questions_and_each_is_computed() -> None:
    counts = {lesson: sum(name.startswith(lesson) for name in questions()) for lesson in LESSONS}
    assert {lesson: count for lesson, count in counts.items() if not 3 <= count <= 5} == {}, "it asks three to five"
    said = {name for name, question in questions().items() if question.kind != "place"}  # see test_places.py
    assert said == TRUTHS.keys() | SAID.keys(), "each question gets a `@truth` here, and no other name"
    assert not TRUTHS.keys() & SAID.keys()
    assert all(question.name == f"predict-{name}" for name, question in questions().items())


@pytest.mark.parametrize("name", TRUTHS)
def test_the_right_answer_is_right_and_each_slip_gives_its_number(name: str) -> None:
    RNG.bit_generator.state = np.random.default_rng(16).bit_generator.state  # whatever was computed before
    question, computed = questions()[name], TRUTHS[name]()
    if question.numbers:
        pairs = zip(question.numbers, computed, strict=True)
        assert [(number.value, value) for number, value in pairs if abs(value - number.value) > number.within / 2] == []
    else:
        assert [bool(value) for value in computed] == [choice.right for choice in question.choices]
