"""Distances in the page, printed from their own text: the same under Node as in the library."""

import numpy as np
from node import in_node

from lessons_lib.live import ObstacleFigure
from lessons_lib.live.obstacle import script

CALL = """
function room(q, scene, bodies) {
  const rows = (A) => ({at: Float64Array.from(A.flat()), rows: A.length, columns: A[0].length});
  const {joints, carriers, first, second} = scene;
  const found = {at: new Float64Array(10 * first.length), rows: first.length, columns: 10};
  distances_at(rows(joints), q, carriers, rows(bodies), first, second, found);
  return [...found.at];
}
"""


def test_the_page_has_the_librarys_distances() -> None:
    rng = np.random.default_rng(23)
    figure = ObstacleFigure(px=0.3, py=-0.4, height=0.6)
    around, told = figure.scene, figure.specification["data"]["scene"]
    Q = rng.uniform(-3, 3, (50, 6))
    found = in_node(script() + CALL, "room", [[q.tolist(), told, around.bodies.tolist()] for q in Q])
    for q, rows in zip(Q, found, strict=True):
        expected, known = around.distances(q), np.array(rows).reshape(-1, 10)
        assert np.abs(known[:, 0] - expected.distance).max() < 1e-13
        assert np.abs(known[:, 7:] - expected.normals).max() < 1e-9
    assert [tuple(pair) for pair in told["pairs"]] == list(around.pairs)


def test_what_is_to_be_seen() -> None:
    assert ObstacleFigure().facts["free"] == 6
    low = ObstacleFigure(px=-0.5, py=-0.1, height=0.25)
    free = [names for names, q in zip(low.answers.names, low.answers.q, strict=True) if low.scene.is_free(q)]
    assert len(free) == 4 and all("elbow up" in names for names in free)
    assert ObstacleFigure(px=-0.8, py=-0.1, height=0.5).facts["free"] == 0
    assert ObstacleFigure(x=1.3, y=1.3).facts["count"] == 0
