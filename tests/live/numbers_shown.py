"""What each figure shows, compared with what Python computes; and where each is dragged."""

import re
from functools import lru_cache

import numpy as np
import pytest
from figure_page import SHOWN, Figure, in_python, is_number, told_to

from lessons_lib import course, lie, robots
from lessons_lib.course import joints_on_line, live, standing
from lessons_lib.course.paths.live import JUMP, PARTS
from lessons_lib.course.singularities.live import SINGULAR
from lessons_lib.course.which_method.live import NEARLY_ALL
from lessons_lib.differential_ik import (
    Configuration,
    ManipulabilityTask,
    middle_cost,
    middle_gradient,
    prioritized_rates,
)
from lessons_lib.pose_ik import Status
from lessons_lib.pose_ik.explanation.explanation import format_length
from lessons_lib.pose_ik.explanation.reach import shell
from lessons_lib.pose_ik.result import Trace


def check_facts(figure: Figure, python: live.LiveFigure) -> None:
    """What questions for a place judge: the page's facts are Python's, at the numbers that the page's boxes round."""
    shown = figure.host.evaluate("host => host.live.facts()")
    for name, value in python.values.items():
        if name in shown:
            assert shown[name] == pytest.approx(value, abs=1e-4)
            setattr(python, name, shown[name])
    expected = python.facts
    assert shown.keys() == expected.keys()
    assert max(abs(shown[name] - value) for name, value in expected.items()) < 1e-6


def check_elbow(figure: Figure) -> None:
    x, y, length = figure.held()
    check_facts(figure, told_to(figure, in_python("ElbowFigure")))
    expected = np.degrees(robots.planar_2r_solutions((x, y), 1.0, length))
    shown = list(figure.table().values())
    assert len(shown) == len(expected)
    assert np.abs(np.reshape(shown, (-1, 2)) - expected).max(initial=0.0) <= 0.051  # a decimal of a degree is shown
    words = {0: "No answer", 1: "one answer", 2: "two answers"}[len(expected)]
    assert words in figure.says


def check_columns(figure: Figure) -> None:
    python = told_to(figure, in_python("ColumnsFigure"))
    texts = figure.host.locator(".live-matrix td").all_inner_texts()
    shown = np.array([float(text.replace("−", "-")) for text in texts]).reshape(6, 6)
    assert np.abs(shown - python.chain.space_jacobian(python.q)).max() <= SHOWN
    told = re.search(r"v(\w) of joint (\d) is .* ([\d.]+) m · sin (\d+)°", figure.says.replace("\n", ""))
    if told:
        lever = python.lever("xyz".index(told[1]), int(told[2]) - 1)
        assert abs(float(told[3]) - lever.length) <= SHOWN
        assert abs(float(told[4]) - np.degrees(np.arcsin(lever.sine))) <= 0.51


def check_screw(figure: Figure) -> None:
    python = live.ScrewFigure(**dict(zip(("distance", "tilt", "climb", "angle"), figure.held(), strict=True)))
    shown = figure.table()
    assert np.abs(np.array([*shown["ω [rad]"], *shown["v [m]"]]) - python.twist).max() <= SHOWN
    assert np.abs(np.array(shown["pair’s p"]) - python.twist[3:]).max() <= SHOWN
    assert ("right" in figure.says) == (python.miss < 0.005)


def check_logarithm(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("LogarithmFigure")), figure.table()
    for arrow, row in zip(python.arrows, shown.values(), strict=True):
        least = np.linalg.svd(lie.left_jacobian_so3(arrow), compute_uv=False)[-1]
        assert np.abs(np.array(row) - [*arrow, least]).max() <= 0.1 * SHOWN
    if "vanished" not in figure.says:
        assert figure.says.startswith(("No arrow", "One arrow", "Two arrows")[len(python.within)])


