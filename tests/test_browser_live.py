"""The live figures of the built book, from its folder, the network refused: dragged, typed, compared with Python."""

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright
from test_browser_book import DESKTOP, NETWORK, PATIENCE, PHONE, QUIET, Witness

from lessons_lib import live, plots, robots
from lessons_lib.differential_ik import (
    Configuration,
    ManipulabilityTask,
    middle_cost,
    middle_gradient,
    prioritized_rates,
)
from lessons_lib.live.control import Choice, Switch
from lessons_lib.live.path import JUMP, PARTS
from lessons_lib.live.singularity import POSTURES, SINGULAR
from lessons_lib.studies import standing

expect.set_options(timeout=PATIENCE)
ROOT = Path(__file__).resolve().parent.parent
IN_SPACE = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
"""A browser without a graphics card draws in space by its processor."""

AXE = ROOT / "front" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = {
    "elbow": "notebooks/01_inverse_kinematics",
    "logarithm": "notebooks/02_rotation_logarithm",
    "screw": "notebooks/03_twists",
    "two_frames": "notebooks/04_adjoint",
    "model": "notebooks/05_robot_models",
    "columns": "notebooks/06_jacobians",
    "source": "notebooks/07_code_generation",
    "newton": "notebooks/08_newton",
    "singularity": "notebooks/09_singularities",
    "damping": "notebooks/10_damping",
    "race": "notebooks/11_levenberg_marquardt",
    "basin": "notebooks/12_starts",
    "weights": "notebooks/13_weights",
    "path": "notebooks/14_paths",
    "swing": "notebooks/15_redundancy",
    "limits": "notebooks/16_limits",
    "lanes": "notebooks/19_scaling",
    "hands": "notebooks/17_tasks",
    "stance": "notebooks/18_floating_base",
    "front": "book/index",
}
SHOWN = 0.0051
"""Half a unit of the last decimal that a figure shows, and a rounding."""


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        flags = [*QUIET, *IN_SPACE]
        opened = playwright.chromium.launch(executable_path=chromium_path, args=flags, timeout=PATIENCE)
        yield opened
        opened.close()


class Figure:
    """One live figure of a page, and what the page complains about."""

    def __init__(self, browser: Browser, book: Path, name: str, link: str = "", **context: Any) -> None:
        self.context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", **context})
        self.context.set_default_timeout(PATIENCE)
        self.context.route(NETWORK, lambda route: route.abort())
        self.page: Page = self.context.new_page()
        self.witness = Witness(book.as_uri())
        self.witness.watch(self.page)
        self.page.goto(f"{(book / PAGES[name]).with_suffix('.html').as_uri()}{link}")
        self.host: Locator = self.page.locator(".live-host.live-is-on")
        self.host.wait_for()
        self.see()

    def see(self) -> None:
        self.page.evaluate("document.querySelector('.live-stage').scrollIntoView({block: 'center'})")
        self.settle()

    def begin(self) -> None:
        """Go back to how the page was when it was opened."""
        self.page.evaluate("document.documentElement.dataset.theme = 'light'")
        self.host.get_by_role("button", name="Reset").click()
        self.see()

    def typed(self, words: str, value: float) -> None:
        box = self.host.locator(".live-row", has_text=words).locator("input[type=number]")
        box.fill(str(value))
        box.press("Enter")
        self.settle()

    def handle(self, name: str) -> Locator:
        return self.host.get_by_role("slider", name=name, exact=True)

    def drag(self, name: str, right: float, down: float) -> None:
        """Drag a handle by some pixels."""
        self.handle(name).scroll_into_view_if_needed()
        box = self.handle(name).bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + right / 2, y + down / 2, steps=3)
        self.page.mouse.move(x + right, y + down, steps=3)
        self.page.mouse.up()
        self.settle()

    def settle(self) -> None:
        """Wait until the picture has been drawn anew; what has come into sight hears of it a frame later."""
        frames = "async () => { for (let k = 0; k < 4; k++) await new Promise(requestAnimationFrame); }"
        self.page.evaluate(frames)

    def held(self) -> list[float]:
        """The numbers in the boxes, in their order."""
        return [float(box.input_value()) for box in self.host.locator("input[type=number]").all()]

    @property
    def says(self) -> str:
        return self.host.locator(".live-says").inner_text()

    def table(self) -> dict[str, list[float]]:
        """The numbers that the figure shows, by the name of their row."""
        rows = [row.locator("th, td").all_inner_texts() for row in self.host.locator(".live-reading tr").all()]
        plain = [[cell.replace("−", "-").rstrip("°") for cell in row] for row in rows]
        return {
            row[0].replace("\n", ""): [float(c) for c in row[1:] if is_number(c)] for row in plain if is_number(row[1])
        }

    def rows(self) -> list[list[float]]:
        """The numbers of the table, row by row."""
        texts = [row.locator("td").all_inner_texts() for row in self.host.locator(".live-reading tr").all()]
        return [[float(cell.replace("−", "-")) for cell in row] for row in texts if row and is_number(row[0])]

    def close(self) -> None:
        assert self.witness.faults == []
        self.context.close()


