"""The figure of lesson 13 draws the given arms, and a curve with its markers."""

import numpy as np
from matplotlib.figure import Figure

from lessons_lib import course, robots

TARGET = np.array([[1.0, 0, 0, 1.5], [0, 1, 0, 0.5], [0, 0, 1, 0], [0, 0, 0, 1]])


def test_each_arm_ends_where_its_kinematics_say_and_all_of_it_is_in_sight() -> None:
    ax, chain = Figure().add_subplot(), robots.planar_2r()
    compromises = {"near": [0.9, -1.0], "level": np.radians([45.0, -45.0])}
    arms = course.draw_compromises(ax, chain, TARGET, compromises)
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    for arm, (name, q) in zip(arms, compromises.items(), strict=True):
        points = arm.links.get_xydata()
        assert np.abs(points[-1] - chain.forward_kinematics(q)[:2, 3]).max() < 1e-12
        assert arm.links.get_label() == name
        assert (points > (left, low)).all() and (points < (right, high)).all()
    for q, marker in zip(compromises.values(), "os", strict=True):
        tips = [line.get_xydata()[0] for line in ax.lines if line.get_marker() == marker]
        assert min(np.abs(tip - chain.forward_kinematics(q)[:2, 3]).max() for tip in tips) < 1e-12
    for arrow, q in zip(ax.texts, compromises.values(), strict=True):
        T_sb = chain.forward_kinematics(q)
        along = np.array(arrow.xy) - T_sb[:2, 3]
        assert np.abs(along / np.linalg.norm(along) - T_sb[:2, 0]).max() < 1e-12
    assert arms[0].links.get_color() != arms[1].links.get_color()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["near", "level"]


def test_the_curve_is_in_millimetres_and_degrees_and_the_marks_lie_on_it() -> None:
    ax = Figure().add_subplot()
    curve, first, last = course.draw_exchange(ax, [0.0, 0.1, 0.3], np.radians([20, 15, 0]), {"a": 0, "b": 2})
    assert np.abs(curve.get_xydata() - [[0, 20], [100, 15], [300, 0]]).max() < 1e-9
    assert np.abs(np.vstack([first.get_xydata(), last.get_xydata()]) - [[0, 20], [300, 0]]).max() < 1e-9
    assert [text.get_text() for text in ax.texts] == ["a", "b"]
    assert first.get_marker() != last.get_marker()  # colour is not the only difference
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("position error [mm]", "orientation error [°]")