def check_two_frames(figure: Figure) -> None:
    names = ("x", "y", "turn", "lean", "tilt", "pitch")
    python = live.TwoFramesFigure(**dict(zip(names, figure.held(), strict=True)))
    shown = np.array([row for name, row in figure.table().items() if name[0] in "ωv"])
    assert np.abs(shown - np.column_stack([python.V_s, python.V_b])).max() <= SHOWN


def check_model(figure: Figure) -> None:
    python = in_python("ModelFigure")
    python.pair = figure.host.locator("select").input_value()
    for name, value in zip([f"q{i + 1}" for i in range(7)], figure.held(), strict=True):
        setattr(python, name, value)
    shown = figure.table()
    for role, chain in zip(("arm", "model"), python.pairs[python.pair], strict=True):
        assert np.abs(shown[role] - chain.forward_kinematics(python.q)[:3, 3]).max() <= 0.1 * SHOWN
    told = "one place" if python.gap < 5e-4 else f"{python.gap:.3f} m apart and turned by {python.turned:.0f}°"
    assert told in figure.says


def check_singularity(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("SingularityFigure")), figure.table()
    check_facts(figure, python)
    assert set(shown) == set(python.measures)
    for name, (least, product, condition) in python.measures.items():
        expected = [least, product] + [condition] * (condition <= SINGULAR)
        assert np.abs(np.array(shown[name]) - expected).max() <= (0.051 if condition <= SINGULAR else 1e-4)
        assert np.abs(np.array(shown[name])[:2] - expected[:2]).max() <= 0.00051
    bars = [float(number) for number in figure.host.locator(".live-bar-number").all_inner_texts()]
    assert np.abs(bars - robots.singular_values(python.chain.body_jacobian(python.q))).max() <= 0.00051
    assert figure.says.startswith("Singular") is python.singular


def check_damping(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("DampingFigure")), figure.table()
    for damping in (0.0, python.damping, 1.0):
        result = python.solve(damping)
        largest = np.abs(np.diff(result.trace.q, axis=0)).max()
        assert np.abs(np.array(shown[f"λ = {damping:.6g}"]) - (result.iterations, largest)).max() <= SHOWN
    assert f"λ = {python.damping:.6g}" in figure.says


