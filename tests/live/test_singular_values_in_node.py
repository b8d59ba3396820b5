"""The singular value decomposition of a page under Node, against NumPy's."""

import numpy as np
import pytest
from node import in_front

from lessons_lib.codegen import js_plain
from lessons_lib.course.live.singular_values import singular_values

PROGRAM = """
import { loadKernels } from "front/kernels";
import { nullSpace, svd } from "front/svd";
const kernels = loadKernels(told.source);
return { ...svd(kernels, told.J), free: nullSpace(kernels, told.J) };
"""
J = np.array([[0.3, -1.2, 0.5, 2.0], [1.1, 0.4, -0.7, 0.1], [-0.2, 0.9, 1.6, -0.8]])
MATRICES = {
    "wide": J,
    "dependent rows": np.array([J[0], J[1], 2.0 * J[0] - J[1]]),
    "one column": np.array([[3.0], [4.0], [0.0]]),
    "equal rows": np.array([J[0], J[0]]),
    "six by seven": np.random.default_rng(1).normal(size=(6, 7)),
}


@pytest.mark.parametrize("name", MATRICES)
def test_the_page_decomposes_a_matrix_as_numpy_does(name: str) -> None:
    matrix = MATRICES[name]
    found = in_front(PROGRAM, {"source": js_plain.source([singular_values()]), "J": matrix.tolist()})
    sigma, u, y, free = (np.array(found[key]) for key in ("sigma", "u", "y", "free"))
    expected = np.zeros(len(matrix))
    values = np.linalg.svd(matrix, compute_uv=False)
    expected[: len(values)] = values
    np.testing.assert_allclose(sigma, expected, atol=1e-14)
    np.testing.assert_allclose(u @ u.T, np.eye(len(matrix)), atol=1e-14)
    np.testing.assert_allclose((u.T * sigma) @ y, matrix, atol=1e-14)
    rank = int((values > 1e-12).sum())
    assert len(free) == matrix.shape[1] - rank
    np.testing.assert_allclose(matrix @ np.reshape(free, (-1, matrix.shape[1])).T, 0.0, atol=1e-13)