def is_number(text: str) -> bool:
    try:
        return np.isfinite(float(text))
    except ValueError:
        return False


@pytest.fixture(scope="module")
def open_pages(browser: Browser, built_book: Path) -> Iterator[dict[str, Figure]]:
    """The pages that are open on a desk; at the end none of them may have complained."""
    pages: dict[str, Figure] = {}
    yield pages
    for figure in pages.values():
        figure.close()


@pytest.fixture
def opened(browser: Browser, built_book: Path, open_pages: dict[str, Figure]) -> Iterator[Callable[..., Figure]]:
    """Open the figure of a page, or one that is open already, reset; nothing may be complained about."""
    fresh: list[Figure] = []

    def open_figure(name: str, link: str = "", *, reset: bool = True, **context: Any) -> Figure:
        if link or context:
            fresh.append(Figure(browser, built_book, name, link, **context))
            return fresh[-1]
        if name not in open_pages:
            open_pages[name] = Figure(browser, built_book, name)
            if not reset:
                return open_pages[name]
        open_pages[name].begin()
        return open_pages[name]

    yield open_figure
    for figure in fresh:
        figure.close()
    assert [figure.witness.faults for figure in open_pages.values() if figure.witness.faults] == []


Opened = Callable[..., Figure]


def check_elbow(figure: Figure) -> None:
    x, y, length = figure.held()
    expected = np.degrees(robots.planar_2r_solutions((x, y), 1.0, length))
    shown = list(figure.table().values())
    assert len(shown) == len(expected)
    assert np.abs(np.reshape(shown, (-1, 2)) - expected).max(initial=0.0) <= 0.051  # a decimal of a degree is shown
    words = {0: "No answer", 1: "one answer", 2: "two answers"}[len(expected)]
    assert words in figure.says


@lru_cache
def in_python(name: str) -> Any:
    """A figure of Python's, whose values are then set."""
    return getattr(live, name)()


def check_columns(figure: Figure) -> None:
    python = in_python("ColumnsFigure")
    for name, value in zip(("q1", "q2"), figure.held(), strict=True):
        setattr(python, name, value)
    J = plots.tip_jacobian(python.chain, python.q)[:2]
    expected = np.vstack([J, np.linalg.norm(J, axis=0)]).T
    shown = figure.table()
    assert np.abs(np.array([shown["J₁"], shown["J₂"]]) - expected).max() <= SHOWN


def check_screw(figure: Figure) -> None:
    python = live.ScrewFigure(**dict(zip(("distance", "tilt", "climb", "angle"), figure.held(), strict=True)))
    shown = figure.table()
    assert np.abs(np.array([*shown["ω [rad]"], *shown["v [m]"]]) - python.twist).max() <= SHOWN
    assert np.abs(np.array(shown["pair’s p"]) - python.twist[3:]).max() <= SHOWN
    assert ("right" in figure.says) == (python.miss < 0.005)


def check_logarithm(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("LogarithmFigure")), figure.table()
    assert np.abs(np.array(shown["turn θa"]) - python.arrow).max() <= 0.1 * SHOWN
    assert np.abs(np.array(shown["atan2"][:3]) - python.logarithms["atan2"]).max() <= 0.1 * SHOWN
    if python.errors["arccos"] < 1e-6:
        assert np.abs(np.array(shown["arccos"][:3]) - python.logarithms["arccos"]).max() <= 0.1 * SHOWN
    assert ("through the wall" in figure.says) == (np.pi + 1e-12 < np.linalg.norm(python.arrow) < 2 * np.pi - 0.008)
    assert ("arc cosine" in figure.says) == (python.errors["arccos"] > 1e-9)


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


def told_to(figure: Figure, python: Any) -> Any:
    """Set a figure of Python's to what the page's controls hold, each under its words."""
    for control in python.controls:
        row = figure.host.locator(f"[data-name='{control.name}']")
        if isinstance(control, Choice):
            setattr(python, control.name, row.locator("select").input_value())
        elif isinstance(control, Switch):
            setattr(python, control.name, row.locator("input").is_checked())
        else:
            setattr(python, control.name, float(row.locator("input[type=number]").input_value()))
    return python


def check_singularity(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("SingularityFigure")), figure.table()
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
    for name, twist in zip(("now", "promised", "next"), python.residuals(step), strict=True):
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
    result = python.result
    assert np.abs(np.array(shown["iterate"]) - np.degrees(result.trace.q[-1])).max() <= 0.051
    assert np.abs(np.array(shown["the same, turns off"]) - np.degrees(result.q)).max() <= 0.051
    if not result.converged:
        assert "leads to" not in figure.says
        return
    side = "q₂ > 0" if np.sin(result.q[1]) > 0 else "q₂ < 0"
    assert f"leads to {side} in {result.iterations} step" in figure.says


