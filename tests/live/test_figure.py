"""A live figure in Python: its controls are traits, it can be stored and recreated, and displaying changes nothing."""

import base64
import json
import re
from functools import partial

import ipywidgets
import numpy as np
import pytest
from build import index_of_views
from discovered import FIGURES
from scipy.linalg import expm
from traitlets import TraitError

from lessons_lib import lie, robots
from lessons_lib.course import live
from lessons_lib.course.live.control import Control, LogSlider, Switch
from lessons_lib.course.live.figure import from_reference
from lessons_lib.course.live.front_end import NOT_BUILT, module
from lessons_lib.course.live.joints import body_data
from lessons_lib.course.live.link_shapes import skeleton_of
from lessons_lib.course.live.saved import REFERENCE
from lessons_lib.errors import ParameterError
from lessons_lib.robots import kinematics

MAKERS = [*FIGURES.values(), partial(live.LanesFigure, {1: 1.0, 2: 1.7})]
"""All figures as they open, and one that shows what a machine measured."""


def test_each_figure_has_a_view_that_the_build_finds():
    exported = [index_of_views(space).partition("export default")[2] for space in (False, True)]
    found = re.findall(r"(\w+): \w+", "".join(exported))
    assert sorted(found) == sorted(figure.view for figure in FIGURES.values())


@pytest.mark.parametrize("make", MAKERS)
def test_a_figure_is_shown_stored_and_made_again(make):
    figure = make()
    before = dict(figure.values)
    bundle, _ = figure._repr_mimebundle_()
    assert figure.values == before == figure.starts, "showing it changes no value"

    assert bundle["text/plain"] == f"{bundle[REFERENCE]['figure']}()"
    again = from_reference(json.loads(json.dumps(bundle[REFERENCE])))
    assert again.specification == figure.specification
    assert again.values == figure.values

    told = json.loads(json.dumps(figure.specification))
    assert {control["name"]: control["start"] for control in told["controls"]} == figure.values
    assert all(told[words] for words in ("title", "about", "question", "answer"))
    assert ("function " in told["source"]) is (make is not live.ArenaFigure), "what was measured has no kernel"
    drawn = {"ur10", "panda"} if isinstance(figure, live.RobotFigure) else shapes_in(told["data"])
    assert sorted(drawn) == sorted(told["shapes"])

    assert base64.b64decode(bundle["image/png"]) == figure.opening_path().read_bytes()


def shapes_in(data):
    """Names of the shapes of arms."""
    if isinstance(data, dict):
        own = {data["shape"]} if isinstance(data.get("shape"), str) else set[str]()
        return own.union(*map(shapes_in, data.values()))
    return set[str]().union(*map(shapes_in, data)) if isinstance(data, list) else set()


def test_a_control_is_a_trait_that_can_be_set_observed_and_linked():
    figure, heard = live.ElbowFigure(), []
    figure.observe(lambda change: heard.append(change["new"]), "x")
    figure.x = 0.123456
    assert heard == [0.123456]
    slider = ipywidgets.FloatSlider(min=-2.3, max=2.3, value=0.0)
    ipywidgets.link((figure, "x"), (slider, "value"))
    slider.value = 1.5
    assert figure.x == 1.5
    assert ipywidgets.jslink((figure, "x"), (slider, "value")).source == (figure, "x")
    assert {"x", "y", "length_2", "_specification", "_esm"} <= set(figure.keys)


@pytest.mark.parametrize("value", [2.31, -9, np.inf, np.nan, "left"])
def test_a_value_out_of_range_is_refused_and_the_old_one_stays(value):
    figure = live.ElbowFigure()
    with pytest.raises(TraitError):
        figure.x = value
    assert figure.x == 1.1


def test_a_tool_sets_the_weights_and_other_weights_are_custom():
    figure = live.WeightFigure(arm="UR10")
    assert figure.tool == "equal weights"
    figure.tool = "pen (may spin)"
    assert figure.weights == (1, 1, 0, 1, 1, 1)
    figure.omega_x = 0.5
    assert figure.tool == "custom weights" and figure.weights == (0.5, 1, 0, 1, 1, 1)
    figure.omega_x, figure.omega_z = 1.0, 1.0
    assert figure.tool == "equal weights"
    made = live.WeightFigure(tool="position only", v_z=2.0)
    assert made.tool == "custom weights" and made.omega_y == 0.0 and made.v_z == 2.0


def test_an_unknown_control_is_named():
    with pytest.raises(ParameterError, match="ElbowFigure has no control 'z'; available: x, y, length_2"):
        live.ElbowFigure(z=1.0)


