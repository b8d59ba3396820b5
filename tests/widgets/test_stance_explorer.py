"""The sliders move the trunk, the feet stay, and the words say what is drawn."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from numpy.testing import assert_allclose

from lessons_lib.differential_ik import Configuration
from lessons_lib.plots.support_polygon import FALLS, STANDS
from lessons_lib.studies import standing
from lessons_lib.studies.standing import feet_of, quadruped, trunk_pose
from lessons_lib.widgets import StanceExplorer


@pytest.fixture
def explorer() -> StanceExplorer:
    return StanceExplorer()


def test_the_trunk_goes_where_the_sliders_say_and_the_feet_stay(explorer: StanceExplorer) -> None:
    explorer.change(height=0.25, forward=0.02, left=0.05, roll=5.0, pitch=-4.0, yaw=15.0)
    configuration = Configuration(quadruped(), explorer.stance.q)
    expected = trunk_pose(0.25, 0.02, 0.05, *np.radians([5.0, -4.0, 15.0]))
    assert_allclose(configuration.get_transform_frame_to_world("trunk"), expected, atol=1e-9)
    assert_allclose(feet_of(configuration), feet_of(standing.at_ease()), atol=1e-6)
    assert explorer.message == f"stands: {1e3 * explorer.stance.margin:.0f} mm inside"


def test_each_control_changes_the_picture(explorer: StanceExplorer) -> None:
    pictures = {explorer.image.value}
    for control, value in zip(explorer.controls, (0.2, 0.05, 0.05, 5.0, 5.0, 5.0, "rear_left"), strict=True):
        control.value = value
        pictures.add(explorer.image.value)
    assert len(pictures) == 8


def test_a_lifted_hind_foot_is_a_fall_until_the_weight_is_shifted(explorer: StanceExplorer) -> None:
    explorer.lifted.value = "rear_left"
    assert explorer.message == "falls: 9 mm outside"
    edge = explorer._picture.body.support.edge
    assert edge.get_edgecolor() == to_rgba(FALLS)
    explorer.change(forward=0.05, left=-0.03)
    assert explorer.message.startswith("stands: ")
    assert edge.get_edgecolor() == to_rgba(STANDS)


def test_where_the_legs_end_is_said(explorer: StanceExplorer) -> None:
    explorer.change(height=0.38, roll=25.0, yaw=35.0)
    angle, distance = explorer.stance.short_of
    assert explorer.message.endswith(f"the legs end {np.degrees(angle):.0f}° and {1e3 * distance:.0f} mm before")
    assert explorer.stance.slip < 1e-6


def test_the_still_picture_and_the_name_are_the_same_each_time(explorer: StanceExplorer) -> None:
    explorer.change(height=0.2)
    explorer.change(height=0.3)
    assert explorer.still() == StanceExplorer().still()
    assert repr(explorer) == "StanceExplorer()"