def check_path(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("PathFigure")), figure.table()
    for name, way in python.paths.items():
        steps = [] if np.isnan(way.steps) else [way.steps]
        expected = [1e3 * way.off.max(initial=0.0), way.moves.max(initial=0.0), *steps]
        assert np.abs(np.array(shown[name]) - expected).max() <= 10 * SHOWN, name
    chosen = python.paths[python.path]
    assert ("jumps before" in figure.says) is bool((chosen.moves > JUMP).any())
    assert ("not reached" in figure.says) is (len(chosen.q) <= PARTS)


def check_swing(figure: Figure) -> None:
    python = told_to(figure, in_python("SwingFigure"))
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
    beyond = np.abs(plots.relative_places(chain, q)).max() > 1.0
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
        law = float(plots.speed_up(python.serial, count))
        expected = python.time(count), 100 * python.busy(count), python.time(1) / python.time(count), law
        assert np.abs((np.array(shown[name]) - expected) * [0.1, 0.01, 1, 1]).max() <= SHOWN
    assert len(shown) == min(cores, 2)
    bars = figure.host.locator(".live-pose")
    assert bars.count() == len(python.steps)


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


CHECKS = {
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
    "path": check_path,
    "swing": check_swing,
    "limits": check_limits,
    "lanes": check_lanes,
    "hands": check_hands,
    "stance": check_stance,
}
DRAGS = {
    "elbow": ("target", (-120, 40)),
    "front": ("target", (-60, -30)),
    "columns": ("joint 2", (-40, 90)),
    "logarithm": ("tip of the arrow", (60, -30)),
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
    "path": ("last pose", (-40, 20)),
    "swing": ("elbow", (-10, 110)),
    "limits": ("wall", (0, 30)),
    "lanes": ("serial share", (80, 0)),
    "hands": ("left target", (-30, 10)),
    "stance": ("trunk", (-30, 15)),
}
"""By figure: a handle, and how many pixels it is dragged to the right and down."""

every_figure = pytest.mark.parametrize("name", PAGES)


@every_figure
def test_a_figure_begins_with_its_own_values_and_shows_the_numbers_of_python(opened: Opened, name: str) -> None:
    figure = opened(name, reset=False)
    told = json.loads(figure.host.locator("script").text_content() or "")
    starts = [control["start"] for control in told["controls"] if control["kind"] == "number"]
    assert figure.held() == starts
    CHECKS[name](figure)


@every_figure
def test_a_figure_is_dragged_by_mouse(opened: Opened, name: str) -> None:
    figure = opened(name)
    before = figure.held()
    handle, (right, down) = DRAGS[name]
    figure.drag(handle, right, down)
    assert figure.held() != before
    CHECKS[name](figure)


@every_figure
def test_a_figure_is_moved_by_keys_and_reset(opened: Opened, name: str) -> None:
    figure = opened(name)
    before = figure.held()
    figure.handle(DRAGS[name][0]).focus()
    for key in ("ArrowLeft", "ArrowLeft", "Shift+ArrowDown"):
        figure.page.keyboard.press(key)
    figure.settle()
    assert figure.held() != before
    CHECKS[name](figure)
    figure.host.get_by_role("button", name="Reset").click()
    figure.settle()
    assert figure.held() == before