def test_a_truth_is_no_number_of_a_control():
    with pytest.raises(TraitError, match="x of ElbowFigure must be a number, got True"):
        live.ElbowFigure(x=True)


@pytest.mark.parametrize("name", ["LiveFigure", "LiveFigure_", "Control", "__doc__", "from_reference"])
def test_a_reference_to_no_figure_is_refused(name):
    with pytest.raises(ParameterError, match="no live figure is called .*; available: (?!.*(Control|LiveFigure))"):
        from_reference({"figure": name, "arguments": {}})


def slider(**changes):
    plain = {"name": "a", "words": "a", "symbol": "", "unit": "", "low": -1.0, "high": 1.0, "step": 0.1, "start": 0.3}
    return Control(**{**plain, **changes})


def log_slider(**changes):
    plain = {"name": "a", "words": "a", "symbol": "", "unit": "", "places": (0.0, 0.1), "start": 0.1}
    return LogSlider(**{**plain, **changes})


@pytest.mark.parametrize(
    ("make", "changes", "match"),
    [
        (slider, {"start": 0.35}, "start of control 'a' must be a multiple of 0.1, got 0.35"),
        (slider, {"low": -0.95}, "low of control 'a'"),
        (slider, {"high": 1.01}, "high of control 'a'"),
        (slider, {"start": 1.1}, "start of control .* got 1.1"),
        (slider, {"low": 1.0, "start": 1.0}, "start of control"),
        (slider, {"step": 0.0}, "a positive step"),
        (slider, {"high": np.inf}, "needs finite numbers"),
        (slider, {"name": "a b"}, "Python identifier"),
        (log_slider, {"places": (1.0,)}, "must start at zero or above and increase"),
        (log_slider, {"places": (1.0, 0.1)}, "must start at zero or above and increase"),
        (log_slider, {"places": (-1.0, 0.1)}, "must start at zero or above and increase"),
        (log_slider, {"places": (0.1, np.inf)}, "must start at zero or above and increase"),
        (log_slider, {"start": 0.5}, "must be one of its places"),
        (log_slider, {"name": "a b"}, "Python identifier"),
    ],
)
def test_an_invalid_slider_is_refused(make, changes, match):
    assert make().start in (0.1, 0.3)
    with pytest.raises(ParameterError, match=match):
        make(**changes)


def test_a_log_slider_has_its_places_and_accepts_any_number_in_its_range():
    figure = live.DampingFigure()
    told = next(control for control in figure.specification["controls"] if control["name"] == "damping")
    assert (told["low"], told["high"], told["places"][:2], told["start"]) == (0.0, 3.15, [0.0, 0.001], 0.125)
    figure.damping = 0.12345
    assert figure.damping == 0.12345
    with pytest.raises(TraitError, match=r"must be in \[0.0, 3.15\], got 4.0"):
        figure.damping = 4.0


def test_a_switch_holds_a_truth():
    figure = live.ScrewFigure(naive=False)
    assert figure.naive is False
    assert Switch("naive", "the pair").describe(True)["start"] is True
    with pytest.raises(TraitError):
        figure.naive = "yes"


def test_an_entry_of_v_is_its_lever_times_a_sine():
    figure = live.ColumnsFigure(q1=20.0, q3=-70.0, q6=15.0)
    J = figure.chain.space_jacobian(figure.q)
    for joint in range(6):
        for axis in range(3):
            lever = figure.lever(axis, joint)
            assert abs(abs(J[3 + axis, joint]) - lever.length * lever.sine) < 1e-14


def test_the_pair_misses_by_the_distance_in_the_lesson():
    assert live.ScrewFigure(distance=0.0).miss < 1e-15
    assert live.ScrewFigure(climb=90.0).miss < 1e-15
    assert live.ScrewFigure().miss > 1.0


def test_from_half_a_turn_on_every_turn_has_an_arrow_within_the_wall():
    for turn, counts in {
        200.0: (0, 0, 1, 2, 2),
        180.0: (0, 0, 2, 2, 2),
        20.0: (0, 1, 1, 1, 2),
        0.0: (1, 1, 1, 1, 2),
    }.items():
        figure = live.LogarithmFigure(turn=turn)
        np.testing.assert_allclose(expm(lie.hat_so3(figure.arrows[1])), figure.rotation, rtol=0, atol=5e-15)
        for wall, count in zip((0.0, 90.0, 180.0, 339.0, 360.0), counts, strict=True):
            figure.wall = wall
            assert len(figure.within) == count


