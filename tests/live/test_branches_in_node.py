"""The closed forms in the page, printed from the library's code, give the same solutions under Node."""

import numpy as np
from node import in_front, in_node

from lessons_lib.course.branches.live import LOCKED, script
from lessons_lib.course.live import BranchesFigure
from lessons_lib.pose_ik import all_solutions

CALL = """
function answers(T, closed, free) {
  const [Q, codes] = [new Float64Array(48), new Float64Array(13)];
  const {kind, backwards, signs, length} = closed;
  const rows = (A) => ({at: Float64Array.from(A.flat()), rows: A.length, columns: A[0].length});
  const [pose, back, K, limits] = [T, closed.back, closed.constants, closed.limits].map(rows);
  const found = {at: Q, rows: 8, columns: 6};
  const count = solve_closed_form(pose, back, kind, backwards, K, signs, limits, length, free, 0, found, codes);
  const kept = Array.from({length: count}, (_, i) => [...Q.subarray(6 * i, 6 * i + 6)]);
  return {q: kept, codes: [...codes.subarray(1, 1 + count)], up: kept.map((q) => elbow_kernel(q).up[0])};
}
"""


def in_page(figure, targets, free=0.0):
    closed = figure._specification["data"]["closed"]
    return in_node(script() + CALL, "answers", [[T.tolist(), closed, free] for T in targets])


def test_the_page_has_the_librarys_solutions_and_words() -> None:
    figure, rng = BranchesFigure(), np.random.default_rng(20)
    arm = figure.chain
    targets = [arm.forward_kinematics(arm.random_configuration(rng)) for _ in range(200)]
    for T, found in zip(targets, in_page(figure, targets), strict=True):
        expected = all_solutions(arm, T)
        assert len(found["q"]) == len(expected)
        assert np.abs(np.array(found["q"]) - expected.q).max() < 1e-9  # two roundings, beside edges of reach
        assert found["codes"] == expected.codes.tolist()
        ups = [not any("down" in word for word in names) for names in expected.names]
        assert [up > 0 for up in found["up"]] == ups


def test_the_slider_walks_a_family_while_the_tip_stays() -> None:
    figure = BranchesFigure(locked=True)
    assert figure.facts["count"] == 4 and figure.facts["families"] == 2
    walked = [in_page(figure, [figure.target], free)[0] for free in (-2.0, 0.5, 1.7)]
    for found in walked:
        free = [q for q, code in zip(found["q"], found["codes"], strict=True) if code & 56]
        assert len(found["q"]) == 6 and len(free) == 2
        poses = [figure.chain.forward_kinematics(q) for q in found["q"]]
        assert np.abs(np.array(poses) - figure.chain.forward_kinematics(LOCKED)).max() < 1e-12
    moves = np.ptp([found["q"][0] for found in walked], axis=0)
    assert (moves[[1, 2, 3, 5]] > 0.1).all() and moves[[0, 4]].max() < 1e-12


def test_a_target_beyond_reach_has_no_answer() -> None:
    figure = BranchesFigure(x=1.3, y=1.3)
    assert figure.facts["count"] == 0
    assert in_page(figure, [figure.target])[0]["q"] == []


def test_the_distance_of_solutions_ignores_whole_revolutions() -> None:
    """Compared with the angle of e^{i(a − b)}, by NumPy."""
    pairs = np.random.default_rng(4).uniform(-9, 9, (50, 2, 6))
    program = 'import { apart } from "course/branches/view";\nreturn told.map(([a, b]) => apart(a, b));'
    expected = np.linalg.norm(np.angle(np.exp(1j * (pairs[:, 0] - pairs[:, 1]))), axis=1)
    np.testing.assert_allclose(in_front(program, pairs.tolist()), expected, rtol=1e-12)