@every_figure
def test_a_figure_is_dragged_by_a_finger_on_a_phone(opened: Opened, name: str) -> None:
    figure = opened(name, viewport=PHONE, has_touch=True, is_mobile=True)
    before = figure.held()
    figure.handle(DRAGS[name][0]).scroll_into_view_if_needed()
    box = figure.handle(DRAGS[name][0]).bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 43.999, "too small for a finger"  # 44 px, somewhere between two pixels
    assert round(min(box["width"], box["height"])) >= 44, "too small for a finger"
    x, y = box["x"] + 22, box["y"] + 22
    right, down = (0.5 * way for way in DRAGS[name][1])
    finger = figure.context.new_cdp_session(figure.page)
    for kind, part in (("touchStart", 0.0), ("touchMove", 0.5), ("touchMove", 1.0)):
        places = [{"x": x + part * right, "y": y + part * down}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    figure.settle()
    assert figure.held() != before
    CHECKS[name](figure)
    width, room = figure.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width <= room


@every_figure
def test_a_slider_walks_from_place_to_place_and_a_typed_value_is_held_as_typed(opened: Opened, name: str) -> None:
    figure = opened(name)
    told = json.loads(figure.host.locator("script").text_content() or "")
    rows = figure.host.locator(".live-row")
    first = next(k for k in range(rows.count()) if rows.nth(k).is_visible())
    control = [control for control in told["controls"] if control["kind"] == "number"][first]
    box, slider = (rows.nth(first).locator(f"input[type={kind}]") for kind in ("number", "range"))
    before = float(box.input_value())
    slider.focus()
    figure.page.keyboard.press("ArrowRight")
    figure.settle()
    places = control.get("places")
    expected = places[places.index(before) + 1] if places else before + control["step"]
    assert float(box.input_value()) == pytest.approx(expected, abs=1e-12)
    box.fill("0.12345")
    box.press("Enter")
    figure.settle()
    assert figure.held()[first] == 0.12345
    CHECKS[name](figure)
    box.fill("1e9")
    box.press("Enter")
    assert figure.held()[first] == control["high"]
    box.fill("")
    box.press("Enter")
    assert figure.held()[first] == control["high"]


@pytest.mark.parametrize("name", ["elbow", "two_frames", "damping", "race", "source", "lanes", "stance"])
def test_a_link_restores_the_state(opened: Opened, name: str) -> None:
    """Between them these have every kind of control, in the plane and in space."""
    figure = opened(name)
    handle, (right, down) = DRAGS[name]
    figure.drag(handle, right, down)
    figure.host.get_by_role("button", name="Link").click()
    expect(figure.host.get_by_role("button", name="Address set")).to_be_visible()
    link = figure.page.evaluate("location.hash")
    again = opened(name, link)
    assert again.held() == figure.held()
    expect(again.host.locator(".live-stage")).to_be_in_viewport()


def test_a_link_with_nonsense_does_no_harm(opened: Opened) -> None:
    nonsense = quote("<img src=x onerror=alert(1)>")
    figure = opened("elbow", f"#fig-01-explorer?x=NaN&y=&length_2=1e999&{nonsense}=1&__proto__=2")
    assert figure.held() == [1.1, 0.0, 0.7] or figure.held() == [1.1, 0.7, 0.7]
    check_elbow(figure)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((2.0, 1.0, 0.7), "too far, the ring ends at 1.70 m"),
        ((0.1, 0.0, 0.7), "too near, the ring begins at 0.30 m"),
        ((0.0, 0.0, 0.7), "too near"),
        ((1.7, 0.0, 0.7), "the arm is stretched"),
        ((-0.3, 0.0, 0.7), "the arm is folded"),
    ],
)
def test_what_the_2r_cannot_reach_is_explained(opened: Opened, values: tuple[float, ...], words: str) -> None:
    figure = opened("elbow")
    for name, value in zip(("target x", "target y", "link L₂"), values, strict=True):
        figure.typed(name, value)
    assert words in figure.says
    check_elbow(figure)


def test_equal_links_folded_onto_the_base_may_point_anywhere(opened: Opened) -> None:
    figure = opened("elbow")
    for name, value in (("link L₂", 1.0), ("target x", 0.0), ("target y", 0.0)):
        figure.typed(name, value)
    assert "any angle" in figure.says
    assert figure.host.locator(".live-pale:visible").count() == 12


def test_half_a_turn_has_two_arrows_and_near_it_the_arc_cosine_loses_the_body(opened: Opened) -> None:
    figure = opened("logarithm")
    figure.typed("turn", 180)
    assert figure.says.startswith("Half a turn") and "NaN" not in figure.host.inner_text()
    figure.typed("less by", 1e-7)
    assert "the arc cosine keeps" in figure.says
    expect(figure.host.locator(".live-label3d", has_text="by arccos")).to_be_visible()
    figure.typed("less by", 1e-3)
    expect(figure.host.locator(".live-label3d", has_text="by arccos")).to_be_hidden()
    check_logarithm(figure)
    figure.typed("turn", 360)
    figure.typed("less by", 0)
    assert "A whole turn is none" in figure.says


def test_parallel_columns_are_told_and_never_as_nan(opened: Opened) -> None:
    figure = opened("columns")
    figure.typed("joint 2", 0)
    assert "parallel" in figure.says
    figure.typed("joint 2", 180)
    assert "vanished" in figure.says
    check_columns(figure)


def test_space_twists_appear_when_they_are_asked_for(opened: Opened) -> None:
    figure = opened("columns")
    figure.host.get_by_label("v of the space twists").check()
    figure.settle()
    python = live.ColumnsFigure()
    assert figure.table()["v₂"] == python.chain.space_jacobian(python.q)[3:5, 1].round(2).tolist()


def test_a_choice_changes_the_robot_and_shows_its_seventh_joint(opened: Opened) -> None:
    figure = opened("model")
    row = figure.host.locator(".live-row", has_text="joint 7")
    expect(row).to_be_hidden()
    figure.host.get_by_label("model", exact=True).select_option(label="Panda, rows read as standard")
    figure.settle()
    expect(row).to_be_visible()
    check_model(figure)


def chosen(figure: Figure, words: str, label: str) -> None:
    figure.host.locator(".live-choice", has_text=words).locator("select").select_option(label=label)
    figure.settle()


@pytest.mark.parametrize("name", ["elbow", "wrist", "shoulder"])
def test_at_each_singularity_the_push_that_no_joint_feels_is_told(opened: Opened, name: str) -> None:
    figure = opened("singularity")
    figure.host.get_by_role("button", name=name, exact=True).click()
    figure.settle()
    check_singularity(figure)
    assert figure.says.startswith(f"Singular: {name}")
    assert ("N mm for each newton" in figure.says) is (name == "elbow")
    assert figure.held() == pytest.approx(POSTURES[name], abs=1e-4)
    chosen(figure, "the hand is", "free: it may turn")
    free = robots.singular_values(robots.ur10().body_jacobian(np.radians(POSTURES[name])), "translation")
    assert f"{free[-1]:.3f} m/rad" in figure.says
    assert "NaN" not in figure.host.inner_text()


