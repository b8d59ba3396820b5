"""Distances in the page, printed from the library's code, are the same under Node."""

import numpy as np
from node import in_node

from lessons_lib.course.live import ObstacleFigure
from lessons_lib.course.touch.live import script

CALL = """
function room(Q, scene, bodies) {
  const rows = (A) => ({at: Float64Array.from(A.flat()), rows: A.length, columns: A[0].length});
  const {joints, carriers, first, second} = scene;
  const found = {at: new Float64Array(Q.length * first.length), rows: Q.length, columns: first.length};
  const nothing = {at: new Float64Array(0), rows: 0, columns: 0};
  distances_of(rows(joints), rows(Q), carriers, rows(bodies), first, second, [], found, nothing);
  return [...found.at];
}
"""


def test_the_page_has_the_librarys_distances() -> None:
    rng = np.random.default_rng(23)
    figure = ObstacleFigure(px=0.3, py=-0.4, height=0.6)
    around, told = figure.scene, figure.specification["data"]["scene"]
    Q = rng.uniform(-3, 3, (50, 6))
    (found,) = in_node(script() + CALL, "room", [[Q.tolist(), told, around.bodies.tolist()]])
    assert (
        np.abs(np.reshape(found, (50, -1)) - around.distances_and_motion(Q)[0]).max() < 1e-13
    )  # another library's sine
    assert [tuple(pair) for pair in told["pairs"]] == list(around.pairs)


def test_the_answer_agrees_with_the_clearances() -> None:
    assert ObstacleFigure().facts["free"] == 6
    low = ObstacleFigure(px=-0.5, py=-0.1, height=0.25)
    free = [names for names, q in zip(low.answers.names, low.answers.q, strict=True) if low.scene.is_free(q)]
    assert len(free) == 4 and all("elbow up" in names for names in free)
    assert ObstacleFigure(px=-0.8, py=-0.1, height=0.5).facts["free"] == 0
    assert ObstacleFigure(x=1.3, y=1.3).facts["count"] == 0