def check_race(figure: Figure) -> None:
    python = told_to(figure, in_python("RaceFigure"))
    for which, shown in enumerate(figure.rows(), 1):
        result = python.solve(which)
        largest = np.abs(np.diff(result.trace.q, axis=0)).max()
        left = 1e3 * result.trace.position_errors[-1], np.degrees(result.trace.orientation_errors[-1])
        assert np.abs(np.array(shown) - (result.iterations, largest, *left)).max() <= 10 * SHOWN
    if python.arm == "UR10":
        return  # where Newton leaps, the last bit of a start decides
    words = figure.host.locator(".live-swarm-key").inner_text()
    told = re.findall(r"(\d+) of 240 solved(?:, (\d+) to \d+ steps, median (\d+))?", words)
    assert len(told) == 2
    for which, (solved, *least_and_median) in enumerate(told, 1):
        ends = python.swarm(which)
        steps = np.sort(ends.iterations[ends.converged])
        assert abs(int(solved) - len(steps)) <= 1
        if len(steps):
            assert np.abs(np.array(least_and_median, dtype=int) - (steps[0], steps[len(steps) // 2])).max() <= 1


def check_weights(figure: Figure) -> None:
    twist = told_to(figure, in_python("WeightFigure")).error_twist
    angle, distance, _ = figure.table()["left"]
    assert abs(angle - np.degrees(np.linalg.norm(twist[:3]))) <= SHOWN
    assert abs(distance - 1e3 * np.linalg.norm(twist[3:])) <= 10 * SHOWN
    bars = [bar for bar in figure.host.locator(".live-bar-number").all() if bar.is_visible()]
    shown = [float(bar.inner_text().replace("−", "-")) for bar in bars]
    expected = np.concatenate([np.degrees(twist[:3]), 1e3 * twist[3:]])
    assert np.abs(np.array(shown) - (expected[2:5] if len(shown) == 3 else expected)).max() <= 10 * SHOWN


def check_newton(figure: Figure, step: int = 0) -> None:
    python, shown = told_to(figure, in_python("NewtonFigure")), figure.table()
    check_facts(figure, python)
    predicted = "arrow's end" if python.error == "point alone" else "dotted end"
    for name, twist in zip(("now", predicted, "next"), python.errors(step), strict=True):
        distance, *angle = shown[name]
        assert abs(distance - 1e3 * np.linalg.norm(twist[3:])) <= SHOWN
        assert len(angle) == (python.error != "point alone")
        assert np.abs(np.array(angle) - np.degrees(np.linalg.norm(twist[:3]))).max(initial=0.0) <= 0.1 * SHOWN


def check_source(figure: Figure) -> None:
    python = told_to(figure, in_python("SourceFigure"))
    numbers, panes = python.numbers, figure.host.locator(".live-code").all()
    for pane, text in zip(panes, (python.listing.javascript, python.listing.numpy), strict=True):
        assert "\n".join(pane.locator("code").all_inner_texts()) == text
        shown = pane.locator(".live-code-number").all_inner_texts()
        for line, number in zip(text.split("\n"), shown, strict=True):
            if number:
                name, *entry = line.split(" = ")[0].replace("const", "").strip().rstrip("]").split("[..., ")
                place = tuple(int(index) for index in entry[0].split(",")) if entry else ()
                assert abs(float(number.replace("−", "-")) - numbers[name][place]) <= 0.01 * SHOWN
        scalars = sum(value.ndim == 0 for value in numbers.values())
        assert sum(map(bool, shown)) >= scalars
    tip = [float(word.replace("−", "-")) for word in figure.says.split() if is_number(word.replace("−", "-"))]
    assert np.abs(np.array(tip) - numbers["T"][:3, 3]).max() <= 0.1 * SHOWN


def check_basin(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("BasinFigure")), figure.table()
    check_facts(figure, python)
    result = python.result
    assert np.abs(np.array(shown["iterate"]) - np.degrees(result.trace.q[-1])).max() <= 0.051
    assert np.abs(np.array(shown["the same, turns off"]) - np.degrees(result.q)).max() <= 0.051
    if not result.converged:
        assert "leads to" not in figure.says
        return
    side = "q₂ > 0" if np.sin(result.q[1]) > 0 else "q₂ < 0"
    assert f"leads to {side} in {result.iterations} step" in figure.says


def check_branches(figure: Figure) -> None:
    python = told_to(figure, in_python("BranchesFigure"))
    check_facts(figure, python)
    found, shown = python.answers, list(figure.table().values())
    assert len(shown) == len(found) + len(found.families)
    for q in np.degrees(found.q[:, [2, 4]]):
        assert np.abs(np.array(shown) - q).max(axis=1).min() <= 0.51


def check_obstacle(figure: Figure) -> None:
    python = told_to(figure, in_python("ObstacleFigure"))
    check_facts(figure, python)
    found, shown = python.answers, [values[-1] for values in figure.table().values()]
    assert len(shown) == len(found)
    room = 1000.0 * python.scene.clearance(found.q) if len(found) else np.empty(0)
    assert np.abs(np.sort(shown) - np.sort(room)).max(initial=0.0) <= 0.51


def check_path(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("PathFigure")), figure.table()
    check_facts(figure, python)
    for name, way in python.paths.items():
        steps = [] if np.isnan(way.steps) else [way.steps]
        expected = [1e3 * way.off.max(initial=0.0), way.moves.max(initial=0.0), *steps]
        assert np.abs(np.array(shown[name]) - expected).max() <= 10 * SHOWN, name
    chosen = python.paths[python.path]
    assert ("jumps before" in figure.says) is bool((chosen.moves > JUMP).any())
    assert ("not reached" in figure.says) is (len(chosen.q) <= PARTS)


def check_swing(figure: Figure) -> None:
    python = told_to(figure, in_python("SwingFigure"))
    check_facts(figure, python)
    chain, q, shown = python.chain, python.q, figure.table()
    J, tree = chain.body_jacobian(q), in_python_tree()
    uphill = ManipulabilityTask("panda_link8", tree).compute_jacobian(Configuration(tree, q))[0]
    objectives = {
        "descent of H": (middle_cost(q, chain.limits), -3.0 * middle_gradient(q, chain.limits)),
        "ascent of m": (robots.manipulability(J), 100.0 * uphill),
    }
    for name, (value, secondary) in objectives.items():
        step = 1e-6 * prioritized_rates([(J, np.zeros(6))], secondary)
        turn = np.degrees(robots.arm_angle(chain, q + step) - robots.arm_angle(chain, q - step)) / 2e-6
        assert abs(shown[name][0] - value) <= 0.1 * SHOWN
        assert abs(shown[name][1] - turn) <= 10 * SHOWN + 1e-4 * abs(turn)
    angles = [bar.inner_text().replace("−", "-").rstrip("°") for bar in figure.host.locator(".live-bar-number").all()]
    assert np.abs(np.array(angles, dtype=float) - np.degrees(q)).max() <= 0.51
    beyond = np.abs(course.relative_places(chain, q)).max() > 1.0
    assert figure.says.startswith("The tip stays")
    assert ("past its end" in figure.says) == beyond


@lru_cache
def in_python_tree() -> robots.Tree:
    return robots.load_urdf(robots.urdf_file("panda"))


def check_hands(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("HandsFigure")), figure.table()
    walk = python.walk()
    residuals = python.residuals(walk.q[-1]) * [1e3, 1e3, np.degrees(1.0)]
    for (weight, residual, _), cost, expected in zip(
        shown.values(), (python.left, python.right, python.posture), residuals, strict=True
    ):
        assert abs(weight - cost**2) <= 1e-3 * cost**2
        assert abs(residual - expected) <= 10 * SHOWN
    lit = figure.host.locator(".live-lights td:is(.live-purple, .live-green)")
    assert lit.count() == len(walk.active[-1])
    assert figure.host.locator(".live-step").inner_text() == f"step {len(walk.q) - 1} of {len(walk.q) - 1}"


def check_limits(figure: Figure) -> None:
    python = told_to(figure, in_python("LimitFigure"))
    program, best, shown = python.program, python.best, figure.table()
    answers = {"asked": program.free, "clipped": program.clipped} | ({"best": best[0]} if best else {})
    assert list(shown) == list(answers)
    for name, rates in answers.items():
        tip = program.jacobian @ rates
        expected = [*rates, *tip, np.linalg.norm(tip - program.velocity)]
        assert np.abs(np.array(shown[name]) - expected).max() <= SHOWN
    if best is None:
        assert "the polygon is empty" in figure.says
    elif shown["best"][-1] > 0.0:
        assert all(f"{held} (μ" in figure.says for held in program.active(best[1]))


def check_lanes(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("LanesFigure")), figure.table()
    cores = round(python.cores)
    for name, count in {"1 core": 1, f"{cores} cores": cores}.items():
        if name == "1 cores":
            continue
        law = float(course.speed_up(python.serial, count))
        expected = python.time(count), 100 * python.busy(count), python.time(1) / python.time(count), law
        assert np.abs((np.array(shown[name]) - expected) * [0.1, 0.01, 1, 1]).max() <= SHOWN
    assert len(shown) == min(cores, 2)
    assert figure.host.locator(".live-pose:not(.live-place)").count() == len(python.steps)
    reached, places = figure.host.locator(".live-place.live-blue"), figure.host.locator(".live-place.live-pose")
    assert (reached.count(), places.count()) == (python.found.sum(), len(python.found))
    assert f"{python.found.sum():.0f} of {len(python.found)} poses are reached" in figure.says


def check_stance(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("StanceFigure")), figure.table()
    stance, tree = python.stance, standing.quadruped()
    assert np.abs(shown["centre of mass"] - 1e3 * tree.centre_of_mass(stance.q)).max() <= 0.501  # whole mm
    assert np.abs(shown["trunk"] - 1e3 * tree.forward_kinematics(stance.q, "trunk")[:3, 3]).max() <= 0.501
    told = [int(cell.inner_text()) for cell in figure.host.locator(".live-lights td").all()]
    assert np.abs(np.reshape(told, (3, 4)).T.ravel() - python.room).max() <= 0.501
    side = "inside" if stance.margin >= 0.0 else "outside"
    assert f"{abs(1e3 * stance.margin):.0f} mm {side} the polygon of its feet" in figure.says
    assert ("The trunk is where it should be" in figure.says) == (max(stance.short_of) <= 1e-3)


def check_timing(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("TimingFigure")), figure.table()
    _, first, second = joints_on_line([python.s], python.d)
    whole = (python.s - python.points[0]) / (python.points[1] - python.points[0])
    piece = min(int(whole), len(python.points) - 2)
    begin, end = python.speeds[piece : piece + 2] ** 2
    x, push = begin + (whole - piece) * (end - begin), (end - begin) / (2 * (python.points[1] - python.points[0]))
    for joint, largest in enumerate(python.largest):
        here = first[0, joint] * np.sqrt(x), first[0, joint] * push + second[0, joint] * x
        assert np.abs(np.array(shown[f"joint {joint + 1}"]) - [*here, *largest]).max() <= SHOWN
    used = python.largest / [2, 6]
    assert f"The way takes {python.duration:.2f} s." in figure.says
    if used.max() <= 1:
        assert figure.says.startswith("No joint objects.")
    else:
        joint, kind = np.unravel_index(used.argmax(), used.shape)
        what = ("turn at", "be accelerated by")[kind]
        assert figure.says.startswith(f"Joint {joint + 1} objects most: at s = ")
        assert f"it would {what} {python.largest[joint, kind]:.2f} rad/s" in figure.says


def check_servo(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("ServoFigure")), figure.table()
    _, asked = python.run
    at = min(round(python.t * python.rate), len(asked) - 1)
    for j in (0, 1):
        expected = asked[at, j], np.abs(asked[:, j]).max()
        np.testing.assert_allclose(shown[f"joint {j + 1}"], expected, rtol=1e-6, atol=SHOWN)
    over = np.flatnonzero((np.abs(asked) > 20).any(axis=1))
    assert f"the hand is at most {1e3 * python.off.max():.2f} mm off" in figure.says.replace("The", "the")
    assert figure.says.startswith("The arm would stop") == bool(len(over))
    if len(over):
        assert f"at {python.times[over[0]]:.2f} s" in figure.says
    bound = 2 * np.sin(np.pi / (4 * python.delay + 2))
    assert f"times cycle is {python.gain / python.rate:.3f}; " in figure.says and f"from {bound:.3f} on" in figure.says


def check_robot(figure: Figure) -> None:
    python = told_to(figure, in_python("RobotFigure"))
    check_any_robot(figure, python.chain, *python.solve())
    by = miss(python.chain, python.target[:3, 3])
    assert (f"out of reach (proven): by {format_length(by, 'm')}" in figure.says) is (by > 0.0)


def miss(chain: robots.Chain, point: np.ndarray) -> float:
    """By how much a point is proven to be out of reach, m; zero where it is not."""
    known = shell(chain, chain.home[:3, 3], chain.dof)
    return 0.0 if known is None else float(max(0.0, known.misses(point)))


def check_any_robot(figure: Figure, chain: robots.Chain, status: Status, trace: Trace) -> None:
    """Compare what is shown of a chain: screws, home pose, and at the step that is shown residual, J_b and its σ."""
    shown, at = figure.table(), int(figure.host.locator(".live-step").inner_text().split()[1])
    left, J = trace.error_twists[at], chain.body_jacobian(trace.q[at])
    expected = {f"step {at}": [1e3 * np.linalg.norm(left[3:]), np.degrees(np.linalg.norm(left[:3]))]}
    expected |= {f"σ{i + 1}": [value] for i, value in enumerate(robots.singular_values(J)[:6])}
    expected |= dict(zip("xyz", chain.home[:3], strict=True))
    expected |= dict(zip(("ωx", "ωy", "ωz", "vx", "vy", "vz"), J, strict=True))
    expected |= dict(zip(chain.joint_names, chain.screws.T, strict=True))
    assert set(expected) == set(shown)
    for name, row in expected.items():
        assert np.abs(np.array(shown[name]) - row).max() <= 0.1 * SHOWN, name
    verb = "is" if status is Status.CONVERGED else "is not"
    assert f", {chain.dof} joint" in figure.says
    assert f"The target {verb} reached after {len(trace.q) - 1} step" in figure.says
    assert (chain.limits[:, 0] <= trace.q).all() and (trace.q <= chain.limits[:, 1]).all()
    assert ("At its end" in figure.says) is bool(np.isin(trace.q[-1][:, None], chain.limits).any())


def check_arena(figure: Figure) -> None:
    """Those that keep the deadline, and those of them without a fault, by the rows of the measurement."""
    python = told_to(figure, in_python("ArenaFigure"))
    rows = python.shown()
    _, *shown = [[text for _, text in cells] for cells in figure.cells()]
    assert [cells[0] for cells in shown] == [row["solver"] for row in rows]
    for cells, row in zip(shown, rows, strict=True):
        assert [float(cells[4]), float(cells[5])] == pytest.approx([row["median"], row["p99"]], rel=6e-3)
        assert int(cells[2]) == row["false_claims"]
    kept = [row for row in rows if row["p99"] <= python.deadline]
    assert figure.says.startswith(f"{len(kept)} of {len(rows)} are done within {python.deadline:g} µs")
    solved = [row for row in kept if row["solved"] is None or row["solved"] >= NEARLY_ALL]
    right = [row["solver"] for row in solved if not row["false_claims"] and not row["missed"]]
    assert f"without a fault: {', '.join(right) or 'none'}." in figure.says


def check_ball(figure: Figure) -> None:
    """Each ball by NumPy, which is told K as a number; where there is none, both say so."""
    balls = told_to(figure, in_python("BallFigure")).balls()
    _, *shown = [[text for _, text in cells] for cells in figure.cells()]
    assert [cells[0] for cells in shown] == [f"step {k}" for k in range(len(balls))]
    for cells, ball in zip(shown, balls, strict=True):
        assert float(cells[1]) == pytest.approx(ball.h, rel=0.06, abs=6e-5)
        assert (cells[2] == "–") is (ball.h > 0.5)
        if ball.h <= 0.5:
            assert [float(cell) for cell in cells[2:]] == pytest.approx([ball.radius, ball.alone], rel=0.06, abs=6e-5)
    first = balls[0]
    assert figure.says.startswith("Exactly one solution" if first.h <= 0.5 else "Nothing is shown")


def check_tradeoff(figure: Figure) -> None:
    """The damped step by least squares of NumPy, which knows no gain; its length and what it leaves are told."""
    damped = told_to(figure, in_python("TradeoffFigure")).damped()
    _, *shown = [[text for _, text in cells] for cells in figure.cells()]
    for i, cells in enumerate(shown):
        expected = damped.newton[i], damped.step[i], damped.left[i]
        assert np.abs(np.array(cells[1:], dtype=float) - expected).max() <= 0.00051
    length, rest = np.linalg.norm(damped.step), np.linalg.norm(damped.left)
    assert [float(number) for number in re.findall(r"\d+\.\d+", figure.says)] == pytest.approx(
        [length, rest], abs=0.0051
    )


def check_pushes(figure: Figure) -> None:
    """The chain by complex numbers, which know no matrix; its end, and what is missing."""
    python, shown = told_to(figure, in_python("PushesFigure")), figure.table()
    end, whole = python.chain()[-1], python.whole()
    expected = {"v for a second": (python.v1, python.v2), "sum": end, "Vv": whole}
    assert max(np.abs(np.array(shown[name]) - place).max() for name, place in expected.items()) <= 0.00051
    missing = float(re.search(r"by (\d\.\d+) m", figure.says)[1])  # type: ignore[index]
    assert missing == pytest.approx(np.linalg.norm(end - whole), abs=0.00051)


def check_projection(figure: Figure) -> None:
    """Error, columns and carried foot by the library's logarithm, Jacobian and adjoint; the foot by least squares."""
    now, shown = told_to(figure, in_python("ProjectionFigure")).parts(), figure.table()
    expected = {"V": now.error, "J δ": now.foot, "left": now.error - now.foot}
    assert max(np.abs(np.array(shown[name]) - twist).max() for name, twist in expected.items()) <= 0.00051
    numbers = [float(number.replace("−", "-")) for number in re.findall(r"(−?\d+\.\d)°", figure.says)]
    left, carried = now.error - now.foot, now.error - now.carried
    angle = (
        [np.degrees(np.arcsin(min(np.linalg.norm(left) / np.linalg.norm(carried), 1.0)))] if len(numbers) > 2 else []
    )
    assert numbers == pytest.approx([*np.degrees(now.step), *angle], abs=0.051)


CHECKS = {
    "projection": check_projection,
    "pushes": check_pushes,
    "tradeoff": check_tradeoff,
    "ball": check_ball,
    "elbow": check_elbow,
    "front": check_elbow,
    "columns": check_columns,
    "logarithm": check_logarithm,
    "screw": check_screw,
    "two_frames": check_two_frames,
    "model": check_model,
    "source": check_source,
    "newton": check_newton,
    "singularity": check_singularity,
    "damping": check_damping,
    "race": check_race,
    "basin": check_basin,
    "weights": check_weights,
    "branches": check_branches,
    "obstacle": check_obstacle,
    "path": check_path,
    "swing": check_swing,
    "limits": check_limits,
    "lanes": check_lanes,
    "hands": check_hands,
    "stance": check_stance,
    "timing": check_timing,
    "arena": check_arena,
    "servo": check_servo,
    "robot": check_robot,
}

DRAGS = {
    "projection": ("elbow of the arm", (-20, 10)),
    "pushes": ("tip of v", (-40, -30)),
    "tradeoff": ("damped step", (-60, 0)),
    "ball": ("configuration", (-3, 4)),
    "elbow": ("target", (-60, 20)),
    "front": ("target", (-60, -30)),
    "columns": ("joint 2", (40, 30)),
    "logarithm": ("box", (60, -30)),
    "screw": ("body, along its screw", (-40, 30)),
    "two_frames": ("frame {b}", (-90, 30)),
    "model": ("joint 2", (60, 40)),
    "source": ("joint 1 q₁", (60, 0)),
    "newton": ("target", (50, 40)),
    "singularity": ("joint 2", (40, 30)),
    "damping": ("λ in the chart", (70, 0)),
    "race": ("target", (-60, 30)),
    "basin": ("start", (-60, 30)),
    "weights": ("target", (-30, -40)),
    "branches": ("target", (-20, 10)),
    "obstacle": ("post", (-30, 10)),
    "path": ("last pose", (-40, 20)),
    "swing": ("elbow", (-10, 110)),
    "limits": ("wall", (0, 30)),
    "lanes": ("serial share", (80, 0)),
    "hands": ("left target", (-30, 10)),
    "stance": ("trunk", (-30, 15)),
    "timing": ("speed 2", (0, 40)),
    "arena": ("deadline", (60, 0)),
    "servo": ("time", (40, 0)),
    "robot": ("target", (-30, 20)),
}
"""By figure: a handle, and how many pixels it is dragged to the right and down."""