def test_damping_pays_on_the_ur10_and_each_way_has_its_word(opened: Opened) -> None:
    figure = opened("damping")
    chosen(figure, "arm", "UR10")
    expect(figure.host.locator(".live-row", has_text="start, joint 1")).to_be_hidden()
    words = figure.host.locator(".live-panel-words").all_inner_texts()
    assert words[0].startswith("thrashes") and words[2].startswith("crawls: 168 steps")
    result = in_python("DampingFigure").__class__(arm="UR10").solve(0.125)
    largest = np.abs(np.diff(result.trace.q, axis=0)).max()
    assert words[1] == f"converged in {result.iterations} steps, the largest {largest:.2f} rad"
    figure.host.get_by_label("target out of reach").check()
    figure.typed("damping", 0.5)
    assert figure.host.locator(".live-panel-words").nth(1).inner_text().startswith("at rest after")
    figure.typed("damping", 0)
    assert "λ = 0 the arm thrashes on and on" in figure.says
    assert "NaN" not in figure.host.inner_text()


def test_every_dot_of_the_chart_has_the_colour_of_its_largest_step(opened: Opened) -> None:
    figure = opened("damping")
    chosen(figure, "arm", "UR10")
    python = live.DampingFigure(arm="UR10")
    rungs = json.loads(figure.host.locator("script").text_content() or "")["data"]["ladder"]
    looks = [
        dot.get_attribute("class") or "" for dot in figure.host.locator(".live-chart").last.locator(".live-dot").all()
    ]
    assert len(looks) == len(rungs) + 1  # λ = 0 has a place
    for rung, look in list(zip(rungs, looks[1:], strict=True))[20:]:  # with less damping the last bit decides
        result = python.solve(rung)
        largest = np.abs(np.diff(result.trace.q, axis=0)).max()
        assert f"live-{'green' if largest <= 1 else 'vermilion' if largest <= 2 * np.pi else 'purple'}" in look
        assert ("live-never" in look) is not result.converged


def test_a_race_is_stepped_through_and_its_scrubber_ends_where_the_race_does(opened: Opened) -> None:
    figure = opened("race")
    steps, scrubber = figure.host.locator(".live-step"), figure.host.get_by_role("slider", name="step", exact=True)
    assert (steps.inner_text(), scrubber.get_attribute("max")) == ("step 5 of 5", "5")
    scrubber.focus()
    figure.page.keyboard.press("Home")
    figure.host.get_by_role("button", name="one step on").click()
    figure.settle()
    assert steps.inner_text() == "step 1 of 5"
    trace = live.RaceFigure().solve(1).trace
    assert abs(figure.rows()[0][2] - 1e3 * trace.position_errors[1]) <= 10 * SHOWN
    figure.host.get_by_role("button", name="Play").click()
    expect(steps).to_have_text("step 5 of 5")
    expect(figure.host.get_by_role("button", name="Play")).to_be_visible()
    figure.typed("start, joint 2 s₂", 120)
    count = max(live.RaceFigure(s2=120.0).solve(which).iterations for which in (1, 2))
    assert steps.inner_text() == f"step {count} of {count}"


def test_a_program_is_run_line_by_line_and_shows_where_a_value_is_used(opened: Opened) -> None:
    figure = opened("source")
    player = figure.host.get_by_role("slider", name="step", exact=True)
    player.focus()
    figure.page.keyboard.press("Home")
    figure.settle()
    assert figure.says.startswith("Nothing has run yet")
    assert set(figure.host.locator(".live-code-number").all_inner_texts()) == {""}
    for _ in range(4):
        figure.page.keyboard.press("ArrowRight")
    figure.settle()
    assert figure.says == "x0 is 0.2588. It costs 1 operation and is used in 4 lines."
    panes = figure.host.locator(".live-code")
    lit = [pane.locator(".live-uses code").all_inner_texts() for pane in panes.all()]
    assert [len(lines) for lines in lit] == [4, 4]
    assert all("x0" in line for lines in lit for line in lines)
    panes.first.locator(".live-code-line", has_text="const t1").click()
    figure.settle()
    assert figure.says == "t1 waits. It costs 2 operations and is used in 3 lines."
    chosen(figure, "arm", "UR10")
    check_source(figure)
    assert figure.host.locator(".live-reading td").all_inner_texts() == ["122", "122", "601"]


def test_newton_is_stepped_through_and_a_point_near_the_stretched_arm_makes_it_leap(opened: Opened) -> None:
    figure = opened("newton")
    step = figure.host.get_by_role("button", name="one step on")
    check_newton(figure, 0)
    step.click()
    figure.settle()
    check_newton(figure, 1)
    for _ in range(2):
        step.click()
    figure.settle()
    assert figure.says.startswith("Newton converged in 3 steps")
    chosen(figure, "error", "pose, space frame")
    check_newton(figure)
    chosen(figure, "error", "point alone")
    check_newton(figure)
    figure.typed("start, joint 2", 3)
    assert "promises to leave 0 mm" in figure.says and "is chance" in figure.says
    check_newton(figure)
    figure.typed("start, joint 2", 0)
    assert "The arm is stretched: J has lost a direction" in figure.says
    check_newton(figure)
    for name, value in (("target, joint 1", 0), ("target, joint 2", 0)):
        figure.typed(name, value)
    assert figure.says == "The start is the target: nothing is to be done."


