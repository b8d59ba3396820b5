"""Every line of a printed program has the same value in JavaScript as in NumPy."""

from typing import Any

import numpy as np
import pytest
from node import in_front

from lessons_lib.course import live
from lessons_lib.course.code_generation.live import KERNELS, chains

CASES = 40
TOLERANCE = 1e-13  # some hundred roundings of numbers up to 2
PROGRAM = """
import { traceProgram } from "course/code_generation/listing";
return told.cases.map(traceProgram(told.text, told.names));
"""


def answers(**told: Any) -> list[dict[str, Any]]:
    """The values that every line binds, for each case."""
    return in_front(PROGRAM, told)


@pytest.mark.parametrize("computes", KERNELS)
@pytest.mark.parametrize("arm", [chain.name for chain in chains()])
def test_every_line_has_the_same_number_in_both_languages(arm: str, computes: str) -> None:
    figure, rng = live.SourceFigure(arm=arm, computes=computes), np.random.default_rng(35)
    cases, expected = [], []
    for _ in range(CASES):
        for i in range(figure.q.size):
            setattr(figure, f"q{i + 1}", rng.uniform(-180.0, 180.0))
        cases.append(figure.q.tolist())
        expected.append(figure.numbers)
    names = list(figure.listing.operations)
    for found, numbers in zip(answers(text=figure.listing.javascript, names=names, cases=cases), expected, strict=True):
        assert list(found) == names
        assert max(np.abs(np.array(found[name]) - numbers[name]).max() for name in names) <= TOLERANCE
