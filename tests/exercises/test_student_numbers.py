"""A student's individual numbers: reproducible, within their bounds, and solved by the same solution."""

import numpy as np
import pytest
from graded_exercise import EXERCISES, Exercise

from lessons_lib.course import feedback
from lessons_lib.course.feedback import per_student


def test_without_a_name_they_are_the_usual_ones(monkeypatch):
    monkeypatch.delenv("LESSONS_STUDENT", raising=False)
    assert per_student("links", [0.7, 0.4], 0, 1).tolist() == [0.7, 0.4]
    monkeypatch.setenv("LESSONS_STUDENT", "")
    assert per_student("d", 0.118, 0, 1) == 0.118


def test_a_name_draws_the_same_numbers_and_another_draws_others(monkeypatch):
    drawn = []
    for name in ("ada", "ada", "bob"):
        monkeypatch.setenv("LESSONS_STUDENT", name)
        drawn += [per_student(what, [0.7, 0.4], [0.5, 0.25], [0.9, 0.45]) for what in ("links", "others")]
    assert np.array_equal(drawn[0], drawn[2]) and np.array_equal(drawn[1], drawn[3])
    assert not np.array_equal(drawn[0], drawn[4]) and not np.array_equal(drawn[0], drawn[1])
    assert drawn[0].tolist() == [0.58, 0.37], "a submission is graded with the numbers that the student has seen"


def test_they_stay_between_their_ends_and_have_their_digits(monkeypatch):
    for k in range(200):
        monkeypatch.setenv("LESSONS_STUDENT", f"student {k}")
        angle, d = per_student("elbow", 120, 90, 150, digits=0), per_student("row", 0.118, 0.095, 0.096)
        assert 90 <= angle <= 150 and angle == round(float(angle))
        assert 0.095 <= d <= 0.096


@pytest.mark.check
@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem[:2])
def test_the_solution_is_right_for_everybodys_numbers(path, monkeypatch):
    drawn = {}

    def record(what, usual, *ends, **rounded):
        """Note what three names draw: the usual numbers, and two others."""
        for name in ("", "bob", "名前"):
            monkeypatch.setenv("LESSONS_STUDENT", name)
            numbers = per_student(what, usual, *ends, **rounded)
            drawn.setdefault(what, set()).add(str(numbers.tolist()))
        return numbers

    monkeypatch.setattr(feedback, "per_student", record)
    Exercise(path, hidden=True)
    assert drawn, "no number of this exercise is a student's own: take one from feedback.per_student"
    for what, numbers in drawn.items():
        assert len(numbers) > 2, f"{what}: two names draw the same, or the usual ones: {numbers}"