def test_on_the_ur10_newton_leaps_and_a_target_out_of_reach_is_told(opened: Opened) -> None:
    figure = opened("race")
    chosen(figure, "arm", "UR10")
    assert "Newton-Raphson thrashes" in figure.says
    chosen(figure, "blue", "LM Chan, D = λE")
    figure.typed("target z", 2.0)
    assert "never rests" in figure.says or "off." in figure.says
    assert "NaN" not in figure.host.inner_text()


def test_weights_of_zero_are_told_and_no_bar_is_left(opened: Opened) -> None:
    figure = opened("weights")
    figure.typed("weight of ωz", 0)
    assert "All that counts is reached" in figure.says
    check_weights(figure)
    for name in ("vx", "vy"):
        figure.typed(f"weight of {name}", 0)
    assert "nothing is asked" in figure.says
    texts = figure.host.locator(".live-bar-number").all_inner_texts()
    assert set(texts) <= {"–", ""}
    chosen(figure, "arm", "UR10")
    assert "nothing is asked" not in figure.says
    check_weights(figure)


def basins_shown(page: Page) -> tuple[int, list[float]]:
    """Starts a side of the last whole pass, and the parts in percent: q₂ > 0, q₂ < 0, neither; then the mean steps."""
    told = page.locator(".live-shares")
    expect(told).to_contain_text(re.compile(r"of (125|250|500|1000) ×"))
    *parts, side, _, steps = re.findall(r"\d+(?:\.\d+)?", re.sub(r"q₂ . 0", "", told.inner_text()))
    return int(side), [float(number) for number in (*parts, steps)]


def test_a_click_chooses_a_start_and_the_map_counts_what_the_study_counts(opened: Opened) -> None:
    figure = opened("basin")
    side, shown = basins_shown(figure.page)
    basins = live.BasinFigure().basins(side)
    nowhere, positive, negative = (100 * share for share in basins.shares)
    assert np.abs(np.subtract(shown, (positive, negative, nowhere, basins.mean_steps))).max() <= 0.07
    place = figure.host.locator(".live-over").bounding_box()
    assert place is not None
    figure.page.mouse.click(place["x"] + 0.4 * place["width"], place["y"] + 0.6 * place["height"])
    figure.settle()
    assert figure.held()[2:] != [57.0, 143.0]
    check_basin(figure)
    for name, value in (("start q₁", 0), ("start q₂", 0)):
        figure.typed(name, value)
    assert "at rest" in figure.says
    check_basin(figure)


def test_what_is_half_typed_stays_while_the_map_is_drawn(opened: Opened) -> None:
    figure = opened("basin")
    chosen(figure, "method", "LM, Chan")  # another map, which is not whole yet
    box = figure.host.locator(".live-row", has_text="start q₁").locator("input[type=number]")
    box.fill("12")
    done = figure.host.locator(".live-progress")
    before = done.evaluate("bar => bar.value")
    figure.page.wait_for_function("before => document.querySelector('.live-progress').value > before", arg=before)
    assert box.input_value() == "12"
    box.press("Enter")
    check_basin(figure)


def test_no_start_is_computed_out_of_sight(opened: Opened) -> None:
    figure = opened("basin")
    figure.page.evaluate(
        "() => { window.orders = []; const send = Worker.prototype.postMessage;"
        "Worker.prototype.postMessage = function (order) { window.orders.push(order); send.call(this, order); }; }"
    )
    figure.page.evaluate("window.scrollTo(0, 0)")
    figure.page.wait_for_function("window.orders.at(-1)?.run === false")
    figure.see()
    figure.page.wait_for_function("window.orders.at(-1).run === true")


def test_without_a_worker_the_page_computes_the_starts_itself(browser: Browser, built_book: Path) -> None:
    context = browser.new_context(viewport=DESKTOP)
    context.add_init_script("delete window.Worker")
    page = context.new_page()
    page.goto((built_book / PAGES["basin"]).with_suffix(".html").as_uri())
    page.locator(".live-map").scroll_into_view_if_needed()
    side, shown = basins_shown(page)
    assert abs(shown[-1] - live.BasinFigure().basins(side).mean_steps) <= 0.07
    context.close()


