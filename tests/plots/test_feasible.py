"""The polygon against SciPy's half-space intersection, the contours against their definition, and what is drawn."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.spatial import HalfspaceIntersection

from lessons_lib import plots
from lessons_lib.plots.feasible import ON_ROW

BOX = np.vstack([np.eye(2), -np.eye(2)])
H, C = np.array([[2.0, 0.6], [0.6, 1.0]]), np.array([-6.0, -1.0])


def area(corners: np.ndarray) -> float:
    x, y = corners.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def test_random_polygons_are_scipys() -> None:
    rng = np.random.default_rng(16)
    for _ in range(50):
        G, h = rng.normal(size=(6, 2)), rng.uniform(0.1, 3.0, 6)  # the origin is inside
        corners = plots.feasible_polygon(G, h, 4.0)
        rows = np.vstack([np.column_stack([G, -h]), np.column_stack([BOX, np.full(4, -4.0)])])
        expected = HalfspaceIntersection(rows, np.zeros(2)).intersections
        assert (corners @ G.T <= h + 1e-9).all()
        away = np.linalg.norm(corners[:, None] - expected[None], axis=2)
        assert away.min(axis=1).max() < 1e-9 and away.min(axis=0).max() < 1e-9
        assert area(corners) > 0.0  # counter-clockwise


def test_rows_that_contradict_each_other_leave_nothing() -> None:
    assert plots.feasible_polygon([[1.0, 0.0], [-1.0, 0.0]], [-1.0, -1.0], 4.0).shape == (0, 2)


def draw(*program: object, span: float = 4.0) -> tuple[dict[str, np.ndarray], list[np.ndarray], list[str]]:
    """Draw a program, and return its lines by name, shape (2, k), the active edges, and the legend."""
    ax = Figure().add_subplot()
    plots.draw_feasible(ax, span, *program)
    lines = {line.get_label(): np.array(line.get_data(), dtype=float) for line in ax.lines}
    return lines, ax.collections[0].get_segments(), [text.get_text() for text in ax.get_legend().get_texts()]


def test_the_ellipse_goes_through_the_best_point_and_all_of_it_costs_as_much() -> None:
    best, mu = np.array([1.0, 0.4]), np.array([3.76, 0.0, 0.0, 0.0])  # held by x ≤ 1
    assert np.abs(H @ best + C + BOX.T @ mu).max() < 1e-12
    lines, edges, labels = draw((H, C), (BOX, np.ones(4)), best, mu)
    ring = lines["equal cost"]
    costs = 0.5 * np.sum(ring * (H @ ring), axis=0) + C @ ring
    assert np.abs(costs - (0.5 * best @ H @ best + C @ best)).max() < 1e-12
    outside = ring[:, (np.abs(ring) > 1.0 + 1e-9).any(axis=0)]
    assert outside.shape[1] >= 119  # it touches the square at one point only
    (edge,) = edges
    assert np.abs(np.sort(edge, axis=0) - [[1.0, -1.0], [1.0, 1.0]]).max() < ON_ROW
    assert lines["asked"].ravel() == pytest.approx(np.linalg.solve(H, -C))
    assert lines["best"].ravel() == pytest.approx(best)
    assert lines["clipped"].size == 0
    assert labels == ["allowed", "equal cost", "active", "asked", "clipped", "best"]


def test_a_free_minimum_that_is_allowed_has_no_active_edge_and_no_ellipse_through_it() -> None:
    free = np.linalg.solve(H, -C)
    lines, edges, _ = draw((H, C), (BOX, np.full(4, 3.9)), free, np.zeros(4), [0.5, 0.5])
    assert edges == []
    assert lines["equal cost"].size == 0
    assert lines["clipped"].ravel().tolist() == [0.5, 0.5]
    assert any(np.isfinite(line).sum() > 800 for line in lines.values())  # the faint ones are still there