def test_a_step_of_newton_promises_what_two_joints_can_do():
    figure = live.NewtonFigure()
    now, promised, after = figure.errors(0)
    np.testing.assert_allclose([now[2], *now[3:5]], [1.571, 0.498, 1.858], rtol=0, atol=5e-4)  # as printed
    np.testing.assert_allclose([after[2], *after[3:5]], [0.115, -0.074, 0.108], rtol=0, atol=5e-4)
    assert 0.1 < np.linalg.norm(promised[3:]) < 0.2  # three numbers, two joints
    q, reached = figure.trace.q[:2]
    twist = robots.planar_2r().body_jacobian(q) @ (reached - q)  # by SciPy: the end of the dotted arc, and from there
    end = robots.planar_2r().forward_kinematics(q) @ expm(lie.hat_se3(twist))
    np.testing.assert_allclose(end @ expm(lie.hat_se3(promised)), figure.target, rtol=0, atol=1e-14)
    figure.error = "position only"
    now, promised, after = figure.errors(0)
    np.testing.assert_allclose(now[3:], figure.target[:3, 3] - [1.0 + np.sqrt(0.75), 0.5, 0.0], rtol=0, atol=1e-14)
    np.testing.assert_allclose(promised[3:], 0.0, rtol=0, atol=1e-14)
    figure.s2 = 0.0
    assert np.linalg.norm(figure.errors(0)[1][3:]) > 0.5  # of the outstretched arm one direction is lost


@pytest.mark.parametrize("computes", ["T", "T and J_s", "T and J_b"])
@pytest.mark.parametrize("arm", ["planar 2R", "UR10", "Panda"])
def test_the_program_that_is_shown_is_the_one_that_the_library_prints(arm, computes):
    figure = live.SourceFigure(arm=arm, computes=computes)
    chain = {"planar 2R": robots.planar_2r, "UR10": robots.ur10, "Panda": robots.panda}[arm]()
    for target, text in (("javascript", figure.listing.javascript), ("numpy", figure.listing.numpy)):
        assert text in chain.source(target)
    numbers = figure.numbers
    np.testing.assert_allclose(numbers["T"], chain.forward_kinematics(figure.q), rtol=0, atol=1e-14)
    if computes != "T":
        J = chain.space_jacobian(figure.q) if computes == "T and J_s" else chain.body_jacobian(figure.q)
        np.testing.assert_allclose(numbers[computes[-3:]], J, rtol=0, atol=1e-14)
    assert np.isfinite([float(np.sum(value)) for value in numbers.values()]).all()
    programs = figure.specification["data"]["programs"]
    (told,) = (one for one in programs if (one["arm"], one["computes"]) == (arm, computes))
    begin, end = told["javascript"]
    assert figure.specification["source"][begin:end] == figure.listing.javascript


def test_the_lines_of_a_program_cost_what_the_lesson_counts():
    chain = robots.ur10()
    kernel = next(one for one in kinematics.kernels(chain.screws, chain.home) if one.name == "chain_kernel")
    one = live.SourceFigure(arm="UR10").listing
    assert sum(one.operations.values()) == kernel.program.operations
    assert list(one.operations)[-2:] == ["T", "J_b"]


def test_a_front_end_that_is_not_built_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("lessons_lib.course.live.front_end.FOLDER", tmp_path)
    assert module("widget") == NOT_BUILT
    assert live.ElbowFigure()._esm == NOT_BUILT


def test_a_choice_is_one_of_its_options():
    figure = live.ModelFigure()
    ur10, panda = figure.pairs
    assert (figure.pair, figure.q.shape) == (ur10, (6,))
    assert figure.gap == pytest.approx(0.3, abs=1e-13)
    figure.pair = panda
    assert figure.q.shape == (7,)
    assert live.ModelFigure(pair=panda).starts["pair"] == panda
    with pytest.raises(TraitError):
        figure.pair = "Puma"


def test_every_grip_moves_when_its_joint_does():
    for make in (robots.ur10, robots.panda, robots.planar_3r):
        chain = make()
        body = skeleton_of(chain)
        grips = body_data(chain)["grips"]
        assert len(grips) == chain.dof and sum(grip is not None for grip in grips) >= 3
        for i, grip in enumerate(grips):
            if grip is not None:
                moved = body.at(chain, 0.1 * np.eye(chain.dof)[i])[grip] - body.at(chain, np.zeros(chain.dof))[grip]
                assert np.linalg.norm(moved) > 0.004 * body.reach