def test_a_path_is_played_and_its_jumps_are_marked(opened: Opened) -> None:
    figure = opened("path")
    chosen(figure, "path", "alone")
    check_path(figure)
    ways = live.PathFigure().paths
    way = ways["alone"]
    places = (np.flatnonzero(way.moves > JUMP) + 1) / PARTS
    assert len(places) > 0 and all(f"s = {s:.3f}" in figure.says for s in places)
    bands = figure.host.locator(".live-leap").get_attribute("d") or ""
    assert bands.count("M") == len(places)
    scrubber = figure.host.get_by_role("slider", name="step", exact=True)
    scrubber.focus()
    figure.page.keyboard.press("Home")
    figure.settle()
    chosen(figure, "path", "screw")
    assert figure.says.startswith("s = 0.000: the tip is 0.0 mm off")
    figure.host.get_by_role("button", name="one step on").click()
    figure.settle()
    assert f"s = 0.025: the tip is {1e3 * ways['screw'].off[1]:.1f} mm off" in figure.says
    scrubber.focus()
    for key in ("End", "ArrowLeft", "ArrowLeft"):
        figure.page.keyboard.press(key)
    figure.host.get_by_role("button", name="Play").click()
    expect(figure.host.locator(".live-step")).to_have_text("s = 1.000")
    expect(figure.host.get_by_role("button", name="Play")).to_be_visible()


def test_a_path_that_leaves_the_arms_reach_ends_there(opened: Opened) -> None:
    figure = opened("path")
    for way in ("joints", "alone", "screw"):
        chosen(figure, "path", way)
        figure.typed("shift Δy", 0.8)
        check_path(figure)
    reached = len(live.PathFigure(dy=0.8).paths["screw"].q)
    assert figure.says == f"A pose is not reached: “screw” ends before s = {reached / PARTS:.3f}."
    assert "NaN" not in figure.host.inner_text()


def test_a_wall_past_the_tip_asks_for_a_retreat_until_nothing_is_allowed(opened: Opened) -> None:
    figure = opened("limits")
    figure.typed("wall y", 0.9)
    assert figure.says.startswith("The tip is 208 mm past the wall. Held by speed of joint 2 up")
    check_limits(figure)
    figure.typed("gain", 20)
    figure.typed("wall y", 0.85)
    assert "the polygon is empty" in figure.says
    assert "NaN" not in figure.host.inner_text()
    check_limits(figure)


def test_accelerations_are_further_rows_and_the_last_rates_can_be_dragged(opened: Opened) -> None:
    figure = opened("limits")
    expect(figure.handle("rates of the last step")).to_be_hidden()
    chosen(figure, "limits", "these, and accelerations")
    assert "acceleration of joint 2 up" in figure.says
    before = figure.held()
    figure.drag("rates of the last step", -20, -20)
    assert figure.held() != before
    check_limits(figure)


def test_lanes_are_refilled_or_wait_and_their_ticks_are_stepped_through(opened: Opened) -> None:
    figure = opened("lanes")
    before = figure.table()["1 core"][0]
    figure.host.get_by_label("takes the next pose").uncheck()
    figure.settle()
    assert figure.table()["1 core"][0] > before
    check_lanes(figure)
    figure.host.get_by_role("slider", name="step", exact=True).focus()
    figure.page.keyboard.press("Home")
    figure.settle()
    assert "the serial part, and all 8 lanes wait" in figure.says
    for _ in range(12):
        figure.host.get_by_role("button", name="one step on").click()
    figure.settle()
    python = told_to(figure, in_python("LanesFigure"))
    begins = python.schedule(1).begins
    now = 12 - (python.time(1) - python.schedule(1).ticks)  # after the serial part
    at_work = int(np.sum((begins < now) & (now <= begins + python.steps)))
    assert figure.says == f"Tick 12: {at_work} of 8 lanes are at work, {8 - at_work} idle."


def test_an_elbow_beyond_the_limits_is_told_and_its_objectives_end_where_the_lesson_does(opened: Opened) -> None:
    figure = opened("swing")
    figure.typed("arm angle", 130)
    assert "joint 2 (−105°) would be past its end" in figure.says
    assert figure.host.locator(".live-bar.live-vermilion").count() == 1
    check_swing(figure)
    figure.typed("arm angle", -1.7)
    assert "H is at its minimum" in figure.says or abs(figure.table()["descent of H"][1]) < 1.0


def test_costs_say_their_squares_and_limits_are_lit_step_by_step(opened: Opened) -> None:
    figure = opened("hands")
    label = figure.host.locator(".live-row", has_text="left hand").locator("label")
    assert label.inner_text().endswith("κ² = 9")
    figure.typed("left hand", 0.5)
    assert label.inner_text().endswith("κ² = 0.25")
    figure.begin()
    assert "At the end of its range: right shoulder roll." in figure.says
    figure.host.get_by_role("slider", name="step", exact=True).focus()
    figure.page.keyboard.press("Home")
    figure.settle()
    assert figure.says.startswith("Before step 1 the left hand is off by")
    lit = figure.host.locator(".live-lights td.live-green")
    assert lit.count() == len(live.HandsFigure().walk().active[0]) == 2
    assert set(lit.all_inner_texts()) == {"speed"}
    figure.typed("damping", 0)
    assert "still moves" in figure.says
    figure.typed("left hand", 0)
    figure.typed("right hand", 0)
    assert "No hand has a cost" in figure.says
    chosen(figure, "the hands are", "constraints")
    assert figure.says.startswith("After 0 steps no step within the limits keeps both constraints")
    expect(figure.host.locator(".live-row", has_text="left hand")).to_be_hidden()
    for name, value in (("gain", 0.1), ("left target x", 0.63), ("right target x", 0.63)):
        figure.typed(name, value)
    walk = live.HandsFigure(hands="constraints", gain=0.1, left_x=0.63, right_x=0.63).walk()
    assert figure.says == f"Both hands are there after {len(walk.q) - 1} steps."
    figure.typed("left target x", 0.64)
    figure.typed("right target x", 0.64)
    assert "the robot stops" in figure.says
    assert "NaN" not in figure.host.inner_text()


