"""One step of Newton is drawn as the arm makes it, beside the tangent that the linear model promises."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from lessons_lib import course, plots, robots


def test_the_way_begins_along_the_tangent_and_ends_where_the_arm_does() -> None:
    figure, ax = plt.subplots()
    arm, before, after = robots.planar_2r(), np.radians([0.0, 30.0]), np.radians([34.0, 79.0])
    way = course.draw_step(ax, arm, before, after, np.eye(4))
    np.testing.assert_allclose(way[0], arm.forward_kinematics(before)[:2, 3], atol=1e-15)
    np.testing.assert_allclose(way[-1], arm.forward_kinematics(after)[:2, 3], atol=1e-15)
    (arrow,) = [text for text in ax.texts if text.arrow_patch is not None]
    tangent = np.array(arrow.xy) - way[0]
    np.testing.assert_allclose(tangent, plots.tip_jacobian(arm, before)[:2] @ (after - before), atol=1e-14)
    first = way[1] - way[0]
    assert tangent @ first == pytest.approx(np.linalg.norm(tangent) * np.linalg.norm(first), rel=1e-3)
    plt.close(figure)
