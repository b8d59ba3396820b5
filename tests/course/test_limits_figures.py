"""A wall is drawn at the given height."""

from matplotlib.figure import Figure

from lessons_lib import course


def test_a_wall_fills_all_above_its_height_and_can_be_moved() -> None:
    ax = Figure().add_subplot()
    ax.set(xlim=(-2, 2), ylim=(-1, 3))
    wall = course.WallArtist(ax, 0.5)
    assert wall.body.get_xy()[:, 1].min() == 0.5
    wall.update(1.25)
    x, y = wall.body.get_xy().T
    assert y.min() == 1.25 and y.max() > 3.0
    assert x.min() < -2.0 and x.max() > 2.0
    assert ax.get_xlim() == (-2, 2) and ax.get_ylim() == (-1, 3)