def test_a_quadruped_falls_stands_again_and_says_what_its_legs_cannot_do(opened: Opened) -> None:
    figure = opened("stance")
    for name, value in (("height", 0.3), ("left y", 0.0), ("yaw", 0)):
        figure.typed(name, value)
    chosen(figure, "lifted foot", "rear left")
    assert figure.says.startswith("It falls: the centre of mass is 9 mm outside")
    figure.typed("forward", 0.05)
    figure.typed("left y", -0.03)
    assert figure.says.startswith("It stands: ")
    check_stance(figure)
    chosen(figure, "lifted foot", "none")
    figure.typed("forward", 0)
    figure.typed("left y", 0)
    figure.drag("height of the trunk", 0, 200)
    assert figure.held()[2] == 0.08
    assert "At the end of its range: front left knee" in figure.says
    check_stance(figure)
    figure.typed("height", 0.4)
    figure.typed("forward", 0.1)
    assert "Stretched legs: " in figure.says
    check_stance(figure)


def test_nothing_is_drawn_out_of_sight(opened: Opened) -> None:
    figure = opened("elbow")
    figure.page.evaluate("window.scrollTo(0, 0)")
    expect(figure.host.locator(".live-stage")).not_to_be_in_viewport()
    hand = figure.host.locator(".live-blue .live-hand")
    before = hand.get_attribute("d")
    slider = figure.host.locator("input[type=range]").first
    slider.evaluate("s => { s.value = -1; s.dispatchEvent(new Event('input')); }")
    figure.settle()
    assert hand.get_attribute("d") == before
    figure.page.evaluate("document.querySelector('.live-stage').scrollIntoView()")
    expect(hand).not_to_have_attribute("d", before or "")
    figure.settle()
    check_elbow(figure)


@pytest.mark.parametrize("name", ["elbow", "screw"])
def test_colours_follow_light_and_dark_without_a_reload(opened: Opened, name: str) -> None:
    figure = opened(name)
    seen = {}
    for mode in ("light", "dark"):
        figure.page.evaluate("mode => { document.documentElement.dataset.theme = mode; }", mode)
        figure.settle()
        seen[mode] = figure.host.locator(".live-stage").screenshot()
    assert seen["light"] != seen["dark"]


@pytest.mark.parametrize("mode", ["light", "dark"])
@every_figure
def test_axe_finds_nothing_serious(opened: Opened, name: str, mode: str) -> None:
    assert AXE.exists(), "run `front/build.py --check` once, which installs axe"
    figure = opened(name)
    figure.page.evaluate("mode => { document.documentElement.dataset.theme = mode; }", mode)
    figure.page.add_script_tag(content=AXE.read_text("utf8"))
    found = figure.page.evaluate("axe.run('.live-figure', {resultTypes: ['violations'], preload: false})")
    serious = [v for v in found["violations"] if v["impact"] in ("serious", "critical")]
    assert [(v["id"], [n["html"] for n in v["nodes"]]) for v in serious] == []


@every_figure
def test_without_scripts_the_still_picture_stands_there(browser: Browser, built_book: Path, name: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=DESKTOP)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto((built_book / PAGES[name]).with_suffix(".html").as_uri())
    still = page.locator(".live-still img")
    expect(still).to_be_visible()
    assert (still.bounding_box() or {"width": 0})["width"] > 300
    assert page.locator(".live-figure").count() == 0
    context.close()


@every_figure
def test_on_paper_the_still_picture_takes_the_place_of_the_figure(opened: Opened, name: str) -> None:
    figure = opened(name)
    expect(figure.host.locator(".live-still")).to_be_hidden()
    figure.page.emulate_media(media="print")
    still, alive = figure.host.locator(".live-still"), figure.host.locator(".live-figure")
    seen = still.is_visible(), alive.is_visible()
    figure.page.emulate_media(media="screen")
    assert seen == (True, False)


def test_a_page_without_a_graphics_card_keeps_the_still_picture(browser: Browser, built_book: Path) -> None:
    context = browser.new_context(viewport=DESKTOP)
    context.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page = context.new_page()
    page.goto((built_book / PAGES["screw"]).with_suffix(".html").as_uri())
    expect(page.locator(".live-still img")).to_be_visible()
    assert page.locator(".live-figure").count() == 0
    context.close()
